#!/usr/bin/env bash
# Sets up, builds and tests: all stages, one after another, or those named (./test.sh release tsan).
#   format   clang-format over all sources
#   release  optimised build and all tests, the strict check of the Metal kernels among them
#   install  cmake --install, then examples/hello built against what was installed
#   dev      all layers but the whole program under the address and undefined-behaviour sanitizers
#   tsan     the thread pool, tensors, drivers and the simulator under the thread sanitizer
#   aarch64  the layers without libraries, by cross compiler, tests under qemu
#   fuzz     every fuzzer for INGOT_FUZZ_SECONDS (20), starting from tests/corpus
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")" || exit

all_stages=(format release install dev tsan aarch64 fuzz)
stages=("$@")
[[ ${#stages[@]} -eq 0 ]] && stages=("${all_stages[@]}")
for stage in "${stages[@]}"; do
  if [[ ! " ${all_stages[*]} " == *" $stage "* ]]; then
    echo "test.sh: no stage '$stage'; stages: ${all_stages[*]}" >&2
    exit 2
  fi
done

configure_and_build() {  # preset, arguments of the build, then --, arguments of the configuration
  local preset=$1 build=() configuration=()
  shift
  while [[ $# -gt 0 && $1 != -- ]]; do build+=("$1") && shift; done
  [[ $# -gt 0 ]] && shift && configuration=("$@")
  cmake --preset "$preset" "${configuration[@]}" && cmake --build "build/$preset" "${build[@]}"
}

stage_release() { configure_and_build release && ctest --preset release --no-tests=error; }

stage_dev() {
  configure_and_build dev --target test_base test_msl test_device test_tensor test_io test_text test_ops &&
    ctest --preset dev --no-tests=error -R '^(base|msl|device|tensor|io|text|ops)$'
}

stage_tsan() {
  configure_and_build tsan --target test_msl test_device test_tensor -- -DINGOT_CORE_ONLY=ON &&
    ctest --preset tsan --no-tests=error -R '^(msl|device|tensor)$'
}

stage_fuzz() {
  local name found corpus=() targets=() failed=()
  for name in $(find ingot -name '*_fuzz.cc' | sort); do targets+=("$(basename "$name" .cc)"); done
  configure_and_build fuzz --target "${targets[@]}" || return
  for name in "${targets[@]}"; do
    found=build/fuzz/found/$name
    corpus=("$found")
    [[ -d tests/corpus/${name%_fuzz} ]] && corpus+=("tests/corpus/${name%_fuzz}")
    mkdir -p "$found"
    echo "fuzz: $name"
    "build/fuzz/bin/$name" -max_total_time="${INGOT_FUZZ_SECONDS:-20}" -timeout=10 -rss_limit_mb=3000 -print_final_stats=1 \
      -artifact_prefix="$found/" "${corpus[@]}" >"$found.log" 2>&1 || failed+=("$name")
    tail -n 40 "$found.log" | grep -E '^stat::number_of_executed_units|ERROR|SUMMARY|Test unit written' || true
  done
  [[ ${#failed[@]} -eq 0 ]] || { echo "fuzz: failed: ${failed[*]}; the logs are in build/fuzz/found" && return 1; }
}

stage_aarch64() { configure_and_build aarch64 && ctest --preset aarch64 --no-tests=error; }

stage_format() {
  local files
  mapfile -t files < <(git ls-files '*.h' '*.cc')
  [[ ${#files[@]} -gt 0 ]] || { echo "format: git knows no sources here" && return 1; }
  clang-format --dry-run -Werror "${files[@]}" && echo "format: ${#files[@]} files"
}

stage_install() {
  local scratch=build/install_check
  rm -rf "$scratch"
  configure_and_build release && cmake --install build/release --prefix "$scratch/prefix" >/dev/null &&
    cmake -S examples/hello -B "$scratch/hello" -G Ninja -DCMAKE_PREFIX_PATH="$PWD/$scratch/prefix" &&
    cmake --build "$scratch/hello" &&
    "$scratch/hello/hello" | tee "$scratch/output" && grep -qF '0.0900306, 0.244728, 0.665241' "$scratch/output" &&
    "$scratch/prefix/bin/ingot" --version
}

./bootstrap.sh || { echo "test.sh: bootstrap.sh failed" >&2; exit 1; }
# A cache, where there is one, that serves every clone of this repository.
command -v ccache >/dev/null && export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
# Kernels are compiled for CUDA too where NVRTC can be had; without it the tests say that they were skipped.
nvrtc=$(scripts/fetch_nvrtc.sh || true)
[[ -n $nvrtc ]] && export INGOT_NVRTC_LIBRARY=$nvrtc
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}

failed=()
for stage in "${stages[@]}"; do
  echo "==== $stage"
  SECONDS=0
  if "stage_$stage"; then
    echo "==== $stage: passed in ${SECONDS} s"
  else
    echo "==== $stage: FAILED after ${SECONDS} s"
    failed+=("$stage")
  fi
done
[[ ${#failed[@]} -eq 0 ]] || echo "failed stages: ${failed[*]}"
echo "stages: $((${#stages[@]} - ${#failed[@]})) passed, ${#failed[@]} failed"
[[ ${#failed[@]} -eq 0 ]]
