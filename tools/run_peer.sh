# Runs a peer test with the Python of .venv; without the peers' packages it is skipped (exit 77) with the reason.
set -euo pipefail
python="${ZEROPLANE_SOURCE:-.}/.venv/bin/python"
if ! [ -x "$python" ] || ! "$python" -c 'import cv2, numpy, scipy, skimage, tifffile' 2>/dev/null; then
  echo "skipped: no Python environment with numpy, scipy, opencv, scikit-image and tifffile (./dev setup makes one)"
  exit 77
fi
exec "$python" "$@"
