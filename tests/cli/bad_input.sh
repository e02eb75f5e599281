# Bad input gives one clear message and exit code 1, and never half a file.
. "$(dirname "$0")/checks.bash"
run() { expect 1 "$1" run "${@:2}"; is "$(grep -c . err.txt)" 1 "lines of the message of: run ${*:2}"; absent out.tif; absent out.png; }
"$ZEROPLANE" synth ramp in.tif --width 64 --height 48 || fail "synth"
"$ZEROPLANE" synth ramp small.tif --width 32 --height 48 || fail "synth"
"$ZEROPLANE" synth ramp float.tif --width 8 --height 8 --format f32 || fail "synth"
run 'missing.tif' missing.tif out.tif invert
run 'add' in.tif out.tif add:with=small.tif
run 'missing.tif' in.tif out.tif add:with=missing.tif
run '1 channel' in.tif out.tif rgb_to_grey
run 'crop' in.tif out.tif crop:x=60,y=0,width=10,height=10
run 'f32' float.tif out.png invert
printf 'no picture at all' > text.tif
run 'text.tif' text.tif out.tif invert
: > empty.tif
run 'empty.tif' empty.tif out.tif invert
head -c 3000 in.tif > cut.tif
run 'cut.tif' cut.tif out.tif invert
# A directory of one entry that claims 65535 x 65535 pixels in 200 bytes.
python3 - <<'PY'
import struct
entries = [(256, 4, 1, 1 << 30), (257, 4, 1, 1 << 30), (258, 3, 1, 16), (259, 3, 1, 1), (262, 3, 1, 1),
           (273, 4, 1, 8), (277, 3, 1, 1), (278, 4, 1, 1 << 30), (279, 4, 1, 64)]
body = struct.pack('<2sHI', b'II', 42, 8) + struct.pack('<H', len(entries))
for tag, kind, count, value in entries:
    body += struct.pack('<HHII', tag, kind, count, value)
open('hostile.tif', 'wb').write(body + struct.pack('<I', 0) + bytes(64))
PY
run 'hostile.tif' hostile.tif out.tif invert
run 'nowhere' in.tif nowhere/out.tif invert
mkdir folder.tif
run 'folder.tif' folder.tif out.tif invert
run 'page' --page 5 in.tif out.tif invert
expect 1 'missing.tif' compare in.tif missing.tif
expect 1 'missing.tif' stats missing.tif
expect 1 'cuda executor' --device none --executor cuda info
expect 2 'simulated executor' --device none --executor simulated info
"$ZEROPLANE" ops > /dev/full 2> err.txt
is $? 1 "exit code with a full standard output"
grep -q 'standard output' err.txt || fail "no word about the full standard output"
if [ "$(id -u)" = 0 ] && mkdir tiny && mount -t tmpfs -o size=64k tmpfs tiny 2> /dev/null; then
  "$ZEROPLANE" synth noise large.tif --width 400 --height 300
  expect 1 'tiny/out.tif' run large.tif tiny/out.tif invert
  is "$(find tiny -type f | wc -l)" 0 "files left on the full disk"
  umount tiny
fi
is "$(find . -name '*out*' ! -name out.txt | wc -l)" 0 "half-written files"
finish
