"""Trains a small network on handwritten digits, on one or many processes.

Started by hand it trains alone. With RANK, WORLD_SIZE, MASTER_ADDR and
MASTER_PORT in its environment, the processes find each other and each trains
on its share of the data (DistributedDataParallel). Rank 0 measures the
accuracy after each epoch, reports it, and keeps the best network under
--job-dir.
"""

import argparse
import os
import socket

import numpy
import torch
import torch.distributed
from sklearn.datasets import load_digits
from torch import nn
from torch.nn.parallel import DistributedDataParallel

try:
    import hypertune
except ImportError:
    import hypertune_compat as hypertune

VALIDATION_SIZE = 360
OPTIMIZERS = {
    "adam": torch.optim.Adam,
    "rmsprop": torch.optim.RMSprop,
    "sgd": lambda parameters, lr: torch.optim.SGD(parameters, lr, momentum=0.9),
}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lr", type=float, default=0.01)
    parser.add_argument("--hidden-units", type=int, default=64)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--optimizer", choices=sorted(OPTIMIZERS),
                        default="adam")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=64,
                        help="of all processes together")
    parser.add_argument("--job-dir", help="folder for the best network")
    return parser.parse_args()


class Gang:
    """The processes that train together; one if there is no WORLD_SIZE."""

    def __init__(self):
        self.size = int(os.environ.get("WORLD_SIZE", "1"))
        self.rank = int(os.environ.get("RANK", "0"))
        self.device = torch.device("cpu")
        self._group = None
        if self.size > 1:
            self._meet()
        elif torch.cuda.is_available():
            self.device = torch.device("cuda", 0)

    def _meet(self):
        # gloo asks the host name for a network card; all on one machine need
        # none, and a bare machine may not know its own name.
        if os.environ["MASTER_ADDR"] in ("127.0.0.1", "localhost"):
            os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
        # Debian 13's PyTorch asks for libuv, and was built without it.
        os.environ.setdefault("USE_LIBUV", "0")
        torch.distributed.init_process_group("gloo")
        gpus = [None] * self.size
        torch.distributed.all_gather_object(gpus, self._own_gpu())
        # NCCL needs a GPU of its own for each process. All see the same list,
        # so all decide the same.
        if None not in gpus and len(set(gpus)) == self.size:
            index = gpus[self.rank][-1]
            self.device = torch.device("cuda", index)
            torch.cuda.set_device(self.device)
            self._group = torch.distributed.new_group(backend="nccl")

    @staticmethod
    def _own_gpu():
        index = int(os.environ.get("LOCAL_RANK", "0"))
        if not torch.cuda.is_available() or index >= torch.cuda.device_count():
            return None
        visible = os.environ.get("CUDA_VISIBLE_DEVICES", "")
        return (socket.gethostname(), visible, index)

    def share(self, model):
        """Gives every process the same `model`, and averages its gradients."""
        model = model.to(self.device)
        if self.size == 1:
            return model
        return DistributedDataParallel(model, process_group=self._group)

    def leave(self):
        if self.size > 1:
            # Whoever ends first must not take the meeting place away.
            torch.distributed.barrier()
            torch.distributed.destroy_process_group()


def load_data():
    """Returns training and validation inputs and labels; always the same."""
    digits = load_digits()
    order = numpy.random.RandomState(0).permutation(len(digits.target))
    inputs = torch.tensor(digits.data[order] / 16.0, dtype=torch.float32)
    labels = torch.tensor(digits.target[order], dtype=torch.int64)
    held_out = slice(0, VALIDATION_SIZE)
    rest = slice(VALIDATION_SIZE, None)
    return inputs[rest], labels[rest], inputs[held_out], labels[held_out]


def make_model(hidden_units, dropout):
    return nn.Sequential(nn.Linear(64, hidden_units), nn.ReLU(),
                         nn.Dropout(dropout), nn.Linear(hidden_units, 10))


def train_epoch(model, optimizer, inputs, labels, epoch, gang, batch_size):
    """One pass over this process's share of the data."""
    model.train()
    # Every process draws the same order and takes its own part of each batch,
    # so that all make the same number of steps.
    generator = torch.Generator().manual_seed(epoch)
    order = torch.randperm(len(inputs), generator=generator)
    for start in range(0, len(order) - batch_size + 1, batch_size):
        mine = order[start:start + batch_size][gang.rank::gang.size]
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(inputs[mine]), labels[mine])
        loss.backward()
        optimizer.step()


def measure_accuracy(model, inputs, labels):
    model.eval()
    with torch.no_grad():
        right = (model(inputs).argmax(1) == labels).sum().item()
    return right / len(labels)


def save(model, arguments, accuracy, epoch):
    """Replaces the best network; a reader sees the old one or the new one."""
    os.makedirs(arguments.job_dir, exist_ok=True)
    path = os.path.join(arguments.job_dir, "best.pt")
    torch.save({"model": model.state_dict(), "accuracy": accuracy,
                "epoch": epoch, "hidden_units": arguments.hidden_units},
               path + ".new")
    os.replace(path + ".new", path)
    return path


def train(arguments, gang):
    torch.manual_seed(0)
    data = [tensor.to(gang.device) for tensor in load_data()]
    inputs, labels, validation_inputs, validation_labels = data
    network = make_model(arguments.hidden_units, arguments.dropout)
    model = gang.share(network)
    torch.manual_seed(gang.rank)  # Different dropout in each process.
    optimizer = OPTIMIZERS[arguments.optimizer](model.parameters(),
                                                lr=arguments.lr)
    reporter = hypertune.HyperTune() if gang.rank == 0 else None
    best = -1.0
    for epoch in range(1, arguments.epochs + 1):
        train_epoch(model, optimizer, inputs, labels, epoch, gang,
                    arguments.batch_size)
        if gang.rank != 0:
            continue
        accuracy = measure_accuracy(network, validation_inputs,
                                    validation_labels)
        print(f"epoch {epoch}: accuracy {accuracy:.4f}", flush=True)
        checkpoint = ""
        if accuracy > best and arguments.job_dir:
            checkpoint = save(network, arguments, accuracy, epoch)
        best = max(best, accuracy)
        reporter.report_hyperparameter_tuning_metric(
            os.environ.get("CLOUD_ML_HP_METRIC_TAG", "accuracy"), accuracy,
            global_step=epoch, checkpoint_path=checkpoint)


def main():
    arguments = parse_arguments()
    torch.set_num_threads(1)  # Several processes share this machine's cores.
    gang = Gang()
    print(f"rank {gang.rank} of {gang.size} on {gang.device}", flush=True)
    train(arguments, gang)
    gang.leave()


if __name__ == "__main__":
    main()
