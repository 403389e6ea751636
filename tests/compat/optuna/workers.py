"""Runs trials until a file is there, and writes what the server has acknowledged.

    workers.py HOST:PORT STUDY OUTPUT STOP

A call that fails because the server is away ends one study.optimize, as it would
a user's; the next one goes on.
"""

import json
import os
import sys
import time

import grpc
import optuna
from optuna.storages import GrpcStorageProxy

optuna.logging.set_verbosity(optuna.logging.ERROR)


def main():
    address, name, output, stop = sys.argv[1:]
    host, _, port = address.rpartition(":")
    study = optuna.load_study(study_name=name, storage=GrpcStorageProxy(host=host, port=int(port)),
                              sampler=optuna.samplers.RandomSampler())
    with open(output, "w", encoding="utf-8") as acknowledged:
        def objective(trial):
            x = trial.suggest_float("x", 0, 1)
            for step in range(3):
                trial.report(x + step, step)
                print(json.dumps({"trial": trial._trial_id, "x": x, "step": step}),
                      file=acknowledged, flush=True)
            return x

        def ended(_, trial):
            print(json.dumps({"trial": trial._trial_id, "value": trial.value}), file=acknowledged,
                  flush=True)

        while not os.path.exists(stop):
            try:
                study.optimize(objective, n_trials=1, callbacks=[ended])
            except grpc.RpcError as error:
                # A server that ends cancels the calls that it has not answered.
                assert error.code() in (grpc.StatusCode.UNAVAILABLE,
                                        grpc.StatusCode.CANCELLED), error
                time.sleep(0.2)
            except UnboundLocalError:  # What Optuna makes of it while it tells a result.
                time.sleep(0.2)


if __name__ == "__main__":
    main()
