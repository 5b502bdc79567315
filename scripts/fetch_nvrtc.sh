#!/usr/bin/env bash
# For compiling the CUDA text of the kernels where there is no CUDA toolkit: fetches NVRTC (packaging/nvrtc.lock) into
# .cache/nvrtc and prints its path. Prints nothing where a toolkit has it, or where there is no such package; then it says
# on standard error what is skipped.
#   scripts/fetch_nvrtc.sh [--always]   --always: even where a toolkit has it
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

locked() { awk -v key="$1" -v field="$2" '$1 == key { print $field }' packaging/nvrtc.lock; }
toolkit_has_it() {
  compgen -G "/usr/local/cuda*/lib64/libnvrtc.so*" >/dev/null || ldconfig -p 2>/dev/null | grep -q 'libnvrtc\.so'
}

[[ ${1:-} != --always ]] && toolkit_has_it && exit
wheel=$(locked "$(uname -m)" 2)
if [[ $(uname -s) != Linux || -z $wheel ]]; then
  echo "fetch_nvrtc: no NVRTC for $(uname -sm) here; compiling the kernels for CUDA is skipped" >&2
  exit
fi

folder=.cache/nvrtc/$(locked requirement 2)
library=$folder/nvidia/cu13/lib/libnvrtc.so.13
if [[ ! -f $library ]]; then
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  echo "fetch_nvrtc: fetching $(locked requirement 2)" >&2
  echo "$(locked requirement 2) --hash=sha256:$(locked "$(uname -m)" 3)" >"$scratch/requirements.txt"
  {
    python3 -m venv "$scratch/venv"
    "$scratch/venv/bin/pip" --disable-pip-version-check download --quiet --no-deps --no-cache-dir --require-hashes \
      --only-binary :all: --dest "$scratch" --requirement "$scratch/requirements.txt"
    python3 -m zipfile -e "$scratch/$wheel" "$scratch/unpacked"
  } >&2
  mkdir -p .cache/nvrtc
  rm -rf "$folder"
  mv "$scratch/unpacked" "$folder"
fi
echo "$PWD/$library"
