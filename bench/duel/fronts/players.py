"""Who plays on problems of several metrics and of constraints.

A player's `play(problem, trials, seed, workers)` returns the rows of values in
the order in which trials ended. Each player runs in one thread. Those of other
projects run in this process, with the Python that has them; whatever is missing
does not play, and `everyone` says so.
"""

import collections
import logging
import sys
import warnings

import optimizers
import parameter_space
from process import OptimizerProcess

ANSWER_SECONDS = 600


def _metric_names(problem):
    return [f"f{k}" for k in range(problem.metrics)]


def _constraint_names(problem):
    return [f"c{k}" for k in range(len(problem.limits))]


def _check_one_at_a_time(workers):
    if workers != 1:
        raise ValueError("it plays one trial at a time here")


class Vernier:
    """`vernier suggest`; with workers, each next point is asked for while the
    others' are pending.
    """

    def __init__(self, binary, algorithm=None):
        self.name = "vernier" if algorithm is None else algorithm.lower()
        self.version = "this tree"
        self._engine = optimizers.Optimizer(self.name, (binary, "suggest"))
        self._algorithm = algorithm

    def play(self, problem, trials, seed, workers=1):
        names = _metric_names(problem) + _constraint_names(problem)
        limits = dict(zip(_constraint_names(problem), problem.limits))
        rows = []
        with OptimizerProcess(self._engine, ANSWER_SECONDS) as process:
            process.create(problem.space, seed, trials, workers, self._algorithm,
                           _metric_names(problem), limits)
            pending = collections.deque()
            for asked in range(trials):
                pending.extend(process.ask(1)[0])
                while pending and (len(pending) >= workers or asked == trials - 1):
                    number, point = pending.popleft()
                    rows.append(problem(point))
                    process.tell(number, dict(zip(names, rows[-1].tolist())))
        return rows


class Optuna:
    """A sampler of Optuna, which knows the limits as its users write them."""

    def __init__(self, optuna, name, sampler):
        self.name = name
        self.version = f"optuna {optuna.__version__}"
        self._optuna = optuna
        self._sampler = sampler

    def play(self, problem, trials, seed, workers=1):
        _check_one_at_a_time(workers)
        options = {"seed": seed}
        if problem.limits:
            options["constraints_func"] = lambda trial: trial.user_attrs["over"]
        study = self._optuna.create_study(directions=["minimize"] * problem.metrics,
                                          sampler=self._sampler(**options))
        rows = []

        def objective(trial):
            row = problem({each.name: _suggested(trial, each) for each in problem.space})
            rows.append(row)
            over = row[problem.metrics:] - problem.limits
            trial.set_user_attr("over", over.tolist())
            return tuple(row[:problem.metrics].tolist())

        study.optimize(objective, n_trials=trials)
        return rows


def _suggested(trial, each):
    if each.kind == parameter_space.CATEGORICAL:
        return trial.suggest_categorical(each.name, list(each.values))
    if each.kind == parameter_space.INTEGER:
        return trial.suggest_int(each.name, each.low, each.high, log=each.log)
    return trial.suggest_float(each.name, each.low, each.high, log=each.log)


class Ax:
    """Ax with the strategy that it chooses."""

    name = "ax"

    def __init__(self, ax, client, configs):
        self.version = f"ax {ax.__version__}"
        self._client = client
        self._configs = configs

    def play(self, problem, trials, seed, workers=1):
        _check_one_at_a_time(workers)
        client = self._client(random_seed=seed)
        client.configure_experiment(parameters=[self._config(e) for e in problem.space])
        metrics, constraints = _metric_names(problem), _constraint_names(problem)
        client.configure_optimization(
            objective=", ".join("-" + name for name in metrics),
            outcome_constraints=[f"{name} <= {limit}"
                                 for name, limit in zip(constraints, problem.limits)])
        rows = []
        for _ in range(trials):
            [(index, point)] = client.get_next_trials(max_trials=1).items()
            rows.append(problem(point))
            client.complete_trial(index, raw_data=dict(
                zip(metrics + constraints, rows[-1].tolist())))
        return rows

    def _config(self, each):
        if each.kind == parameter_space.CATEGORICAL:
            return self._configs.ChoiceParameterConfig(
                name=each.name, values=list(each.values), parameter_type="str",
                is_ordered=False)
        is_integer = each.kind == parameter_space.INTEGER
        return self._configs.RangeParameterConfig(
            name=each.name, bounds=(each.low, each.high),
            parameter_type="int" if is_integer else "float",
            scaling="log" if each.log else "linear")


def everyone(binary):
    """All players that can play here, by name."""
    logging.disable(logging.CRITICAL)
    warnings.filterwarnings("ignore")
    found = [Vernier(binary), Vernier(binary, "QUASI_RANDOM_SEARCH"),
             *_optuna_players(), *_ax_players()]
    return {each.name: each for each in found}


def _optuna_players():
    try:
        import optuna
    except ImportError:
        print("optuna is not installed: its samplers do not play", file=sys.stderr)
        return []
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    samplers = optuna.samplers
    players = [Optuna(optuna, "optuna-tpe", samplers.TPESampler),
               Optuna(optuna, "optuna-nsga2", samplers.NSGAIISampler)]
    try:
        import torch
    except ImportError:
        print("torch is not installed: optuna-gp does not play", file=sys.stderr)
        return players
    torch.set_num_threads(1)
    return [*players, Optuna(optuna, "optuna-gp", samplers.GPSampler)]


def _ax_players():
    try:
        import ax
        import ax.api.configs
        from ax.api.client import Client
    except ImportError as error:
        print(f"ax does not play: {error}", file=sys.stderr)
        return []
    return [Ax(ax, Client, ax.api.configs)]
