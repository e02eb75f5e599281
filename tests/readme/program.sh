# Runs the README's program (first argument) and expects the picture that the command makes with the same steps.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export ZEROPLANE_DEVICE=none
"$ZEROPLANE" synth fluorescence frame.tif --width 400 --height 300
"$1"
"$ZEROPLANE" run frame.tif expected.tif clahe:clip_factor=2 resize:scale=0.25
"$ZEROPLANE" compare small.tif expected.tif
