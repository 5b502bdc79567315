#!/usr/bin/env bash
# Installs what a bare machine needs to build, test and run Ingot. Does nothing, quickly, where all is there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

install_debian() {
  local wanted missing=() package installed
  wanted=$(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' packaging/apt.txt | tr -d '[:blank:]')
  # Multi-arch packages may be listed once for each architecture; one that is installed is enough.
  # shellcheck disable=SC2086
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $wanted 2>/dev/null || true)
  for package in $wanted; do
    grep -qx "installed $package" <<<"$installed" || missing+=("$package")
  done
  [[ ${#missing[@]} -eq 0 ]] && return
  echo "bootstrap: installing ${missing[*]}" >&2
  local as_root=()
  if [[ $(id -u) -ne 0 ]]; then
    command -v sudo >/dev/null || { echo "bootstrap: not root and no sudo; install by hand: ${missing[*]}" >&2; exit 1; }
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
}

case "$(uname -s)" in
  Linux)
    if ! command -v apt-get >/dev/null; then
      echo "bootstrap: this script knows Debian's apt only; packaging/apt.txt names what is needed" >&2
      exit 1
    fi
    install_debian
    ;;
  Darwin)
    echo "bootstrap: builds on macOS have never been run; what is needed is in packaging/Brewfile" >&2
    command -v brew >/dev/null || { echo "bootstrap: needs Homebrew, and Xcode 16 or newer" >&2; exit 1; }
    brew bundle check --file packaging/Brewfile >/dev/null 2>&1 || brew bundle --file packaging/Brewfile
    ;;
  *)
    echo "bootstrap: $(uname -s) is not supported" >&2
    exit 1
    ;;
esac
