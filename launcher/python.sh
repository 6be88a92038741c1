# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# The Python that makes reference data: the one that the user names, otherwise the first with NumPy.

named_python=${CONVKIT_PYTHON-} # by the user; choose_python sets the variable itself later

pythons() {
  if [[ -n $named_python ]]; then
    echo "$named_python"
  else
    printf '%s\n' python3 /usr/bin/python3 # python3 may be a version manager's, without NumPy
  fi
}

some_python_imports() {
  local python
  while read -r python; do
    ! "$python" -c "import $1" >/dev/null 2>&1 || return 0
  done < <(pythons)
  return 1
}

# tomllib is part of Python 3.11; for an older Python, the package tomli is the same.
has_toml_module() {
  if some_python_imports sys; then
    some_python_imports tomllib || some_python_imports tomli
  else # no Python yet: of the supported releases, only Ubuntu 22.04 has an older one
    ! grep -qs '^VERSION_ID="22.04"' /etc/os-release
  fi
}

# choose_python MODULE...: exports CONVKIT_PYTHON, as a full path, for the program. False if no Python
# has all modules.
choose_python() {
  local python module path
  while read -r python; do
    path=$(command -v "$python") || continue
    for module in "$@"; do
      "$path" -c "import $module" >/dev/null 2>&1 || continue 2
    done
    "$path" -c 'import tomllib' >/dev/null 2>&1 || "$path" -c 'import tomli' >/dev/null 2>&1 || continue
    export CONVKIT_PYTHON=$path
    return 0
  done < <(pythons)
  return 1
}
