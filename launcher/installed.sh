#!/bin/sh
# SPDX-License-Identifier: MIT
# /usr/bin/convkit of the Debian package: work goes to the current folder, whoever runs it.
CONVKIT_WORK=${CONVKIT_WORK:-$PWD/work}
export CONVKIT_WORK CONVKIT_COMMAND=convkit
here=$(dirname -- "$(readlink -f -- "$0")")
exec "$here/../lib/convkit/convkit" "$@"
