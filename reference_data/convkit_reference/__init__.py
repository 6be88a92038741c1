# SPDX-License-Identifier: MIT
"""Reference cases for the stages: specs in, inputs and float64 results with error bounds out.

The way of a case: spec.py reads and checks the TOML, draw.py settles its seed and sizes,
distributions.py fills the inputs, ops/ computes the results, case_file.py collects the tensors,
npz.py and manifest.py write them, check.py proves that what is committed can be made again.
"""
