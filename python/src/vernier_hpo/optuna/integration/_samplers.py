"""Samplers of other libraries, in whose place the engine of this package searches."""

from ..samplers import _NamedEngine


class BoTorchSampler(_NamedEngine):
    """The engine of this package."""

    _settings = ("candidates_func", "n_startup_trials", "consider_running_trials",
                 "independent_sampler", "device")


class PyCmaSampler(_NamedEngine):
    """The engine of this package."""

    _settings = ("x0", "sigma0", "cma_stds", "n_startup_trials", "cma_opts",
                 "independent_sampler", "warn_independent_sampling")


class SkoptSampler(_NamedEngine):
    """The engine of this package."""

    _settings = ("independent_sampler", "warn_independent_sampling", "skopt_kwargs",
                 "n_startup_trials", "consider_pruned_trials")
