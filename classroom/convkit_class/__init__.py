# SPDX-License-Identifier: MIT
"""A class: who handed in what, what `convkit grade` says of it, and what that counts."""
