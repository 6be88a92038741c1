#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Gradescope runs this once, as root, when it builds the image of the autograder. Everything comes out
# of the zip but the compiler, which is the distribution's.
set -euo pipefail
autograder=${CONVKIT_AUTOGRADER:-/autograder} # the kit's own tests name another folder
kit=$autograder/convkit

if ! command -v g++ >/dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -qqy --no-install-recommends g++
fi

rm -rf "$kit"
tar -xzf "$autograder/source/convkit.tar.gz" -C "$autograder"
chmod -R a+rX "$kit"
# Submissions run as a user of their own, who must not read hidden cases.
chmod 700 "$autograder/source"
mkdir -p "$autograder/cache"

if ! "$kit/convkit" --version; then
  echo "setup.sh: convkit does not start on this image. It was packed on @SYSTEM@; choose Ubuntu 22.04 or later as the base image, and pack with a package of the kit (docs/platforms.md)." >&2
  exit 1
fi
# What submissions can do in this image. It may be more than where they are graded.
"$kit/convkit" doctor || true
