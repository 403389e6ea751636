"""The package's types hold strictly, and its syntax is that of Python 3.9."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

from package import ROOT, SOURCES

sys.path.insert(0, os.path.join(ROOT, "tests", "compat"))
import clients  # noqa: E402

USER = """
import vernier_hpo as vn
study = vn.create_study({"x": vn.Float(0, 1)}, goal="minimize")
study.optimize(lambda trial: 1.0, n_trials=1, catch=ValueError)
best: float = study.best_value
frozen: vn.FrozenTrial = study.best_trial
reveal_type(study.trials)
wrong: int = study.name
"""


# Programs as people write them, who have learnt Optuna's types.
TYPED = """
from typing import Dict
import vernier_hpo as vn

def objective(trial: vn.Trial) -> float:
    lr: float = trial.params["lr"]
    layers: int = trial["layers"]
    trial.set_user_attr("layers", layers)
    for step in range(3):
        trial.report(lr, step)
        if trial.should_prune():
            raise vn.TrialPruned()
    best: float = trial.study.best_value
    return lr * layers + 0 * best

def shown(study: vn.Study, trial: vn.FrozenTrial) -> None:
    print(study.name, trial.params["lr"] ** 2)

space = {"lr": vn.Float(1e-5, 1, log=True), "layers": vn.Int(1, 8)}
study = vn.create_study(space, direction="maximize", study_name="typed")
study.optimize(objective, n_trials=3, callbacks=[shown])
shares: Dict[str, float] = study.get_param_importances()
print(study.best_params["lr"] + 1, study.best_trial.params["layers"] - 1)
job = vn.run(lambda trial: float(trial.params["lr"]), space, 3)
print(job.best_trial.params["lr"] - 1, job.update(code="."))
"""

# The same for those who change the import alone.
OF_OPTUNA = """
from typing import Any, Dict
import vernier_hpo.optuna as optuna

def objective(trial: optuna.Trial) -> float:
    x = trial.suggest_float("x", 0, 1)
    layers = trial.suggest_int("layers", 1, 3)
    trial.report(x, 1)
    if trial.should_prune():
        raise optuna.TrialPruned()
    return x * layers

def shown(study: optuna.Study, trial: optuna.trial.FrozenTrial) -> None:
    print(study.best_value + 1, trial.params["x"] ** 2, trial.state.is_finished())

class Never(optuna.pruners.BasePruner):
    def prune(self, study: optuna.Study, trial: optuna.trial.FrozenTrial) -> bool:
        return False

class Low(optuna.samplers.BaseSampler):
    def sample_independent(self, study: optuna.Study, trial: optuna.trial.FrozenTrial,
                           param_name: str,
                           param_distribution: optuna.distributions.BaseDistribution) -> Any:
        return 0

study = optuna.create_study(direction="maximize", sampler=Low(), pruner=Never())
study.optimize(objective, n_trials=3, callbacks=[shown], catch=(ValueError,))
best: Dict[str, Any] = study.best_params
study.tell(study.ask({"x": optuna.distributions.FloatDistribution(0, 1)}), 1.0)
"""


class TypingTest(unittest.TestCase):
    def tool(self, name, *args, cwd=None):
        path = os.path.join(os.path.dirname(clients.python("typing")), name)
        return subprocess.run([path, *args], cwd=cwd, check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def test_mypy_has_nothing_to_say(self):
        result = self.tool("mypy", "--cache-dir", os.devnull,
                           cwd=os.path.join(ROOT, "python"))
        self.assertEqual(result.returncode, 0, result.stdout)

    def checked(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "user.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return self.tool(
                "mypy", "--strict", "--cache-dir", os.devnull, "--config-file",
                os.path.join(ROOT, "python", "pyproject.toml"), path,
                cwd=os.path.join(ROOT, "python"))

    def test_the_readmes_example_and_programs_like_it_pass(self):
        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
            readme = re.search(r"```python\n(.*?)```", file.read(), re.DOTALL)[1]
        self.assertIn("study.optimize", readme)
        for text in (readme, TYPED, OF_OPTUNA):
            result = self.checked(text)
            self.assertEqual(result.returncode, 0, result.stdout)

    def test_a_users_program_is_checked(self):
        result = self.checked(USER)
        self.assertIn('Revealed type is "builtins.list[vernier_hpo._frozen_trial.FrozenTrial]"',
                      result.stdout)
        self.assertIn("Found 1 error", result.stdout)
        self.assertIn("Incompatible types in assignment", result.stdout)

    def test_no_syntax_is_newer_than_python_3_9(self):
        result = self.tool("vermin", "--target=3.9-", "--eval-annotations", "--violations",
                           SOURCES)
        self.assertEqual(result.returncode, 0, result.stdout)


if __name__ == "__main__":
    unittest.main()
