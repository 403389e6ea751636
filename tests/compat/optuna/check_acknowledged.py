"""Compares what the server has with what it acknowledged: HOST:PORT STUDY FILE..."""

import json
import sys

import optuna
from optuna.storages import GrpcStorageProxy


def main():
    host, _, port = sys.argv[1].rpartition(":")
    study = optuna.load_study(study_name=sys.argv[2],
                              storage=GrpcStorageProxy(host=host, port=int(port)))
    trials = {trial._trial_id: trial for trial in study.trials}
    seen = 0
    for path in sys.argv[3:]:
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                told = json.loads(line)
                trial = trials[told["trial"]]
                if "value" in told:
                    assert trial.value == told["value"], (told, trial)
                    assert trial.state == optuna.trial.TrialState.COMPLETE
                else:
                    assert trial.params["x"] == told["x"], (told, trial)
                    assert trial.intermediate_values[told["step"]] == told["x"] + told["step"]
                seen += 1
    print("ok", seen, len(trials))


if __name__ == "__main__":
    main()
