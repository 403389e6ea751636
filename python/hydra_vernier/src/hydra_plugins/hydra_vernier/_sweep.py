"""One sweep: ask for trials, launch them as jobs, tell what they returned."""

import logging
import queue
import threading
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Sequence

import vernier_hpo as vn
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.utils import JobReturn, JobStatus
from hydra.errors import HydraException
from hydra.plugins.launcher import Launcher
from hydra.plugins.sweeper import Sweeper
from hydra.types import HydraContext
from omegaconf import DictConfig, OmegaConf
from vernier_hpo._optimize import clients_that_died

from ._job_config import name_from
from ._space import Swept, split
from .config import VernierSweeperConf
from .launcher import VernierLauncher

_log = logging.getLogger(__name__)

RESULTS = "optimization_results.yaml"


class Sweep:
    """Runs once. Job N of the multirun is trial N + 1 of the study, in all calls."""

    def __init__(self, sweeper: Sweeper, settings: VernierSweeperConf, config: DictConfig,
                 context: HydraContext, launcher: Launcher) -> None:
        self._sweeper = sweeper
        self._settings = settings
        self._config = config
        self._context = context
        self._launcher = launcher
        self._fixed: List[str] = []
        self._swept: Dict[str, Swept] = {}
        self._failures = 0

    def run(self, arguments: List[str]) -> List[Sequence[JobReturn]]:
        """Runs the trials that the study still lacks, and writes its best ones."""
        given = [f"{name}={value}" for name, value in self._settings.params.items()]
        parser = OverridesParser.create(config_loader=self._context.config_loader)
        self._fixed, self._swept = split(parser.parse_overrides([*given, *arguments]))
        if not self._swept:
            raise HydraException(
                "nothing is searched: give a sweep such as 'lr=interval(0, 1)' or "
                "'optimizer=sgd,adam', on the command line or in hydra.sweeper.params")
        folder = Path(str(self._config.hydra.sweep.dir))
        folder.mkdir(parents=True, exist_ok=True)
        OmegaConf.save(self._config, folder / "multirun.yaml")
        study = self._study()
        if isinstance(self._launcher, VernierLauncher):
            if self._launcher.settings.name is None and self._settings.study_name:
                self._launcher.settings.name = name_from(f"{study.name}_jobs")
            returns = self._one_by_one(study)
        else:
            returns = self._in_batches(study)
        self._write_results(study, folder)
        return returns

    def _study(self) -> vn.Study:
        settings = self._settings
        goals: Dict[str, Any] = {}
        if settings.metrics:
            goals["metrics"] = dict(settings.metrics)
        elif isinstance(settings.direction, str):
            goals.update(goal=settings.direction, metric=settings.metric)
        else:
            goals["directions"] = list(settings.direction)
            if len(settings.direction) == 1:
                goals["metric"] = settings.metric
        study = vn.create_study(
            {name: each.parameter for name, each in self._swept.items()},
            name=settings.study_name, seed=settings.seed, algorithm=settings.algorithm,
            early_stopping=False, constraints=list(settings.constraints),
            load_if_exists=settings.study_name is not None, endpoint=settings.endpoint,
            storage=settings.storage, project=settings.project, **goals)
        _log.info("Study %s: %d parameters, %s", study.name, len(self._swept),
                  study.metrics)
        return study

    def _asked(self, study: vn.Study) -> Iterator[vn.Trial]:
        """The trials to run: first those that a killed call of this sweep left open."""
        ended = sum(each.state.is_finished() for each in study.trials)
        if ended:
            _log.info("The study has %d trials that have ended", ended)
        left = clients_that_died(study)
        for at in range(self._settings.n_trials - ended):
            try:
                yield (study._ask_as(left[at], lambda client: None) if at < len(left)
                       else study.ask())
            except vn.SpaceUsedUpError as error:
                _log.info("%s", error)
                return

    # With a launcher of Hydra's or another plugin's: batches of n_jobs.

    def _in_batches(self, study: vn.Study) -> List[Sequence[JobReturn]]:
        returns: List[Sequence[JobReturn]] = []
        asked = self._asked(study)
        while True:
            # A launcher numbers the jobs of a batch from its first one's.
            batch = sorted((each for _, each in zip(range(self._settings.n_jobs), asked)),
                           key=lambda trial: trial.number)
            if not batch:
                return returns
            for trials in _consecutive(batch):
                results = self._launch(trials)
                returns.append(results)
                for trial, result in zip(trials, results):
                    self._tell(study, trial, result)

    def _launch(self, trials: List[vn.Trial]) -> Sequence[JobReturn]:
        overrides = [self._overrides(each) for each in trials]
        self._sweeper.validate_batch_is_legal(overrides)
        return self._launcher.launch(overrides, initial_job_idx=trials[0].number - 1)

    def _overrides(self, trial: vn.Trial) -> List[str]:
        return [*self._fixed, *(self._swept[name].override(value)
                                for name, value in trial.params.items())]

    # With ours: n_jobs at a time, and the next as soon as one has ended.

    def _one_by_one(self, study: vn.Study) -> List[Sequence[JobReturn]]:
        returns: List[Sequence[JobReturn]] = []
        ended: "queue.Queue[Any]" = queue.Queue()
        asked = self._asked(study)
        running = 0
        while True:
            while running < self._settings.n_jobs:
                trial = next(asked, None)
                if trial is None:
                    break
                overrides = self._overrides(trial)
                self._sweeper.validate_batch_is_legal([overrides])
                # Ctrl-C ends this program; the jobs go on without it.
                threading.Thread(target=self._run_one, args=(trial, overrides, ended),
                                 daemon=True).start()
                running += 1
            if not running:
                return returns
            trial, results = ended.get()
            running -= 1
            if isinstance(results, BaseException):
                raise results
            returns.append(results)
            self._tell(study, trial, results[0])

    def _run_one(self, trial: vn.Trial, overrides: List[str],
                 ended: "queue.Queue[Any]") -> None:
        try:
            ended.put((trial, self._launcher.launch([overrides], trial.number - 1)))
        except BaseException as error:
            ended.put((trial, error))

    def _tell(self, study: vn.Study, trial: vn.Trial, result: JobReturn) -> None:
        if result.status != JobStatus.COMPLETED:
            study.tell(trial, state="infeasible", reason=str(result._return_value))
            self._failures += 1
            if self._failures > self._settings.max_failure_rate * self._settings.n_trials:
                _log.error("%d of %d trials failed", self._failures, self._settings.n_trials)
                _ = result.return_value  # Raises the job's exception.
            return
        value = result.return_value
        if value is None:
            value = self._reported(study, trial)
        try:
            study.tell(trial, value)
        except ValueError as error:
            reason = f"job #{trial.number - 1} returned {value!r}: {error}"
            study.tell(trial, state="infeasible", reason=reason)
            raise HydraException(reason) from error

    def _reported(self, study: vn.Study, trial: vn.Trial) -> Any:
        """What a job that returned nothing has reported by vn.report; or None."""
        if not isinstance(self._launcher, VernierLauncher):
            return None
        reported: Mapping[str, float] = self._launcher.reported.get(trial.number - 1, {})
        return dict(reported) if all(name in reported for name in study.metrics) else None

    def _write_results(self, study: vn.Study, folder: Path) -> None:
        """The file that Hydra's Optuna sweeper writes."""
        results: Dict[str, Any] = {"name": "vernier"}
        if len(study.metrics) > 1:
            results["solutions"] = [
                {"params": self._plain(each), "values": each.values}
                for each in study.best_trials]
        else:
            try:
                best = study.best_trial
            except vn.NotFoundError as error:
                _log.warning("%s", error)
                return
            results.update(best_params=self._plain(best), best_value=best.value)
        OmegaConf.save(OmegaConf.create(results), folder / RESULTS)
        _log.info("Best parameters: %s", results.get("best_params", results.get("solutions")))
        _log.info("Best value: %s", results.get("best_value", "see above"))

    def _plain(self, trial: vn.FrozenTrial) -> Dict[str, Any]:
        return {name: self._swept[name].plain(value)
                for name, value in trial.params.items()}


def _consecutive(trials: List[vn.Trial]) -> Iterator[List[vn.Trial]]:
    """Runs of trials whose numbers follow one another."""
    start = 0
    for at in range(1, len(trials) + 1):
        if at == len(trials) or trials[at].number != trials[at - 1].number + 1:
            yield trials[start:at]
            start = at
