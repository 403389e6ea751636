"""What docs/fields.md says of each field of a study file, beside its name in the job file.

The names come from src/study/study_file/study_field.cc; make_fields_page.py joins the
two, and refuses a field without facts as well as facts without a field. So that ranges
cannot drift from what the service does, each row has lines that it accepts and lines
that it refuses, the bounds of the range among them; tests/tools/fields_page_test.py tries
all of them.
"""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Facts:
    """Of one field: four cells of the table, and lines to try."""

    type: str
    range: str
    default: str
    meaning: str
    good: tuple[str, ...]
    bad: tuple[str, ...] = ()
    #: The job file's field, where it is not the one of the table of fields.
    path: str = ""


def of(kind: str, bounds: str, default: str, meaning: str, good: str, bad: str = "",
       path: str = "") -> Facts:
    """Facts with their lines in one text, " | " between them; "; " joins two fields."""
    return Facts(kind, bounds, default, meaning, tuple(good.split(" | ")),
                 tuple(bad.split(" | ")) if bad else (), path)


_DURATION = "duration"
_LABEL = "as Kubernetes has it"
_SLURM_NAME = "at most 256 characters of a name as Slurm has it"
_SIZE = "size"
_BOUNDS = "trainingInput.hyperparameters.params[].minValue`, `.maxValue"
_PLACE = "an absolute path, other than `/`, without `..`"

# By the word in the study file; what lies in a mapping has its path with dots.
FACTS: dict[str, Facts] = {
    "name": of(
        "text", "a letter, then letters, digits, `_`, `-`; at most 128", "from the file's or program's name",
        "what the job is called", "name: digits | name: a-b_1", "name: 1a | name: a.b"),
    "labels": of(
        "mapping of texts", "at most 64; of lower-case letters, digits, `_`, `-`, at most 64 each", "none",
        "marks of your own, to filter by", "labels: {team: vision}", "labels: {Team: vision}"),
    "run": of(
        "list, or text that is split into words", "not empty; no shell's operators in a text", "none",
        "the program and its first arguments", "run: python3 train.py | run: [bash, -c, a b]",
        'run: a > b | run: "\'a"'),
    "module": of(
        "text", "a dotted name", "none", "the Python module that `python -m` runs, if there is no `run`",
        "module: trainer.task", "module: a b"),
    "packages": of(
        "list of texts", "at most 100; `gs://BUCKET/NAME` or absolute paths", "none",
        "sdists or wheels that are installed for the job", "packages: [/p.tar.gz]", "packages: {a: b}"),
    "package_sha256": of(
        "mapping of texts", "64 lower-case hex digits each", "those of the packages",
        "what the packages must be, by their places", f"package_sha256: {{/p.tar.gz: {'0' * 64}}}",
        "package_sha256: {/p.tar.gz: 00}"),
    "args": of(
        "list, or text that is split into words", "no shell's operators in a text", "none",
        "arguments that every trial gets after the program", "args: --epochs 10 | args: [--a, b c]",
        'args: "a > b"'),
    "arg_style": of(
        "word", "`space`, `equals`, `flags`, `placeholders`, `none`", "`space`",
        "how a parameter is an argument: `--x 1`, `--x=1`, a flag, in its place `{x}`, or not at all",
        "arg_style: space | arg_style: equals | arg_style: flags | arg_style: placeholders | arg_style: none",
        "arg_style: comma"),
    "code": of(
        "text", "a folder", "the study file's, if `run` names files beside it",
        "the folder that is copied, and in whose copy trials run", "code: /code"),
    "image": of(
        "text", "a name, or the path of an archive", "none", "the container image in which trials run",
        "image: localhost/train"),
    "env": of(
        "mapping of texts", "at most 1,000; names of letters, digits and `_`", "none",
        "environment variables of every process", "env: {OMP_NUM_THREADS: '4'}", "env: {1A: b}"),
    "python": of(
        "text", "any", "that of `runtime`, the active environment's, or `python3`",
        "which Python, of those that the service was given", 'python: "3.11"'),
    "runtime": of(
        "text", "not with `image`", "none", "AI Platform's runtime version, which chooses a Python",
        'runtime: "2.11"', "runtime: 2.11; image: i"),
    "outputs": of(
        "text", "a path, or `gs://BUCKET/...`", "none", "where trials leave files: `--job-dir DIR/TRIAL`",
        "outputs: /out"),
    "outputs_as": of(
        "word", "`local_path`, `uri`", "`local_path`", "whether a `gs://` place stays one for the program",
        "outputs_as: local_path | outputs_as: uri", "outputs_as: x"),
    "gs_args": of(
        "word", "`path`, `uri`", "`path`, or `uri` with `outputs_as: uri`",
        "whether `gs://` arguments become local paths", "gs_args: path | gs_args: uri", "gs_args: x"),
    "metric": of(
        "mapping", "at most 100 names of metrics, each with its goal, or with `{goal, reference}`",
        "`{training/hptuning/metric: maximize}`",
        "the metric that the program reports and that is tuned; of several, their trade-offs",
        "metric: {loss: minimize} | metric: {a: max, b: {goal: min, reference: 0.5}}",
        "metric: loss | metric: {a: best}",
        "trainingInput.hyperparameters.hyperparameterMetricTag"),
    "metric.NAME": of(
        "word", "`maximize`, `minimize`", "`maximize`", "whether more of it is better",
        "metric: {m: maximize} | metric: {m: minimize}", "metric: {m: up}", "trainingInput.hyperparameters.goal"),
    "metric.NAME.reference": of(
        "number", "finite", "from the results", "of several metrics: the worst value that is still of use",
        "metric: {a: max, b: {goal: min, reference: 0.5}}",
        "metric: {a: max, b: {goal: min, reference: low}}", "vernier.objectives[].reference"),
    "metric_value": of(
        "word", "`last`, `best`", "`last`", "which measurement is a trial's final one",
        "metric_value: last | metric_value: best", "metric_value: mean"),
    "metric_sources": of(
        "list of words", "`report`, `metric_file`, `hypertune_file`, `tensorboard`, `wandb`, `trackio`, `csv_file`, `stdout`", "all",
        "where to listen for metrics", "metric_sources: [report, metric_file, hypertune_file, tensorboard, wandb, trackio, csv_file, stdout]",
        "metric_sources: [mlflow]"),
    "metric_patterns": of(
        "list of mappings", "at most 100", "none", "regular expressions for what the program prints",
        r"metric_patterns: [{metric: m, pattern: 'm (?P<value>\S+)'}]", "metric_patterns: [{metric: m}]"),
    "metric_patterns.metric": of(
        "text", "any, unless the group `name` has it", "the group `name`", "the metric that the pattern finds",
        r"metric_patterns: [{metric: m, pattern: 'm (?P<value>\S+)'}]"),
    "metric_patterns.pattern": of(
        "text", "RE2's syntax, with the group `value`, and `step` if there is one", "required", "what it looks for in a line",
        r"metric_patterns: [{metric: m, pattern: 'm (?P<value>\S+)'}]",
        "metric_patterns: [{metric: m, pattern: 'm ('}]"),
    "not_finite": of(
        "word", "`infeasible`, `ignore`", "`infeasible`", "what becomes of a trial whose last value is NaN or infinite",
        "not_finite: infeasible | not_finite: ignore", "not_finite: fail"),
    "parameters": of(
        "mapping", "1 to 1,000, names of at most 256 characters", "required for a study",
        "what is tuned, by name", "parameters: {y: {int: [1, 8]}}", "parameters: {} | parameters: {x: {}}"),
    "parameters.NAME.float": of(
        "list of two numbers", "finite, low <= high", "", "a number within these bounds",
        "parameters: {y: {float: [0, 1]}} | parameters: {y: {float: [1, 1]}}",
        "parameters: {y: {float: [1, 0]}} | parameters: {y: {float: [0]}}",
        _BOUNDS),
    "parameters.NAME.log": of(
        "list of two numbers", "low > 0", "", "the same on a log scale", "parameters: {y: {log: [1e-5, 1]}}",
        "parameters: {y: {log: [0, 1]}}", "trainingInput.hyperparameters.params[].scaleType"),
    "parameters.NAME.int": of(
        "list of two whole numbers", "within 2^53, low <= high", "", "a whole number within these bounds",
        "parameters: {y: {int: [1, 8]}}", "parameters: {y: {int: [1, 2.5]}}",
        _BOUNDS),
    "parameters.NAME.choice": of(
        "list", "1 to 1,000, distinct, not empty", "", "one of these, without an order; the list alone is the same",
        "parameters: {y: {choice: [a, b]}}", "parameters: {y: {choice: []}} | parameters: {y: {choice: [a, a]}}",
        "trainingInput.hyperparameters.params[].categoricalValues"),
    "parameters.NAME.values": of(
        "list of numbers", "1 to 1,000, strictly increasing", "", "one of these numbers",
        "parameters: {y: {values: [1, 2]}}", "parameters: {y: {values: [2, 1]}}",
        "trainingInput.hyperparameters.params[].discreteValues"),
    "parameters.NAME.scale": of(
        "word", "`linear`, `log`, `reverse_log`; the latter two need low > 0", "`linear`",
        "on which scale the search sees the numbers",
        "parameters: {y: {int: [1, 8], scale: log}} | parameters: {y: {float: [1, 8], scale: reverse_log}}",
        "parameters: {y: {int: [1, 8], scale: x}}", "trainingInput.hyperparameters.params[].scaleType"),
    "parameters.NAME.default": of(
        "a value", "within the bounds", "none", "the first trial has it",
        "parameters: {y: {int: [1, 8], default: 2}}", "parameters: {y: {int: [1, 8], default: 9}}",
        "trainingInput.hyperparameters.params[].defaultValue"),
    "parameters.NAME.when": of(
        "mapping of one", "another parameter, and one value or a list of them; 16 levels", "none",
        "the parameter exists only with these values of the other",
        "parameters: {k: [a, b], y: {int: [1, 8], when: {k: a}}}", "parameters: {y: {int: [1, 8], when: {z: 1}}}",
        "trainingInput.hyperparameters.params[].childParameterSpecs"),
    "constraints": of(
        "list of texts and mappings", "at most 64 texts and 16 mappings of `metric`, `min` and `max`", "none",
        "what the parameters and the metrics of a trial meet", "constraints: [2*x <= 1.5]",
        "constraints: [2*y <= 1.5]", "vernier.metricConstraints`, `vernier.parameterConstraints"),
    "constraints.metric": of(
        "text", "any", "required", "a metric that a trial must report, and that is bounded",
        "constraints: [{metric: m, max: 1}]", "constraints: [{max: 1}]", "vernier.metricConstraints[].metric"),
    "constraints.min": of(
        "number", "finite, at most `max`", "none", "the least that the metric must come to",
        "constraints: [{metric: m, min: 1}]", "constraints: [{metric: m, min: 2, max: 1}]",
        "vernier.metricConstraints[].min"),
    "constraints.max": of(
        "number", "finite", "none", "the most that the metric may come to; one of both bounds is required",
        "constraints: [{metric: m, max: 1}]", "constraints: [{metric: m}]", "vernier.metricConstraints[].max"),
    "try_first": of(
        "list of mappings", "at most 1,000 and `trials`; values within the bounds", "none",
        "points to try before the search suggests any", "try_first: [{x: 0.5, k: a}]", "try_first: [{x: 2, k: a}]"),
    "continue_from": of(
        "text", "a job's name", "none", "the search learns from that job's trials", "continue_from: earlier"),
    "algorithm": of(
        "word", "`bayesian`, `random`, `sobol`, `grid`, `shuffled_grid`; grids have no `float`", "`bayesian`",
        "how points are chosen", "algorithm: bayesian | algorithm: random | algorithm: sobol", "algorithm: tpe"),
    "seed": of(
        "whole number", ">= 0", "drawn", "the same seed and results give the same points", "seed: 0 | seed: 7",
        "seed: -1 | seed: x"),
    "trials": of(
        "whole number", "1 to 1,000,000", "1", "how many trials", "trials: 1 | trials: 1000000",
        "trials: -1 | trials: 1000001"),
    "parallel": of(
        "whole number", "1 to `trials`", "1", "how many run at the same time", "parallel: 1 | parallel: 20",
        "parallel: -1 | parallel: 21"),
    "max_failed": of(
        "whole number", "0 to `trials`; 0 is AI Platform's rule", "0", "how many failed trials fail the job",
        "max_failed: 0 | max_failed: 20", "max_failed: -1 | max_failed: 21"),
    "max_failed_in_a_row": of(
        "whole number", "0 to 1,000,000", "none; of `vernier run` 5", "how many failures in a row fail the job",
        "max_failed_in_a_row: 0 | max_failed_in_a_row: 1000000", "max_failed_in_a_row: -1"),
    "max_failed_at_once": of(
        "whole number", "1 to 1,000", "3", "how many first trials that fail at once pause the job",
        "max_failed_at_once: 1 | max_failed_at_once: 1000", "max_failed_at_once: 0 | max_failed_at_once: 1001"),
    "stop_early": of(
        "boolean, word or mapping", "`true`, `false`, `auto`, `median`, `decay_curve`, `asha`, `hyperband`, `none`",
        "`false`", "whether hopeless trials are ended, and by which rule",
        "stop_early: true | stop_early: false | stop_early: median | stop_early: decay_curve | stop_early: asha | "
        "stop_early: hyperband | stop_early: none", "stop_early: always"),
    "stop_early.rule": of(
        "word", "as above", "`none`", "the rule", "stop_early: {rule: asha}", "stop_early: {rule: x}"),
    "stop_early.min_steps": of(
        "whole number", ">= 1", "learnt from the trials", "no trial is stopped before this step",
        "stop_early: {rule: asha, min_steps: 1}", "stop_early: {rule: asha, min_steps: 0}"),
    "stop_early.max_steps": of(
        "whole number", ">= `min_steps`", "learnt from the trials", "the last step of a whole training",
        "stop_early: {rule: asha, max_steps: 9}", "stop_early: {rule: asha, min_steps: 9, max_steps: 8}"),
    "stop_early.reduction_factor": of(
        "number", "> 1, <= 100", "3", "one of so many goes on from each rung",
        "stop_early: {rule: asha, reduction_factor: 100}",
        "stop_early: {rule: asha, reduction_factor: 1} | stop_early: {rule: asha, reduction_factor: 101}"),
    "stop_early.brackets": of(
        "whole number", "1 to 10", "as many as the steps allow", "how many of Hyperband's brackets",
        "stop_early: {rule: hyperband, brackets: 1} | stop_early: {rule: hyperband, brackets: 10}",
        "stop_early: {rule: hyperband, brackets: 0} | stop_early: {rule: hyperband, brackets: 11}"),
    "stop_early.min_win_probability": of(
        "number", "> 0, < 1", "0.3", "with this chance of becoming the best a trial goes on",
        "stop_early: {rule: decay_curve, min_win_probability: 0.5}",
        "stop_early: {rule: decay_curve, min_win_probability: 0} | "
        "stop_early: {rule: decay_curve, min_win_probability: 1}"),
    "repeats": of(
        "whole number, or word", "2 to 100; `auto`", "none",
        "how often one point is tried, whose results differ by noise; `auto`: where it pays",
        "repeats: 2 | repeats: 100 | repeats: auto", "repeats: 1 | repeats: 101 | repeats: often"),
    "renamed_from": of(
        "mapping of lists of texts", "1 to 16 names of a metric, each once", "none",
        "the names that metrics had before, by the present ones; in an edit, what [renames](search-space.md#renaming-a-metric) them",
        "metric: {m: maximize}; renamed_from: {m: [x, z]}",
        "metric: {m: maximize}; renamed_from: {z: [m]} | metric: {m: maximize}; renamed_from: {m: []} | metric: {m: maximize}; renamed_from: {m: [a, a]}"),
    "prior_studies": of(
        "list of texts", "at most 100 names, or `[auto]`; a single objective, the default algorithm", "none",
        "jobs and studies of the project from whose trials the search learns",
        "prior_studies: [last_week, other_model] | prior_studies: [auto]", "prior_studies: [a, a]"),
    "prior_rename": of(
        "mapping of texts", "names of parameters, each once", "the names are the same",
        "by their parameters' names, the names here",
        "prior_studies: [last_week]; prior_rename: {learning_rate: x}", "prior_rename: {learning_rate: x}"),
    "beliefs": of(
        "mapping of mappings", "of a parameter `near`, and of a number `within`: a number, or a factor as `10x`; the default algorithm",
        "none", "where the best values are believed to lie",
        "beliefs: {x: {near: 0.5, within: 0.1}, k: {near: a}} | beliefs: {x: {near: 1, within: 1.5x}}",
        "beliefs: {x: {near: 2}} | beliefs: {x: {near: 0.5, within: 0}} | beliefs: {k: {near: z}} | beliefs: {z: {near: 1}}"),
    "can_resume": of(
        "boolean", "`true`, `false`", "`false`", "the program goes on from its checkpoint, so trials may be paused",
        "can_resume: true | can_resume: false", "can_resume: 7"),
    "limits": of(
        "mapping", "the fields below", "none", "when the search has done enough, and the job succeeds",
        "limits: {target: 0.9}", "limits: {x: 1}"),
    "limits.target": of(
        "number", "finite", "none", "a value that is good enough", "limits: {target: 0.9}", "limits: {target: x}"),
    "limits.no_progress": of(
        "mapping", "`trials` and `gain`", "none", "the model expects too little of the next trials",
        "limits: {no_progress: {gain: 0.1}}", "limits: {no_progress: {x: 1}}"),
    "limits.no_progress.trials": of(
        "whole number", "1 to 1,000,000", "10", "of how many trials together",
        "limits: {no_progress: {trials: 1, gain: 1}}", "limits: {no_progress: {trials: 0, gain: 1}}"),
    "limits.no_progress.gain": of(
        "number", "> 0", "required", "what they must promise, in the metric's units",
        "limits: {no_progress: {gain: 0.1}}", "limits: {no_progress: {gain: 0}}"),
    "limits.max_time": of(
        _DURATION, "> 0", "none", "how long the job may run", "limits: {max_time: 1h 30m}", "limits: {max_time: 0s}"),
    "limits.max_steps": of(
        "whole number", ">= 1", "none", "how many steps all trials may train together",
        "limits: {max_steps: 1}", "limits: {max_steps: 0}"),
    "limits.max_gpu_time": of(
        _DURATION, "> 0", "none", "how long GPUs may be leased, added up", "limits: {max_gpu_time: 8h}",
        "limits: {max_gpu_time: 0s}"),
    "per_cost": of(
        "boolean", "`true`, `false`", "`false`", "the search looks for gain per second", "per_cost: true | per_cost: false",
        "per_cost: 7"),
    "trial_timeout": of(
        _DURATION, "> 0", "none", "how long one attempt of a trial may run", "trial_timeout: 90m", "trial_timeout: 0s"),
    "timeout": of(
        _DURATION, "> 0", "`7d`", "how long the job may run until it is cancelled", "timeout: 7d", "timeout: 0s"),
    "max_wait": of(
        _DURATION, ">= `30m`", "none", "how long the job may wait before it runs", "max_wait: 30m", "max_wait: 29m"),
    "kill_grace": of(
        _DURATION, "0 to `1h`", "`10s`", "between SIGTERM and SIGKILL", "kill_grace: 0s | kill_grace: 1h",
        "kill_grace: 61m"),
    "priority": of(
        "whole number", "0 to 1,000", "0", "larger comes first", "priority: 0 | priority: 1000",
        "priority: -1 | priority: 1001"),
    "preemptible": of(
        "boolean", "`true`, `false`", "`false`", "trials may make room for a job of higher priority",
        "preemptible: true | preemptible: false", "preemptible: 7"),
    "retry": of(
        "mapping", "the fields below", "", "how often a trial is tried again", "retry: {max_transient_retries: 4}",
        "retry: {x: 1}"),
    "retry.max_infrastructure_retries": of(
        "whole number", "0 to 100", "3", "after ends by the machine's fault",
        "retry: {max_infrastructure_retries: 0} | retry: {max_infrastructure_retries: 100}",
        "retry: {max_infrastructure_retries: 101}"),
    "retry.max_transient_retries": of(
        "whole number", "0 to 100", "3", "after transient ends, such as SIGSEGV",
        "retry: {max_transient_retries: 0} | retry: {max_transient_retries: 100}",
        "retry: {max_transient_retries: 101}"),
    "retry.max_user_error_retries": of(
        "whole number", "0 to 100", "0", "after other failures",
        "retry: {max_user_error_retries: 1} | retry: {max_user_error_retries: 100}",
        "retry: {max_user_error_retries: 101}"),
    "end_rules": of(
        "list of mappings", "at most 100", "none", "what follows from an end of the program",
        "end_rules: [{exit_codes: [3], action: FAIL}]", "end_rules: [{action: FAIL}]"),
    "end_rules.exit_codes": of(
        "list of whole numbers", "0 to 255", "any", "exit statuses for which the rule holds",
        "end_rules: [{exit_codes: [0, 255], action: FAIL}]", "end_rules: [{exit_codes: [256], action: FAIL}]"),
    "end_rules.signals": of(
        "list of texts", "names such as `SIGSEGV`", "any", "signals for which it holds",
        "end_rules: [{signals: [SIGSEGV], action: FAIL}]", "end_rules: [{signals: [11], action: FAIL}]"),
    "end_rules.log_pattern": of(
        "text", "RE2's syntax", "any", "what the program must have printed",
        "end_rules: [{log_pattern: out of memory, action: FAIL}]", "end_rules: [{log_pattern: '(', action: FAIL}]"),
    "end_rules.action": of(
        "word", "as in [ends](ends.md#rules-of-the-job)", "required", "what follows",
        "end_rules: [{exit_codes: [3], action: FAIL}]", "end_rules: [{exit_codes: [3], action: DANCE}]"),
    "end_rules.reason": of(
        "text", "at most 1,000 bytes", "none", "what people read of it",
        "end_rules: [{exit_codes: [3], action: FAIL, reason: bad data}]",
        f"end_rules: [{{exit_codes: [3], action: FAIL, reason: {'x' * 1001}}}]"),
    "gpus": of(
        "whole number", "0 to 64", "0, or those of the machine", "GPUs of each process", "gpus: 1 | gpus: 64",
        "gpus: -1 | gpus: 65"),
    "gpu_memory": of(
        _SIZE, "less than one GPU has", "the whole GPU", "what a process needs of its one GPU, which it shares",
        "gpu_memory: 8G; gpus: 1", "gpu_memory: 8X; gpus: 1"),
    "workers": of(
        "whole number", "0 to 10,000", "0", "processes of a trial beside its master", "workers: 1 | workers: 10000",
        "workers: -1 | workers: 10001"),
    "parameter_servers": of(
        "whole number", "0 to 10,000", "0", "parameter servers of a trial", "parameter_servers: 1",
        "parameter_servers: 10001"),
    "evaluators": of(
        "whole number", "0 to 10,000", "0", "evaluators of a trial", "evaluators: 1", "evaluators: 10001"),
    "machine": of(
        "text", "a machine type of AI Platform or Compute Engine", "none", "the master's machine type, which says its GPUs",
        "machine: n1-standard-8", "machine: zx81"),
    "scale_tier": of(
        "word", "`basic`, `standard_1`, `premium_1`, `basic_gpu`, `basic_tpu`, `custom`", "`basic`, or what the roles ask for",
        "AI Platform's names for common gangs", "scale_tier: standard_1 | scale_tier: premium_1 | scale_tier: basic_gpu",
        "scale_tier: huge"),
    "roles": of(
        "mapping", "`master`, `worker`, `parameter_server`, `evaluator`", "none", "what each kind of process is",
        "roles: {worker: {count: 2}}", "roles: {boss: {count: 2}}", "trainingInput.workerCount"),
    "roles.ROLE.count": of(
        "whole number", "0 to 10,000; a trial has one master", "0", "how many of them",
        "roles: {worker: {count: 10000}}", "roles: {worker: {count: 10001}}"),
    "roles.ROLE.machine": of(
        "text", "a machine type", "`n1-standard-4`", "the machine type",
        "roles: {worker: {count: 1, machine: n1-standard-8}}", "roles: {worker: {count: 1, machine: zx81}}"),
    "roles.ROLE.image": of(
        "text", "a name, or the path of an archive", "the master's", "the container image",
        "roles: {worker: {count: 1, image: i}}"),
    "roles.ROLE.command": of(
        "list, or text that is split into words", "no shell's operators in a text", "the job's program", "the program",
        "run:; roles: {master: {image: i, command: a b}}"),
    "roles.ROLE.args": of(
        "list, or text that is split into words", "no shell's operators in a text", "none", "its arguments",
        "roles: {worker: {count: 1, args: --a 1}}"),
    "roles.ROLE.accelerator": of(
        "mapping", "`type` and `count`, 0 to 64", "none", "GPUs of each of them",
        "roles: {worker: {count: 1, machine: n1-standard-8, accelerator: {type: NVIDIA_TESLA_T4, count: 2}}}",
        "roles: {worker: {count: 1, machine: n1-standard-8, accelerator: {type: NVIDIA_TESLA_T4, count: 65}}}"),
    "roles.ROLE.accelerator.type": of(
        "text", "AI Platform's names", "any GPU", "the kind of GPU",
        "roles: {worker: {count: 1, machine: n1-standard-8, accelerator: {type: NVIDIA_TESLA_T4, count: 1}}}",
        "roles: {worker: {count: 1, machine: n1-standard-8, accelerator: {type: ZX81, count: 1}}}"),
    "roles.ROLE.accelerator.count": of(
        "whole number", "0 to 64", "0", "how many of them",
        "roles: {worker: {count: 1, machine: n1-standard-8, accelerator: {type: NVIDIA_TESLA_T4, count: 64}}}",
        "roles: {worker: {count: 1, machine: n1-standard-8, accelerator: {type: NVIDIA_TESLA_T4, count: 65}}}"),
    "tf_config_chief": of(
        "boolean", "`true`, `false`", "`false`", "`chief` instead of `master` in `TF_CONFIG`",
        "tf_config_chief: true | tf_config_chief: false", "tf_config_chief: 7"),
    "on": of(
        "word", "`local`, `slurm`, `kubernetes`", "the service's", "where the processes run",
        '"on": local | "on": slurm | "on": kubernetes', '"on": mars'),
    "slurm": of(
        "mapping", "the fields below", "the service's", "what a job on Slurm asks of the site", "slurm: {partition: gpu}",
        "slurm: {x: 1}"),
    **{f"slurm.{name}": of("text", _SLURM_NAME, default, meaning, f"slurm: {{{name}: a}}", f'slurm: {{{name}: "a b"}}')
       for name, default, meaning in (
           ("partition", "the service's", "the partition"), ("account", "the service's", "the account"),
           ("qos", "the service's", "the quality of service"), ("reservation", "none", "the reservation"),
           ("constraint", "the service's", "features that nodes must have"),
           ("gpu_type", "the service's", "the type of GPU"))},
    "slurm.nice": of(
        "whole number", "-10,000 to 10,000", "none", "lowers the priority", "slurm: {nice: -10000} | slurm: {nice: 10000}",
        "slurm: {nice: 10001}"),
    "slurm.cpus_per_replica": of(
        "whole number", "1 to 1,024", "1", "processors of each process",
        "slurm: {cpus_per_replica: 1} | slurm: {cpus_per_replica: 1024}", "slurm: {cpus_per_replica: 0}"),
    "slurm.memory_per_replica": of(
        _SIZE, "megabytes, or with M, G, T", "the site's", "memory of each process", "slurm: {memory_per_replica: 16G}",
        "slurm: {memory_per_replica: 16X}"),
    "slurm.time_limit": of(
        _DURATION, ">= `1m`", "`trial_timeout` and 2 minutes, or the site's", "the limit of a trial's job",
        "slurm: {time_limit: 1m}", "slurm: {time_limit: 59s}"),
    "slurm.extra_args": of(
        "list of texts", "at most 50, of [these options](slurm.md#options-that-a-job-may-set)", "none", "options of sbatch",
        "slurm: {extra_args: [--exclusive]}", "slurm: {extra_args: [--chdir=/]}"),
    "kubernetes": of(
        "mapping", "the fields below", "the service's", "what a job on Kubernetes asks of the cluster",
        "kubernetes: {queue: q}", "kubernetes: {x: 1}"),
    **{f"kubernetes.{name}": of("text", _LABEL, default, meaning, f"kubernetes: {{{name}: a}}",
                                f'kubernetes: {{{name}: "A b"}}')
       for name, default, meaning in (
           ("namespace", "the service's", "the namespace of all objects"), ("queue", "the service's", "Kueue's queue"),
           ("scheduler", "none", "the pods' scheduler"), ("service_account", "none", "the pods' service account"),
           ("priority_class", "none", "the pods' priority class"))},
    "kubernetes.labels": of(
        "mapping of texts", "at most 50", "none", "of all objects", "kubernetes: {labels: {a: b}}",
        "kubernetes: {labels: {'a b': b}}"),
    "kubernetes.annotations": of(
        "mapping of texts", "at most 50, values of at most 10,000 bytes", "none", "of all objects",
        "kubernetes: {annotations: {a: b}}", "kubernetes: {annotations: {'a b': b}}"),
    "kubernetes.node_selector": of(
        "mapping of texts", "at most 50", "the service's, by GPU", "labels that nodes must have",
        "kubernetes: {node_selector: {a: b}}", "kubernetes: {node_selector: {'a b': b}}"),
    "kubernetes.tolerations": of(
        "list of texts", "at most 50; `KEY=VALUE:EFFECT`, `KEY:EFFECT`, `KEY`", "none", "taints that pods tolerate",
        "kubernetes: {tolerations: ['a=b:NoSchedule']}", "kubernetes: {tolerations: ['a:Never']}"),
    "kubernetes.image_pull_secrets": of(
        "list of texts", "at most 50", "none", "secrets for the registry", "kubernetes: {image_pull_secrets: [a]}",
        "kubernetes: {image_pull_secrets: ['A b']}"),
    "kubernetes.cpus_per_replica": of(
        "text", "`4`, `0.5` or `500m`; more than 0", "none", "request and limit of each process",
        "kubernetes: {cpus_per_replica: 500m}", "kubernetes: {cpus_per_replica: 0}"),
    "kubernetes.memory_per_replica": of(
        _SIZE, "megabytes, or with M, G, T", "none", "request and limit of each process",
        "kubernetes: {memory_per_replica: 16G}", "kubernetes: {memory_per_replica: 16X}"),
    "kubernetes.shm_size": of(
        _SIZE, "megabytes, or with M, G, T", "the container's", "a memory volume at `/dev/shm`",
        "kubernetes: {shm_size: 1G}", "kubernetes: {shm_size: 1X}"),
    "kubernetes.gpu_resource": of(
        "text", _LABEL, "`nvidia.com/gpu`", "which resource a GPU is", "kubernetes: {gpu_resource: nvidia.com/gpu}",
        "kubernetes: {gpu_resource: 'a b'}"),
    "kubernetes.volumes": of(
        "list of mappings", "at most 50", "none", "claims that the pods mount",
        "kubernetes: {volumes: [{claim: c, mount_path: /data}]}", "kubernetes: {volumes: [{claim: c}]}"),
    "kubernetes.volumes.claim": of(
        "text", _LABEL, "required", "the PersistentVolumeClaim", "kubernetes: {volumes: [{claim: c, mount_path: /d}]}",
        "kubernetes: {volumes: [{mount_path: /d}]}"),
    "kubernetes.volumes.mount_path": of(
        "text", _PLACE, "required", "where the pods see it", "kubernetes: {volumes: [{claim: c, mount_path: /d}]}",
        "kubernetes: {volumes: [{claim: c, mount_path: /}]}"),
    "kubernetes.volumes.sub_path": of(
        "text", "a relative path without `..`", "all of it", "a folder of it",
        "kubernetes: {volumes: [{claim: c, mount_path: /d, sub_path: a}]}",
        "kubernetes: {volumes: [{claim: c, mount_path: /d, sub_path: ../a}]}"),
    "kubernetes.volumes.read_only": of(
        "boolean", "`true`, `false`", "`false`", "nothing is written to it",
        "kubernetes: {volumes: [{claim: c, mount_path: /d, read_only: true}]}",
        "kubernetes: {volumes: [{claim: c, mount_path: /d, read_only: 7}]}"),
}

# Fields of a job file that a study file has no word for, and why.
WITHOUT_A_WORD = {
    "trainingInput.region": "text that is shown to the programs; nothing else depends on it",
    "trainingInput.hyperparameters.algorithm": "`algorithm` of a study file is `vernier.algorithm`, which comes first",
    "trainingInput.hyperparameters.enableTrialEarlyStopping": "`stop_early: true` says the same",
    "trainingInput.hyperparameters.params[].type": "`float`, `int`, `choice` or `values` says it",
    "trainingInput.hyperparameters.params[].parameterName": "the name in `parameters`",
    "trainingInput.hyperparameters.params[].booleanValues": "`true` and `false` without quotes say it",
    "trainingInput.encryptionConfig.kmsKeyName": "has no effect here",
    "trainingInput.network": "has no effect here",
    "trainingInput.serviceAccount": "has no effect here",
    "trainingInput.enableWebAccess": "has no effect here",
    "trainingInput.masterConfig.tpuTfVersion": "has no effect here",
    "trainingInput.masterConfig.diskConfig.bootDiskType": "has no effect here",
    "trainingInput.masterConfig.diskConfig.bootDiskSizeGb": "has no effect here",
    "vernier.metricSource": "`metric_sources` of one",
    "vernier.callerEnvironment": "set by the command line from its own environment",
    "vernier.secretNames": "set by the service",
    "vernier.secretsFile": "set by the service",
    "vernier.codeNotes": "set by the service",
}
