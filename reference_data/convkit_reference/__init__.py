# SPDX-License-Identifier: MIT
"""Makes reference cases for the stages: from specs to inputs and float64 results with error bounds.

How a case is made: stages.py finds a stage's spec and its operations, spec.py reads and checks the
TOML, draw.py settles seeds and sizes, distributions.py fills the inputs, the operations compute the
results, made_case.py collects the tensors, npz.py and manifest.py write them, check.py proves that
what is committed can be made again. ops/ is the library that stages make their operations from.
"""
