"""Eight processes empty one queue of 100 trials: each trial goes to one of them."""

import multiprocessing
import sys

import optuna


def proxy():
    host, _, port = sys.argv[1].rpartition(":")
    return optuna.storages.GrpcStorageProxy(host=host, port=int(port))


def drain(name, out):
    study, mine = optuna.load_study(study_name=name, storage=proxy()), []
    while (trial := study._pop_waiting_trial_id()) is not None:
        mine.append(trial)
    out.put(mine)


def main():
    study = optuna.create_study(storage=proxy())
    for i in range(100):
        study.enqueue_trial({"i": i})
    spawn, ids = multiprocessing.get_context("spawn"), []
    out = spawn.Queue()
    workers = [spawn.Process(target=drain, args=(study.study_name, out)) for _ in range(8)]
    for worker in workers:
        worker.start()
    for _ in workers:
        ids += out.get(timeout=120)
    assert len(ids) == len(set(ids)) == 100, (len(ids), len(set(ids)))
    print("ok")


if __name__ == "__main__":
    main()
