"""What every callback must do, whatever the library."""

from package import ServiceCase
import vernier_hpo as vn
import vernier_hpo.optuna as optuna
from vernier_hpo import TrialState


class CallbackCase(ServiceCase):
    """Subclasses train with one callback; `MONITOR` is a metric of theirs."""

    STEPS = 6
    MONITOR = ""

    def train(self, callback, is_bad):
        """Trains STEPS steps; a bad training has a large and constant metric."""
        raise NotImplementedError

    def callback(self, trial, monitor=None):
        """The library's callback."""
        raise NotImplementedError

    def run_callback_cases(self):
        # A rule that judges by what other trials had, and by no model of curves.
        study = vn.create_study({"x": vn.Float(0, 1)}, early_stopping="MEDIAN")

        def objective(trial):
            self.train(self.callback(trial), is_bad=trial.number > 6)
            return min(trial.study.get_trial(trial.number).intermediate_values.values())

        study.optimize(objective, n_trials=7)
        trials = study.trials
        self.assertEqual([each.state for each in trials],
                         [TrialState.COMPLETED] * 6 + [TrialState.STOPPED])
        self.assertEqual(list(trials[0].intermediate_values),
                         list(range(1, self.STEPS + 1)))
        self.assertLess(len(trials[6].intermediate_values), self.STEPS)
        with self.assertRaisesRegex(ValueError, "has no metric '(eval_)?nothing.*'; it has"):
            self.train(self.callback(study.ask(), "nothing-there"), is_bad=False)
        # Without a trial, and outside of one, it does nothing.
        self.train(self.callback(None), is_bad=False)
        self.run_with_trials_of_optunas_kind()

    def optunas(self, trial):
        """The library's callback under the name that Optuna has for it, if it has one."""
        return self.callback(trial)

    def run_with_trials_of_optunas_kind(self):
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))

        def objective(trial):
            trial.suggest_float("x", 0, 1)
            self.train(self.optunas(trial), is_bad=trial.number > 5)
            return min(trial.study.trials[trial.number].intermediate_values.values())

        study.optimize(objective, n_trials=7)
        self.assertEqual([each.state.name for each in study.trials],
                         ["COMPLETE"] * 6 + ["PRUNED"])
        self.assertLess(len(study.trials[6].intermediate_values), self.STEPS)
