# Case A19: the command needs no driver library to start, works on the CPU without one, and says so when a GPU is forced.
. "$(dirname "$0")/checks.bash"
if command -v readelf > /dev/null; then
  readelf -d "$ZEROPLANE" | grep -q 'libcuda\.so' && fail "the command needs libcuda"
  readelf -d "$ZEROPLANE" | grep -q 'NEEDED' || fail "readelf shows nothing"
fi
unset ZEROPLANE_DEVICE
"$ZEROPLANE" synth ramp in.tif --width 200 --height 100 || fail "synth"
CUDA_VISIBLE_DEVICES= expect 0 'memory model +no_device' info
CUDA_VISIBLE_DEVICES= expect 0 '' run in.tif out.png invert box:radius=2
CUDA_VISIBLE_DEVICES= expect 1 'no driver|no device|built without CUDA|stub library|older' --device cuda run in.tif forced.png invert
is "$(grep -c . err.txt)" 1 "lines of the message"
absent forced.png
finish
