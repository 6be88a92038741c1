# SPDX-License-Identifier: MIT
"""`class grade --executor slurm`: each submission is a task of an array job (docs/cluster.md)."""
