"""Whole files on a disk, verified."""
