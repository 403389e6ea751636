"""What a trial of vn.run runs: python -m vernier_hpo._trial_main DESCRIPTION --x 0.5

A long DESCRIPTION is in pieces, with their number before them.

It finds the objective, calls it with the trial, and reports what it returns. The exit
codes are those of docs/training-program.md.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Dict, Iterable, List, Mapping

from ._current_trial import LaunchedTrial, last_step, read_flags, report
from ._objective import ObjectiveReference
from ._pieces import joined
from ._space import Value, choice_of_literal
from .errors import TrialStopped

# The status of a program that cut its training short: as study.tell(state="stopped").
STOPPED = 79


def main(words: List[str]) -> int:
    """Evaluates one trial; an exception of the objective ends the process."""
    description, flags = joined(words)
    about: Dict[str, Any] = json.loads(description)
    types: Dict[str, str] = about["types"]
    params: Dict[str, Value] = {}
    for name, value in read_flags(flags, types).items():
        texts = about["texts"].get(name)
        params[name] = (value if texts is None or value in texts else
                        choice_of_literal(str(value)))
    # As if the objective's file had been started by itself.
    sys.argv = [about["file"] or about["module"], *flags]
    sys.path.insert(0, "")
    trial = LaunchedTrial(params, about["metric"])
    objective = ObjectiveReference(
        about["module"], about["file"], about["function"]).load()
    try:
        value = objective(trial)
    except TrialStopped:
        return STOPPED
    if value is None:
        if trial._stop_asked and trial._reported:
            return STOPPED
        raise TypeError("the objective returned None: it returns the trial's value")
    # The last value counts, and of one step the later one.
    step = last_step()
    for metric, each in _values_of(value, about.get("metrics", [trial.metric])).items():
        report(metric, each, step)
    return STOPPED if trial._stop_asked else 0


def _values_of(value: Any, metrics: List[str]) -> Dict[str, float]:
    """What the objective returned, by metric: a mapping, or values in their order."""
    if isinstance(value, Mapping):
        return {str(name): float(each) for name, each in value.items()}
    if len(metrics) == 1:
        return {metrics[0]: float(value)}
    values = list(value) if isinstance(value, Iterable) else []
    if len(values) != len(metrics):
        raise TypeError(f"the objective returned {value!r}: it returns a value for each "
                        f"of {', '.join(metrics)}, in this order or by their names")
    return {name: float(each) for name, each in zip(metrics, values)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
