# From a raw Bayer frame to a picture, on this machine and on the simulated Jetson: the same bits, and nothing copied.
# Usage: demo.sh [COMMAND [FOLDER]]; the command is also taken from ZEROPLANE, FOLDER (demo beside the command) keeps the files.
set -euo pipefail
zeroplane=${1:-${ZEROPLANE:?the path of the zeroplane command}}
folder=${2:-$(dirname "$zeroplane")/demo}
mkdir -p "$folder"
cd "$folder"
[ -x "$zeroplane" ] || { echo "demo: $zeroplane is no program; give its full path" >&2; exit 1; }

say() { printf '\n== %s\n' "$1"; }

say "a Bayer frame of 4112x3008 pixels, 16 bit, under uneven light; its flat and its dark"
for kind in bayer flat dark; do
  "$zeroplane" --device none synth "$kind" "$kind.tif"
done

steps=(flat_field:flat=flat.tif,dark=dark.tif,per=bayer demosaic:pattern=rggb white_balance add_hsv:saturation=0.05,value=0.05
  clahe:tiles=4x4,clip_factor=1.5,on=value resize:scale=0.25,method=area)

# Runs the steps; leaves the hash in $hash and what was explained in $2.
run() {
  local line
  line=$("$zeroplane" "${@:3}" run --explain --hash bayer.tif "$1" "${steps[@]}" 2> "$2") || {
    cat "$2" >&2
    exit 1
  }
  cat "$2"
  hash=${line%% *}
  echo "hash $hash"
}

say "on this machine"
run picture.png here.txt
here=$hash

say "on the simulated Jetson: the same command with --device simulated:unified"
run simulated.png simulated.txt --device simulated:unified --executor simulated
there=$hash

say "result"
grep -q '^memory model unified: ' simulated.txt || { echo "FAILED: the simulated device is not unified"; exit 1; }
count=$(grep -c ' staged 0 B in, 0 B out ' simulated.txt || true)
if [ "$count" != ${#steps[@]} ] || grep -q ' B staged: ' simulated.txt; then
  echo "FAILED: $count of ${#steps[@]} steps staged nothing on simulated:unified"
  exit 1
fi
if [ "$here" != "$there" ]; then
  echo "FAILED: the hashes differ: $here here, $there on simulated:unified"
  exit 1
fi
"$zeroplane" --device none compare picture.png simulated.png > /dev/null || { echo "FAILED: the pictures differ"; exit 1; }
echo "both hashes are $here; ${#steps[@]} steps on simulated:unified staged 0 bytes"
echo "the picture: $PWD/picture.png"
