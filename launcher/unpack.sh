# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Packages without root: apt resolves and downloads with separate state directories, dpkg unpacks
# into .convkit/prefix, and small wrappers in .convkit/bin run these tools.

# If unpacking was interrupted, the prefix is removed; the downloaded packages are kept.
drop_half_unpacked() {
  [[ ! -e $private/unpacking ]] || rm -rf "$private"/{prefix,bin,unpacking}
}

# The machine's apt configuration (its proxy, its sources), without the hooks that need root and
# without lists that are not used here.
write_apt_configuration() {
  mkdir -p "$private"/apt/{state/lists/partial,cache/archives/partial}
  # apt reads this file first, then the usual folders, which are empty here.
  apt-config dump | grep -vE '^(Dir|DPkg|APT::Update|Acquire::IndexTargets|Acquire::Languages|Binary|CommandLine)\b' \
    >"$private/apt/apt.conf.part" || true
  cat >>"$private/apt/apt.conf.part" <<CONFIGURATION
Dir::Etc::main "/dev/null";
Dir::Etc::parts "/dev/null";
Dir::State "$private/apt/state";
Dir::State::status "/var/lib/dpkg/status";
Dir::Cache "$private/apt/cache";
Debug::NoLocking "true";
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Retries "2";
Acquire::http::Timeout "30";
CONFIGURATION
  mv "$private/apt/apt.conf.part" "$private/apt/apt.conf"
}

private_apt() { APT_CONFIG=$private/apt/apt.conf "$@" </dev/null 2>&1; }

# unpack_packages PACKAGE...: also unpacks their dependencies that this machine does not have.
unpack_packages() {
  local package known=()
  write_apt_configuration
  rm -f "$private"/apt/cache/archives/*.deb
  {
    private_apt apt-get -q update || true
    for package in "$@"; do
      if APT_CONFIG=$private/apt/apt.conf known_to_apt "$package"; then
        known+=("$package")
      else
        borrow_from_next_release "$package" || true
      fi
    done
    ((${#known[@]} == 0)) || private_apt apt-get -q install -y --no-install-recommends --no-remove \
      --download-only "${known[@]}" || return
    unpack_downloaded || return
  } | follow "$(setup_log)" || return
  PATH=$private/bin:$PATH
}

# Ubuntu 22.04 has no toml++, but the next long-term release has. toml++ is only headers, so the newer
# package works; it is only unpacked, so the machine's installed packages stay of one release.
borrow_from_next_release() {
  local archive next=$private/apt/next
  grep -qs '^VERSION_CODENAME=jammy' /etc/os-release || return 1
  # shellcheck disable=SC2016  # apt expands $(REPO_URI)
  archive=$(private_apt apt-get indextargets --format '$(REPO_URI)' 'Codename: jammy' | awk 'NR == 1')
  [[ -n $archive ]] || return 1
  mkdir -p "$next/lists/partial"
  echo "deb $archive noble universe" >"$next/sources.list"
  set -- "$1" -o "Dir::Etc::SourceList=$next/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o "Dir::State::Lists=$next/lists"
  private_apt apt-get -q "${@:2}" update &&
    (cd -- "$private/apt/cache/archives" && private_apt apt-get -q "${@:2}" download "$1")
}

unpack_downloaded() {
  local deb
  : >"$private/unpacking"
  mkdir -p "$private/prefix"
  for deb in "$private"/apt/cache/archives/*.deb; do
    [[ -e $deb ]] || return 1
    echo "unpacking ${deb##*/}"
    dpkg -x "$deb" "$private/prefix" 2>&1 || return
  done
  mend_links
  write_wrappers
  rm -f "$private/unpacking"
}

# A link to the root, or to a library that this machine has installed, is broken in the prefix.
mend_links() {
  local link target candidate
  while IFS= read -r link; do
    target=$(readlink "$link")
    for candidate in "$private/prefix$target" {/usr,}/lib/"$(library_folder)/${target##*/}"; do
      if [[ $candidate != "$private/prefix" && -e $candidate ]]; then
        ln -sfn "$candidate" "$link"
        break
      fi
    done
  done < <(find "$private/prefix" -xtype l)
}

# The folder of this machine's libraries: x86_64-linux-gnu, for example.
library_folder() { dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || echo "$(uname -m)-linux-gnu"; }

# A wrapper tells a tool of the prefix where its libraries and modules are: nothing else on this
# machine sees these variables. BLAS and LAPACK are one folder deeper (Debian chooses one by links
# that only an installation makes).
write_wrappers() {
  local tool path target libraries folder=$private/prefix/usr/lib
  libraries=$folder/$(library_folder)
  libraries=$libraries:$libraries/blas:$libraries/lapack:$private/prefix/lib/$(library_folder)
  mkdir -p "$private/bin"
  for tool in cmake ctest ninja bwrap python3 zip unzip xz clang-format shellcheck; do
    path=$private/prefix/usr/bin/$tool
    if [[ $tool == python3 && ! -e $path && -d $folder/python3/dist-packages ]]; then
      path=$(PATH=/usr/bin:/bin command -v python3) || continue # the machine's Python, our NumPy
    fi
    [[ -e $path ]] || continue
    target=$private/bin/$tool
    cat >"$target.part" <<WRAPPER
#!/bin/sh
export LD_LIBRARY_PATH="$libraries\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
export PYTHONPATH="$folder/python3/dist-packages\${PYTHONPATH:+:\$PYTHONPATH}"
exec "$path" "\$@"
WRAPPER
    chmod +x "$target.part" && mv "$target.part" "$target"
  done
}
