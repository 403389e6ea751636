"""Those who choose configurations and stop trainings, behind one interface.

ask(left) -> (id, parameters), with the part of the budget that is left;
report(id, step, value) -> whether to stop; tell(id, value, seconds) ends a whole
training, and stopped(id) one that was cut short.
"""
import json
import subprocess


class Vernier:
    """`vernier suggest`, told everything; the rule None is no stopping.

    Time is nothing to it, or it looks for gain per second, by "cost" to the end
    and by "budget" as what is left of the budget says.
    """

    def __init__(self, problem, seed, command, rule, time=None):
        self._rule = rule
        self._time = time
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        request = {
            "op": "create",
            "seed": seed,
            "hyperparameters": {
                "goal": "MINIMIZE",
                "maxTrials": 10000,
                "params": [p.spec() for p in problem.parameters],
            },
        }
        if rule:
            request["earlyStopping"] = rule
        if time == "cost":
            request["objective"] = {"perCost": True}
        self._call(request)

    def _call(self, request):
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if "error" in answer:
            raise RuntimeError(f"{request}: {answer}")
        return answer

    def ask(self, left):
        request = {"op": "ask"}
        if self._time == "budget":
            request["budgetLeft"] = left
        trial = self._call(request)["trials"][0]
        return trial["id"], trial["parameters"]

    def report(self, trial, step, value):
        if not self._rule:
            return False
        request = {"op": "report", "id": trial, "step": step, "value": value}
        return self._call(request)["stop"]

    def tell(self, trial, value, seconds):
        request = {"op": "tell", "id": trial, "value": value, "duration": seconds}
        self._call(request)

    def stopped(self, trial):
        self._call({"op": "tell", "id": trial})

    def close(self):
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


class Told(Vernier):
    """Vernier that is told how each training that was cut short would have ended.

    With `by_oracle` it is also known after a tenth of a training whether it
    ends better than the best so far. Both are bounds of what a rule can gain.
    """

    def __init__(self, problem, seed, command, by_oracle):
        super().__init__(problem, seed, command, "AUTO")
        self._problem = problem
        self._by_oracle = by_oracle
        self._curves = {}
        self._last = {}
        self._best = None

    def ask(self, left):
        trial, values = super().ask(left)
        self._curves[trial] = [float(v) for v in self._problem.curve(values)]
        return trial, values

    def report(self, trial, step, value):
        stop = super().report(trial, step, value)
        self._last[trial] = step
        if not self._by_oracle:
            return stop
        is_known = self._best is not None and step >= self._problem.epochs / 10
        return is_known and self._curves[trial][-1] > self._best

    def tell(self, trial, value, seconds):
        self._best = value if self._best is None else min(value, self._best)
        super().tell(trial, value, seconds)

    def stopped(self, trial):
        curve = self._curves[trial]
        for step in range(self._last[trial] + 1, len(curve) + 1):
            super().report(trial, step, curve[step - 1])
        super().tell(trial, curve[-1], float(len(curve)))


class Crude(Vernier):
    """Vernier's search with a rule of one line: at two tenths of a training, or
    at each epoch from there on, behind the best whole training so far: stop.
    """

    def __init__(self, problem, seed, command, is_once):
        super().__init__(problem, seed, command, "AUTO")
        self._at = max(1, round(problem.epochs / 5))
        self._is_once = is_once
        self._best = None
        self._curves = {}

    def report(self, trial, step, value):
        super().report(trial, step, value)
        curve = self._curves.setdefault(trial, [])
        curve.append(value)
        if self._best is None or step < self._at or (self._is_once and step > self._at):
            return False
        return value > self._best[step - 1]

    def tell(self, trial, value, seconds):
        if self._best is None or value < self._best[-1]:
            self._best = self._curves[trial]
        super().tell(trial, value, seconds)


class Optuna:
    """Optuna's default sampler with a pruner."""

    def __init__(self, problem, seed, pruner):
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        pruners = {
            "none": optuna.pruners.NopPruner,
            "median": optuna.pruners.MedianPruner,
            "hyperband": lambda: optuna.pruners.HyperbandPruner(
                min_resource=1, max_resource=problem.epochs, reduction_factor=3
            ),
            "sha": optuna.pruners.SuccessiveHalvingPruner,
        }
        self._optuna = optuna
        self._problem = problem
        self._study = optuna.create_study(
            sampler=optuna.samplers.TPESampler(seed=seed), pruner=pruners[pruner]()
        )
        self._trials = {}

    def ask(self, left):
        trial = self._study.ask()
        values = {}
        for p in self._problem.parameters:
            if p.categories:
                values[p.name] = trial.suggest_categorical(p.name, p.categories)
            elif p.is_whole:
                values[p.name] = trial.suggest_int(
                    p.name, int(p.low), int(p.high), log=p.is_log
                )
            else:
                values[p.name] = trial.suggest_float(
                    p.name, p.low, p.high, log=p.is_log
                )
        self._trials[trial.number] = trial
        return trial.number, values

    def report(self, number, step, value):
        self._trials[number].report(value, step)
        return self._trials[number].should_prune()

    def tell(self, number, value, seconds):
        self._study.tell(self._trials[number], value)

    def stopped(self, number):
        self._study.tell(
            self._trials[number], state=self._optuna.trial.TrialState.PRUNED
        )

    def close(self):
        pass


class SyneTune:
    """A scheduler of Syne Tune without its tuner: it is told what it would be."""

    def __init__(self, problem, seed, name):
        import logging

        logging.disable(logging.WARNING)
        from syne_tune.backend.trial_status import Trial
        from syne_tune.config_space import choice, loguniform, lograndint, randint, uniform
        from syne_tune.optimizer import baselines

        space = {}
        for p in problem.parameters:
            if p.categories:
                space[p.name] = choice(list(p.categories))
            elif p.is_whole:
                make = lograndint if p.is_log else randint
                space[p.name] = make(int(p.low), int(p.high))
            else:
                make = loguniform if p.is_log else uniform
                space[p.name] = make(p.low, p.high)
        options = dict(
            metric="value",
            mode="min",
            resource_attr="epoch",
            max_t=problem.epochs,
            grace_period=1,
            reduction_factor=3,
            random_seed=seed,
        )
        makers = {
            "hyper-tune": lambda: baselines.HyperTune(space, type="stopping", brackets=4, **options),
            "mobster": lambda: baselines.MOBSTER(space, type="stopping", **options),
            "asha": lambda: baselines.ASHA(space, type="stopping", **options),
        }
        self._Trial = Trial
        self._space = space
        self._scheduler = makers[name]()
        self._next = 0
        self._trials = {}
        self._last = {}

    def ask(self, left):
        import datetime

        suggestion = self._scheduler.suggest(self._next)
        config = suggestion.config
        trial = self._Trial(self._next, config, datetime.datetime.now())
        self._trials[self._next] = trial
        self._scheduler.on_trial_add(trial)
        self._next += 1
        return trial.trial_id, {k: config[k] for k in self._space}

    def report(self, number, step, value):
        result = {"value": value, "epoch": step, "elapsed_time": float(step)}
        self._last[number] = result
        return self._scheduler.on_trial_result(self._trials[number], result) == "STOP"

    def tell(self, number, value, seconds):
        self._scheduler.on_trial_complete(self._trials[number], self._last[number])

    def stopped(self, number):
        self._scheduler.on_trial_remove(self._trials[number])

    def close(self):
        pass


def make_player(name, problem, seed, vernier):
    """`name`: kind:rule/time, of which Vernier alone has a time."""
    name, _, time = name.partition("/")
    if time and (not name.startswith("vernier") or time not in ("cost", "budget")):
        raise ValueError(f"unknown player: {name}/{time}")
    kind, _, rest = name.partition(":")
    if kind == "told":
        return Told(problem, seed, vernier, rest == "oracle")
    if kind == "crude":
        return Crude(problem, seed, vernier, rest == "once")
    if kind == "vernier":
        rule = rest.upper().replace("-", "_") or None
        return Vernier(problem, seed, vernier, rule, time or None)
    if kind == "optuna":
        return Optuna(problem, seed, rest)
    if kind == "syne-tune":
        return SyneTune(problem, seed, rest)
    raise ValueError(f"unknown player: {name}")
