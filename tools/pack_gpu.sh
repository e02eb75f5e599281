# Packs dist/gpu: the command and the test programs with the libraries they need, for a machine with only a driver.
# Usage: pack_gpu.sh JOBS. ZEROPLANE_CUDA_ARCHITECTURES as for CMake.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
jobs=${1:-$(nproc)}
build=build/gpu
pack=dist/gpu
limit=$((60 * 1024 * 1024))

# One shared library, since the kernels are the bulk and every test program would hold them again.
cmake --preset gpu --log-level=WARNING ${ZEROPLANE_CUDA_ARCHITECTURES:+"-DZEROPLANE_CUDA_ARCHITECTURES=$ZEROPLANE_CUDA_ARCHITECTURES"}
cmake --build --preset gpu -j "$jobs"

rm -rf "$pack"
mkdir -p "$pack/bin" "$pack/lib" "$pack/lib/compiler" "$pack/tests" "$pack/docs"
[ ! -x $build/zeroplane ] || cp $build/zeroplane "$pack/bin/"
python3 tools/list_tests.py $build > "$pack/tests.txt"
awk -F'\t' '$2 !~ /^(bash|python)/ {print $2}' "$pack/tests.txt" | sort -u |
  while read -r program; do cp "$build/tests/$program" "$pack/bin/"; done
for folder in golden data cli; do
  [ ! -d tests/$folder ] || cp -r tests/$folder "$pack/tests/"
done
[ ! -f docs/operations.md ] || cp docs/operations.md "$pack/docs/"

# glibc belongs to the machine; libstdc++ and libgcc lie aside for a machine whose own are older.
ldd "$pack"/bin/* | awk '/=> \// {print $3}' | sort -u | while read -r library; do
  case ${library##*/} in
    libc.so* | libm.so* | libpthread.so* | libdl.so* | librt.so* | ld-linux* | libresolv.so*) ;;
    libstdc++.so* | libgcc_s.so*) cp -L "$library" "$pack/lib/compiler/" ;;
    *) cp -L "$library" "$pack/lib/" ;;
  esac
done
if ldd "$pack"/bin/* | grep 'not found'; then
  echo "pack: a library is missing" >&2
  exit 1
fi
strip --strip-unneeded "$pack"/bin/* "$pack"/lib/*.so* "$pack"/lib/compiler/*.so*
cp tools/run_pack.sh "$pack/run"
chmod +x "$pack/run"

needs=$(objdump -T "$pack"/bin/* "$pack"/lib/*.so* 2>/dev/null | grep -o 'GLIBC_2\.[0-9]*' | sort -Vu | tail -n 1)
bytes=$(du -sb "$pack" | cut -f1)
echo "packed $pack: $(find "$pack/bin" -type f | wc -l) programs, $((bytes / 1024)) KiB, needs $needs"
if [ "$bytes" -gt "$limit" ]; then
  echo "pack: larger than $((limit / 1024 / 1024)) MiB; largest files:" >&2
  find "$pack" -type f -printf '%s %p\n' | sort -rn | head -n 5 >&2
  exit 1
fi
