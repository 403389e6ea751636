"""Samplers of other libraries in Optuna, which are the engine here."""

from ..samplers import _NamedEngine


class BoTorchSampler(_NamedEngine):
    """The engine of this package."""

    _settings = ("candidates_func", "n_startup_trials", "consider_running_trials",
                 "independent_sampler", "device")


class PyCmaSampler(_NamedEngine):
    """The engine of this package."""

    _settings = ("x0", "sigma0", "cma_stds", "cma_opts", "n_startup_trials",
                 "independent_sampler", "warn_independent_sampling")
