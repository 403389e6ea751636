"""Reports metrics as the cloudml-hypertune package does.

Used when that package is not installed. The file named by
CLOUD_ML_HP_METRIC_FILE is rewritten at each report and holds the last 100
reports, one JSON object a line.
"""

import collections
import json
import os
import time

_DEFAULT_FILE = "/tmp/hypertune/output.metrics"
_DEFAULT_TAG = "training/hptuning/metric"
_MAX_RECORDS = 100


class HyperTune:
    """Writes the metrics of one trial."""

    def __init__(self):
        self.metric_path = os.environ.get("CLOUD_ML_HP_METRIC_FILE",
                                          _DEFAULT_FILE)
        self.trial_id = os.environ.get("CLOUD_ML_TRIAL_ID", 0)
        self._records = collections.deque(maxlen=_MAX_RECORDS)
        folder = os.path.dirname(self.metric_path)
        if folder:
            os.makedirs(folder, exist_ok=True)

    def report_hyperparameter_tuning_metric(self,
                                            hyperparameter_metric_tag,
                                            metric_value,
                                            global_step=None,
                                            checkpoint_path=""):
        """Adds one value of a metric; `global_step` defaults to 0."""
        record = {
            "timestamp": time.time(),
            "trial": str(self.trial_id),
            hyperparameter_metric_tag or _DEFAULT_TAG: str(float(metric_value)),
            "global_step": str(int(global_step) if global_step else 0),
            "checkpoint_path": checkpoint_path,
        }
        self._records.append(json.dumps(record, sort_keys=True))
        with open(self.metric_path, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in self._records)
