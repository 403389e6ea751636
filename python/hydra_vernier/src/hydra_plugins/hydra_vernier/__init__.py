"""Hydra's launcher and sweeper on Vernier.

Every Hydra program imports this package and its modules without an underscore when it
starts, so what takes time to import is imported where it is used.
"""
