"""Optuna's own test classes for samplers, run against this one.

SingleOnlySamplerTestCase is left out: it wants an error for several objectives, which
this sampler supports.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import optunahub
import pytest
from optuna.samplers import BaseSampler
from optuna.testing.pytest_samplers import (
    BasicSamplerTestCase,
    MultiObjectiveSamplerTestCase,
    RelativeSamplerTestCase,
)

REGISTRY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
VernierSampler = optunahub.load_local_module(
    "samplers/vernier", registry_root=os.path.abspath(REGISTRY)).VernierSampler


class TestVernierSampler(
        BasicSamplerTestCase, RelativeSamplerTestCase, MultiObjectiveSamplerTestCase):
    @pytest.fixture
    def sampler(self) -> Callable[[], BaseSampler]:
        return VernierSampler
