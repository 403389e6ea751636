"""Runs a small experiment of the released Ray Tune, and prints its results as JSON.

Usage: write_results.py FOLDER
"""

import json
import logging
import os
import sys

os.environ.update(RAY_AIR_NEW_OUTPUT="0", RAY_DEDUP_LOGS="0", RAY_USAGE_STATS_ENABLED="0")
import ray  # noqa: E402
from ray import tune  # noqa: E402


def train(config):
    for step in range(3):
        if config["layers"] == 2 and step == 1:
            raise RuntimeError("out of memory")
        tune.report({"loss": config["lr"] + config["layers"] + 3 - step,
                     "eval": {"accuracy": step / 3}})


ray.init(num_cpus=1, include_dashboard=False, logging_level=logging.ERROR, log_to_driver=False)
tuner = tune.Tuner(
    train,
    param_space={"lr": tune.grid_search([0.001, 0.01]), "layers": tune.grid_search([1, 2, 3]),
                 "optimizer": {"name": tune.sample_from(lambda spec: "sgd")}, "seed": 7},
    tune_config=tune.TuneConfig(metric="loss", mode="min"),
    run_config=tune.RunConfig(name="grid", storage_path=sys.argv[1], verbose=0))
results = tuner.fit()
print(json.dumps([{"config": each.config, "failed": each.error is not None,
                   "loss": (each.metrics or {}).get("loss")} for each in results]))
