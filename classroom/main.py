#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`./convkit class`: starts the package beside it."""

import sys

# An old Python must be able to read this file and print the message below: only Python 3.6 is used.
if sys.version_info < (3, 10):
    print(
        "class needs Python 3.10 or newer; this is Python " + sys.version.split()[0] + ".",
        file=sys.stderr,
    )
    sys.exit(3)

from convkit_class.cli import main

if __name__ == "__main__":
    sys.exit(main())
