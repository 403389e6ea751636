"""Does what Katib's controller does: sends the whole experiment with all trials,
on a new connection for each call, and accepts only as many points as it wanted.
For early stopping it does what Katib's DB manager and a trial's sidecar do, too.

The messages are made from our .proto file, which is written from Katib's tables.
"""

import math
import os
import re
import subprocess
import sys
import tempfile
from concurrent import futures

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "tests/e2e"))

import service  # noqa: E402

PACKAGE = "api.v1.beta1."
HEALTH = "grpc.health.v1."
SUCCEEDED, FAILED, EARLYSTOPPED = 2, 4, 6


def load(*files):
    """The messages of .proto files."""
    pool = descriptor_pool.DescriptorPool()
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "set")
        subprocess.run(["protoc", "-I" + os.path.join(ROOT, "proto"),
                        "--descriptor_set_out=" + out, *files], check=True)
        with open(out, "rb") as file:
            for each in descriptor_pb2.FileDescriptorSet.FromString(file.read()).file:
                pool.Add(each)
    return lambda name: message_factory.GetMessageClass(pool.FindMessageTypeByName(name))


MESSAGE = load("katib/v1beta1/katib.proto", "grpc/health/v1/health.proto")


def call(address, method, request, answer):
    with grpc.insecure_channel(address) as channel:
        stub = channel.unary_unary("/" + method, lambda r: r.SerializeToString(),
                                   MESSAGE(answer).FromString)
        return stub(request, timeout=60, wait_for_ready=True)


def fault(address, method, request, answer):
    try:
        call(address, method, request, answer)
    except grpc.RpcError as error:
        return error.code(), error.details()
    raise AssertionError(f"{method} was answered")


def experiment(algorithm="bayesianoptimization", **settings):
    message = MESSAGE(PACKAGE + "Experiment")(name="digits")
    spec = message.spec
    spec.objective.type = 1
    spec.objective.objective_metric_name = "loss"
    spec.algorithm.algorithm_name = algorithm
    for name, value in settings.items():
        spec.algorithm.algorithm_settings.add(name=name, value=value)
    for name, kind, space in (
            ("lr", 1, {"min": "0.0001", "max": "1", "distribution": 2}),
            ("layers", 2, {"min": "1", "max": "9", "step": "2"}),
            ("batch", 3, {"list": ["64", "16", "32"]}),
            ("optimizer", 4, {"list": ["sgd", "adam"]})):
        parameter = spec.parameter_specs.parameters.add(name=name, parameter_type=kind)
        for key, value in space.items():
            if isinstance(value, list):
                parameter.feasible_space.list.extend(value)
            else:
                setattr(parameter.feasible_space, key, value)
    return message


def loss(values):
    return (math.log10(float(values["lr"]) / 0.01) ** 2 + (int(values["layers"]) - 5) ** 2 / 8
            + (values["optimizer"] == "sgd") + (values["batch"] == "64") / 4)


def request_for(message, trials, count):
    request = MESSAGE(PACKAGE + "GetSuggestionsRequest")(
        experiment=message, trials=trials, current_request_number=count,
        total_request_number=len(trials) + count)
    return request


def suggest(address, message, trials, count):
    reply = call(address, PACKAGE + "Suggestion/GetSuggestions",
                 request_for(message, trials, count), PACKAGE + "GetSuggestionsReply")
    points = [{each.name: each.value for each in one.assignments}
              for one in reply.parameter_assignments]
    assert len(points) == count, "The response contains unexpected trials"
    for point in points:
        assert set(point) == {"lr", "layers", "batch", "optimizer"}, point
        assert 0.0001 <= float(point["lr"]) <= 1 and point["layers"] in "13579", point
    return points


def ended(number, point, condition=SUCCEEDED):
    trial = MESSAGE(PACKAGE + "Trial")(name=f"digits-{number:08d}")
    trial.spec.objective.objective_metric_name = "loss"
    for name, value in point.items():
        trial.spec.parameter_assignments.assignments.add(name=name, value=value)
    trial.status.condition = condition
    trial.status.completion_time = f"2026-01-01T00:{number // 60:02d}:{number % 60:02d}Z"
    if condition != FAILED:
        trial.status.observation.metrics.add(name="loss", value=str(loss(point)))
    return trial


def tune(running, address):
    message = experiment()
    trials = []
    while len(trials) < 30:
        if len(trials) == 18:
            before = suggest(address(), message, trials, 3)
            running.stop()
            running.start()
            # A service that never saw them knows as much.
            assert suggest(address(), message, trials, 3) == before
        for point in suggest(address(), message, trials, 3):
            condition = {4: FAILED, 9: EARLYSTOPPED}.get(len(trials), SUCCEEDED)
            trials.append(ended(len(trials), point, condition))
    values = [float(trial.status.observation.metrics[0].value)
              for trial in trials if trial.status.observation.metrics]
    assert min(values) < 0.3, values


def check(address):
    validate = PACKAGE + "Suggestion/ValidateAlgorithmSettings"
    request = MESSAGE(PACKAGE + "ValidateAlgorithmSettingsRequest")
    reply = PACKAGE + "ValidateAlgorithmSettingsReply"
    call(address, validate, request(experiment=experiment(random_state="71")), reply)
    code, text = fault(address, validate, request(experiment=experiment("enas")), reply)
    assert code == grpc.StatusCode.INVALID_ARGUMENT, code
    assert text == "unknown algorithm name enas", text
    code, text = fault(address, validate,
                       request(experiment=experiment("tpe", gamma="2")), reply)
    assert text == "gamma should be in the range of (0, 1)", text


def serve_logs(logs):
    """A DB manager that has the reports of these trials; returns it and its address."""
    def answer(request, context):
        assert request.metric_name == "loss", request
        if request.trial_name not in logs:
            context.abort(grpc.StatusCode.NOT_FOUND, "no such trial")
        reply = MESSAGE(PACKAGE + "GetObservationLogReply")()
        for value in logs[request.trial_name]:
            reply.observation_log.metric_logs.add().metric.value = str(value)
        return reply

    server = grpc.server(futures.ThreadPoolExecutor(2))
    handler = grpc.unary_unary_rpc_method_handler(
        answer, MESSAGE(PACKAGE + "GetObservationLogRequest").FromString,
        lambda reply: reply.SerializeToString())
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(
        PACKAGE + "DBManager", {"GetObservationLog": handler}),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    return server, f"127.0.0.1:{port}"


def stop_early(address, logs):
    """Rules come once enough trials have succeeded, and stop what is worse than most."""
    stopping = PACKAGE + "EarlyStopping/"
    message = experiment("random")
    message.spec.early_stopping.algorithm_name = "medianstop"
    message.spec.early_stopping.algorithm_settings.add(name="start_step", value="2")
    validate = MESSAGE(PACKAGE + "ValidateEarlyStoppingSettingsRequest")
    call(address, stopping + "ValidateEarlyStoppingSettings",
         validate(early_stopping=message.spec.early_stopping),
         PACKAGE + "ValidateEarlyStoppingSettingsReply")
    wrong = validate()
    wrong.early_stopping.algorithm_name = "medianstop"
    wrong.early_stopping.algorithm_settings.add(name="start_step", value="0")
    code, text = fault(address, stopping + "ValidateEarlyStoppingSettings", wrong,
                       PACKAGE + "ValidateEarlyStoppingSettingsReply")
    assert code == grpc.StatusCode.INVALID_ARGUMENT, code
    assert text == "start_step must be greater or equal than one (>=1)", text

    def rules(trials):
        request = MESSAGE(PACKAGE + "GetEarlyStoppingRulesRequest")(
            experiment=message, trials=trials, db_manager_address="127.0.0.1:1")
        return call(address, stopping + "GetEarlyStoppingRules", request,
                    PACKAGE + "GetEarlyStoppingRulesReply").early_stopping_rules

    point = {"lr": "0.1", "layers": "1", "batch": "16", "optimizer": "sgd"}
    trials = [ended(number, point) for number in range(3)]
    for trial, values in zip(trials, ((3, 1, 0.5), (9, 7), (1000, "nan", 2))):
        logs[trial.name] = values
    assert len(rules(trials[:2])) == 0
    (rule,) = rules(trials)
    # The means of two reports are 2, 8 and 1000.
    assert (rule.name, float(rule.value), rule.comparison, rule.start_step) == (
        "loss", 8, 3, 2), rule
    # Katib's own service answers an experiment that says nothing of it, too.
    message.spec.ClearField("early_stopping")
    assert len(rules(trials[:2])) == 0
    # This service runs in no pod of a cluster whose objects it may change.
    code, text = fault(address, stopping + "SetTrialStatus",
                       MESSAGE(PACKAGE + "SetTrialStatusRequest")(trial_name="digits-1"),
                       PACKAGE + "SetTrialStatusReply")
    assert code == grpc.StatusCode.FAILED_PRECONDITION, code
    assert "no pod" in text, text


def check_health(address):
    request = MESSAGE(HEALTH + "HealthCheckRequest")
    for name in ("manager.v1beta1.Suggestion", "api.v1.beta1.Suggestion",
                 "api.v1.beta1.EarlyStopping", ""):
        answer = call(address, HEALTH + "Health/Check", request(service=name),
                      HEALTH + "HealthCheckResponse")
        assert answer.status == 1, name
    # Nothing else is served there.
    code, _ = fault(address, "vernier.v1.JobService/GetServiceInfo", request(),
                    HEALTH + "HealthCheckResponse")
    assert code == grpc.StatusCode.UNIMPLEMENTED, code


def main():
    logs = {}
    manager, manager_address = serve_logs(logs)
    with service.Service("--katib", "127.0.0.1:0",
                         "--katib-db-manager", manager_address) as running:
        def address():
            return re.findall(r" katib=(\S+)", running.log())[-1]
        check_health(address())
        check(address())
        stop_early(address(), logs)
        tune(running, address)
    manager.stop(None)
    print("all answered")


main()
