# SPDX-License-Identifier: MIT
from convkit import main

main()
