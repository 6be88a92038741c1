# SPDX-License-Identifier: MIT
"""Results as HTML pages that stand alone: no network, no other files, no framework."""
