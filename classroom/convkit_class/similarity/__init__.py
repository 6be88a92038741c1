# SPDX-License-Identifier: MIT
"""What submissions of different students share beyond what all were given (docs/similarity.md)."""
