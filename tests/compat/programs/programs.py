"""The programs that run.py tunes, and what each needs.

The configuration files are the programs' own, where they have one. `arguments`
is what their README gives to gcloud after `jobs submit training NAME`, with
fewer steps; {words} are folders and data sets that run.py made.
"""

import dataclasses

# How the environment is made, and what is installed.
ENVIRONMENTS = {
    # As AI Platform's runtime 1.15 had them.
    "runtime-1.15": [
        "python3.7 -m venv", "tensorflow==1.15.5", "torch==1.4.0", "gym==0.17.3",
        "scikit-learn<0.23", "pandas<1", "protobuf<3.21",
        "google-cloud-storage<2.15", "cloudml-hypertune", "docopt"],
    "torch-1.4": [
        "python3.7 -m venv", "torch==1.4.0", "gym==0.9.7", "tensorboardX<2.6",
        "protobuf<3.21", "pyglet<1.4", "tqdm"],
    "runtime-2.1": [
        "python3.7 -m venv", "tensorflow-cpu==2.1.4", "pandas<1", "six",
        "protobuf<3.21"],
    # With Debian's python3-torch.
    "debian": ["/usr/bin/python3 -m venv --system-site-packages",
               "gymnasium[classic-control]"],
}


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    # How it reports.
    kind: str
    environment: str
    # Below the folder of clones: what is copied as its working folder.
    folder: str
    # Below the folder of clones; "" if it has none and `own_config` is used.
    config: str
    arguments: tuple
    data: str = ""
    own_config: str = ""
    # What has to be added to the configuration, or replaced in it.
    addition: str = ""
    replaced: tuple = ()
    # "jobs submit training", or "run" for what is no Python module.
    verb: str = "submit"


def module(job_dir, *arguments, package="trainer", name="trainer.task",
           runtime="1.15"):
    return ("--package-path", package, "--module-name", name,
            "--runtime-version", runtime, "--python-version", "3.7",
            *(("--job-dir", job_dir) if job_dir else ()), *arguments)


OUT = "{home}/out"

PROGRAMS = [
    Program(
        "iris", "tf.estimator", "runtime-1.15",
        "cloudml-samples/tensorflow/standard/iris",
        "cloudml-samples/tensorflow/standard/iris/hptuning_config.yaml",
        module(OUT, "--", "--train-files", "{train}", "--eval-files", "{eval}",
               "--train-steps", "300", "--eval-steps", "10"),
        data="iris"),
    Program(
        "census_keras", "Keras 1.15", "runtime-1.15",
        "cloudml-samples/census/tf-keras",
        "cloudml-samples/census/tf-keras/hptuning_config.yaml",
        module(OUT, "--env", "TMPDIR={tmp}", "--", "--num-epochs", "3"),
        data="census"),
    Program(
        "penguins_keras", "Keras 1.15", "runtime-1.15",
        "cloudml-samples/penguins/tf-keras",
        "cloudml-samples/penguins/tf-keras/hptuning_config.yaml",
        module(OUT, "--env", "TMPDIR={tmp}", "--", "--num-epochs", "3"),
        data="census"),
    Program(
        "census_keras2", "Keras 2.1, prints", "runtime-2.1",
        "ai-platform-samples/training/tensorflow/census/tf-keras",
        "ai-platform-samples/training/tensorflow/census/tf-keras/hptuning_config.yaml",
        module(OUT, "--env", "TMPDIR={tmp}", "--", "--num-epochs", "3",
               runtime="2.1"),
        data="census",
        # The callback that is to write epoch_accuracy for TensorBoard writes
        # nothing, with TensorFlow 2.1 as with 2.15; Keras prints accuracy.
        replaced=("epoch_accuracy", "accuracy")),
    Program(
        "census_estimator", "tf.estimator", "runtime-1.15",
        "cloudml-samples/census/estimator",
        "cloudml-samples/census/hptuning_config.yaml",
        module(OUT, "--", "--train-files", "{train}", "--eval-files", "{eval}",
               "--train-steps", "200", "--eval-steps", "10"),
        data="census_with_spaces"),
    Program(
        "taxi_sklearn", "scikit-learn, hypertune", "runtime-1.15",
        "ai-platform-samples/training/sklearn/structured/hp_tuning",
        "ai-platform-samples/training/sklearn/structured/hp_tuning/config.yaml",
        module(OUT, "--", "--log-level", "DEBUG", "--input={train}"),
        data="taxi"),
    Program(
        "sonar_torch", "PyTorch, hypertune", "runtime-1.15",
        "cloudml-samples/pytorch/containers/hp_tuning",
        "cloudml-samples/pytorch/containers/hp_tuning/hptuning_config.yaml",
        ("--job-dir", "gs://models/sonar", "--max-trials", "4",
         "--", "python", "task.py"),
        data="sonar", verb="run",
        # It takes its job dir apart to upload the model by Google's client.
        addition="vernier: {jobDirForm: URI}\n"),
    Program(
        "flow", "hypertune, and prints", "runtime-1.15",
        "training-data-analyst/blogs/hparam",
        "training-data-analyst/blogs/hparam/hyperparam.yaml",
        module(OUT, "--", "--flow=5", name="trainer.flow")),
    Program(
        "cartpole", "TensorFlow 1, prints", "runtime-1.15",
        "training-data-analyst/blogs/rl-on-gcp/cartpole_policy_gradients",
        "training-data-analyst/blogs/rl-on-gcp/cartpole_policy_gradients/"
        "hyperparam.yaml",
        module("", "--", f"--outdir={OUT}", package="rl_model_code/trainer",
               runtime="1.10")),
    Program(
        "pendulum", "tensorboardX", "torch-1.4",
        "pytorch-ddpg-naf", "",
        ("--", "python", "main.py", "--env-name", "Pendulum-v0",
         "--num_episodes", "11", "--updates_per_step", "1"),
        verb="run",
        own_config="""
trainingInput:
  hyperparameters:
    goal: MAXIMIZE
    hyperparameterMetricTag: reward/test
    maxTrials: 4
    maxParallelTrials: 2
    params:
    - {parameterName: tau, type: DOUBLE, minValue: 0.0001, maxValue: 0.1, scaleType: UNIT_LOG_SCALE}
    - {parameterName: hidden_size, type: INTEGER, minValue: 16, maxValue: 128}
"""),
    Program(
        "actor_critic", "prints", "debian",
        "pytorch-examples/reinforcement_learning", "",
        ("--", "python", "actor_critic.py"),
        verb="run",
        own_config="""
trainingInput:
  hyperparameters:
    goal: MAXIMIZE
    hyperparameterMetricTag: Average reward
    maxTrials: 4
    maxParallelTrials: 2
    enableTrialEarlyStopping: true
    params:
    - {parameterName: gamma, type: DOUBLE, minValue: 0.9, maxValue: 0.999, scaleType: UNIT_REVERSE_LOG_SCALE}
"""),
]
