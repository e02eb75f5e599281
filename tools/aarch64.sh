# Cross-compiles the command for 64-bit Arm and runs `zeroplane verify` under qemu: the hashes of another instruction set.
# Arguments: jobs, then those of verify.
set -euo pipefail
jobs=$1
shift
build=$PWD/build/aarch64
sysroot=$build/sysroot

# The distribution's own libraries for that architecture, unpacked aside; the machine's packages stay as they are.
if [ ! -e "$sysroot/ready" ]; then
  aside=$build/apt
  mkdir -p "$aside/lists/partial" "$aside/archives/partial" "$sysroot"
  options=(-oAPT::Architecture=arm64 -oAPT::Architectures=arm64 -oDir::State::Lists="$aside/lists"
    -oDir::State::status=/dev/null -oDir::Cache="$aside" -oDir::Cache::Archives="$aside/archives"
    -oDebug::NoLocking=1 -oAPT::Sandbox::User=root -oAPT::Get::Download-Only=1)
  apt-get "${options[@]}" update -qq
  apt-get "${options[@]}" install -y -qq --no-install-recommends libc6-dev libstdc++-12-dev libtbb-dev libtiff-dev \
    libpng-dev libjpeg-dev libfmt-dev libxxhash-dev nlohmann-json3-dev libcli11-dev > /dev/null
  for package in "$aside"/archives/*.deb; do dpkg -x "$package" "$sysroot"; done
  touch "$sysroot/ready"
fi

cmake -S . -B "$build" -G Ninja --log-level=WARNING -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/aarch64.cmake" \
  -DZEROPLANE_SYSROOT="$sysroot" -DCMAKE_BUILD_TYPE=Release -DZEROPLANE_CUDA=OFF -DZEROPLANE_TESTS=OFF
cmake --build "$build" -j "$jobs" --target zeroplane_command
qemu-aarch64 -L "$sysroot" "$build/zeroplane" verify "$@"
