#!/usr/bin/env python3
"""Records the learning curves of PyTorch networks into networks.npz.

Thousands of small networks of one kind are trained side by side, each with its
own hyperparameters, and a surrogate is fitted to their validation losses: a
network from the hyperparameters to the whole curve. The file holds surrogates,
how well they predict trainings that they were not fitted to, and how curves
jitter from epoch to epoch. It is in the repository, so that nobody needs to run
this to measure. Needs PyTorch and scikit-learn; one H200 took five minutes.
"""
import argparse
import inspect
import math
import pathlib
import time

import numpy
import torch
from scipy.stats import qmc, spearmanr
from sklearn import datasets

from families import TORCH_NETWORKS, reachable, surrogate_inputs, to_values

FILE = pathlib.Path(__file__).with_name("networks.npz")
CAP_IN_CHANCES = 3.0  # Losses are cut off at so many times that of guessing.
CONTEXT = 32
LETTERS = 64
JITTERS = 512
HIDDEN = 160


class Models:
    """Parameters of all networks of one chunk, with the network as first axis."""

    def __init__(self, hyper, device):
        self.hyper = hyper
        self.count = len(hyper["rate"])
        self.device = device
        self.weights = {}
        self._generator = torch.Generator(device).manual_seed(1)

    def add(self, name, *shape, scale):
        values = torch.randn(
            (self.count, *shape), generator=self._generator, device=self.device
        )
        self.weights[name] = (values * scale).requires_grad_()

    def column(self, name, axes):
        """A hyperparameter, to be multiplied with a tensor of so many axes."""
        return self.hyper[name].reshape(-1, *[1] * (axes - 1))

    def mask(self, name, size):
        """1 for the units that a network of this width has: (network, 1, unit)."""
        index = torch.arange(size, device=self.device)
        return (index[None] < self.hyper[name][:, None]).float()[:, None]

    def dropped(self, x, training):
        if not training:
            return x
        kept = 1 - self.column("dropout", x.dim())
        return x * (torch.rand_like(x) < kept) / kept

    def dense(self, name, inputs, outputs, gain=2.0):
        self.add(name, inputs, outputs, scale=math.sqrt(gain / inputs))
        self.add(name + ".bias", 1, outputs, scale=0)

    def apply(self, name, x):
        """x: (network, row, input)."""
        return x @ self.weights[name] + self.weights[name + ".bias"]

    def everywhere(self, x):
        return x[None].expand(self.count, *x.shape)


def cross_entropies(scores, targets, smoothing=0.0):
    """Of (network, row, class) and (row,): (network, row)."""
    logs = torch.log_softmax(scores, -1)
    hit = logs.gather(-1, targets[None, :, None].expand(len(logs), -1, 1))[..., 0]
    return -(1 - smoothing) * hit - smoothing * logs.mean(-1)


class Perceptron:
    optimizer = "momentum"
    steps, batch = 16, 64

    def __init__(self, data):
        self.train, self.targets, self.validate, self.validation_targets = data
        self.classes = int(self.targets.max()) + 1
        self.cap = CAP_IN_CHANCES * math.log(self.classes)

    def build(self, models):
        models.dense("in", self.train.shape[1], 128)
        models.dense("middle", 128, 128)
        models.dense("out", 128, self.classes, 1.0)

    def scores(self, models, x, training):
        mask = models.mask("width", 128)
        x = models.everywhere(x)
        for name in ("in", "middle"):
            x = models.dropped(torch.relu(models.apply(name, x)) * mask, training)
        # He's scale is for 128 inputs; a narrower network has fewer.
        return models.apply("out", x * torch.sqrt(128 / mask.sum(-1, keepdim=True)))

    def losses(self, models, rows):
        scores = self.scores(models, self.train[rows], True)
        return cross_entropies(
            scores, self.targets[rows], models.column("smoothing", 2)
        )

    def validation(self, models):
        scores = self.scores(models, self.validate, False)
        return cross_entropies(scores, self.validation_targets).mean(1)


def windows(x):
    """3 x 3 surroundings of (..., height, width, channel), zeros beyond."""
    x = torch.nn.functional.pad(x, (0, 0, 1, 1, 1, 1))
    height, width = x.shape[-3] - 2, x.shape[-2] - 2
    parts = [
        x[..., i : i + height, j : j + width, :] for i in range(3) for j in range(3)
    ]
    return torch.cat(parts, -1)


class Convolution(Perceptron):
    optimizer = "adam"
    batch = 32

    def build(self, models):
        models.dense("first", 9, 16)
        models.dense("second", 9 * 16, 32)
        models.dense("out", 16 * 32, self.classes, 1.0)

    def scores(self, models, x, training):
        n, rows = models.count, len(x)
        x = windows(x.reshape(rows, 8, 8, 1)).reshape(rows * 64, 9)
        x = torch.relu(models.apply("first", models.everywhere(x)))
        x = x * models.mask("channels", 16)
        x = x.reshape(n, rows, 4, 2, 4, 2, 16).mean((3, 5))
        x = windows(x).reshape(n, rows * 16, 9 * 16)
        x = torch.relu(models.apply("second", x))
        x = models.dropped(x.reshape(n, rows, 16 * 32), training)
        return models.apply("out", x)

    def losses(self, models, rows):
        return cross_entropies(
            self.scores(models, self.train[rows], True), self.targets[rows]
        )


class Transformer:
    """Predicts each letter of a text from those before it."""

    optimizer = "adam"
    steps, batch = 20, 32
    size, heads = 32, 2

    def __init__(self, data):
        self.train, self.validate = data  # (context, CONTEXT + 1)
        self.cap = CAP_IN_CHANCES * math.log(LETTERS)

    def build(self, models):
        scale = models.column("scale", 3)
        models.add("letters", LETTERS, self.size, scale=scale)
        models.add("places", CONTEXT, self.size, scale=scale)
        models.dense("queries", self.size, 3 * self.size, 1.0)
        models.dense("values", self.size, self.size, 1.0)
        models.dense("wide", self.size, 2 * self.size)
        models.dense("narrow", 2 * self.size, self.size, 1.0)
        models.dense("out", self.size, LETTERS, 1.0)

    def scores(self, models, letters, training):
        n, rows, size = models.count, len(letters), self.size
        norm = lambda x: torch.nn.functional.layer_norm(x, (size,))
        x = models.weights["letters"][:, letters.reshape(-1)]
        x = x.reshape(n, rows, CONTEXT, size) + models.weights["places"][:, None]
        x = x.reshape(n, rows * CONTEXT, size)
        parts = models.apply("queries", norm(x))
        parts = parts.reshape(n * rows, CONTEXT, 3, self.heads, size // self.heads)
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        later = torch.ones(CONTEXT, CONTEXT, device=letters.device).triu(1).bool()
        affinities = q @ k.transpose(-1, -2) / math.sqrt(size // self.heads)
        seen = torch.softmax(affinities.masked_fill(later, -math.inf), -1) @ v
        seen = seen.transpose(1, 2).reshape(n, rows * CONTEXT, size)
        x = x + models.dropped(models.apply("values", seen), training)
        wide = torch.relu(models.apply("wide", norm(x)))
        x = x + models.dropped(models.apply("narrow", wide), training)
        return models.apply("out", norm(x))

    def losses(self, models, rows):
        texts = self.train[rows]
        scores = self.scores(models, texts[:, :-1], True)
        losses = cross_entropies(scores, texts[:, 1:].reshape(-1))
        return losses.reshape(models.count, len(rows), CONTEXT).mean(2)

    def validation(self, models):
        scores = self.scores(models, self.validate[:, :-1], False)
        return cross_entropies(scores, self.validate[:, 1:].reshape(-1)).mean(1)


class Denoiser:
    """Predicts the grey of a pixel from a noisy surrounding; in parts of the variance."""

    optimizer = "adam"
    steps, batch = 12, 128
    cap = 2.0

    def __init__(self, data):
        self.train, self.targets, self.validate, self.validation_targets = data

    def build(self, models):
        models.dense("in", self.train.shape[1], 64)
        models.dense("second", 64, 64)
        models.dense("third", 64, 64)
        models.dense("out", 64, 1, 1.0)

    def answers(self, models, x):
        mask = models.mask("width", 64)
        x = torch.relu(models.apply("in", x)) * mask
        for name, layer in (("second", 2), ("third", 3)):
            there = (models.column("layers", 3) >= layer).float()
            x = x + there * mask * torch.relu(models.apply(name, x))
        return models.apply("out", x)[..., 0]

    def losses(self, models, rows):
        x = models.everywhere(self.train[rows])
        x = x + models.column("noise", 3) * torch.randn_like(x)
        return (self.answers(models, x) - self.targets[rows]) ** 2

    def validation(self, models):
        answers = self.answers(models, models.everywhere(self.validate))
        errors = ((answers - self.validation_targets) ** 2).mean(1)
        return errors / self.validation_targets.var()


KINDS = {
    "perceptron": Perceptron,
    "convolution": Convolution,
    "transformer": Transformer,
    "denoiser": Denoiser,
}


def digits(rng, train):
    data = datasets.load_digits()
    order = rng.permutation(len(data.target))
    x, y = data.data[order] / 8 - 1, data.target[order]
    return x[:train], y[:train], x[train:], y[train:]


def grey(name):
    return datasets.load_sample_image(name).mean(2) / 128 - 1


def patches(image, count, size, rng):
    rows = rng.integers(0, image.shape[0] - size, count)
    columns = rng.integers(0, image.shape[1] - size, count)
    return numpy.array(
        [image[r : r + size, c : c + size] for r, c in zip(rows, columns)]
    )


def images(rng, train):
    """Is a patch of the temple or of the flower, whatever its brightness?"""
    count = train + 773
    y = rng.integers(0, 2, count)
    both = [patches(grey(n), count, 8, rng) for n in ("china.jpg", "flower.jpg")]
    x = numpy.where(y[:, None, None] == 0, both[0], both[1]).reshape(count, 64)
    x = x - x.mean(1, keepdims=True)
    x = x / (x.std(1, keepdims=True) + 0.05) + rng.normal(0, 0.3, x.shape)
    return x[:train], y[:train], x[train:], y[train:]


def text(kind):
    if kind == "english":
        from pydoc_data.topics import topics

        whole = "\n".join(topics[k] for k in sorted(topics))
    else:
        import argparse as a, ast, difflib, inspect as b, pathlib as c, tarfile, typing

        modules = (a, ast, difflib, b, c, tarfile, typing)
        whole = "\n".join(inspect.getsource(m) for m in modules)
    whole = whole.lower()
    usual = sorted(set(whole), key=lambda c: (-whole.count(c), c))[: LETTERS - 1]
    code = {c: i for i, c in enumerate(usual)}
    codes = numpy.array([code.get(c, LETTERS - 1) for c in whole])
    contexts = len(codes) // (CONTEXT + 1)
    return codes[: contexts * (CONTEXT + 1)].reshape(contexts, CONTEXT + 1)


def data_of(name, device):
    kind, source = name.split("-")[2:]
    rng = numpy.random.default_rng(0)
    if kind == "transformer":
        contexts = text(source)
        # A tenth of the text at its end; of that, every so many.
        end = len(contexts) * 9 // 10
        validate = contexts[end :: max(1, (len(contexts) - end) // 128)][:128]
        parts = contexts[:end], validate
    elif kind == "denoiser":
        image = grey(source + ".jpg")
        parts = []
        # The left of the picture teaches, the right of it tests.
        middle = image.shape[1] * 2 // 3
        for part, count in ((image[:, :middle], 20000), (image[:, middle:], 2000)):
            clean = patches(part, count, 7, rng)
            noisy = clean + rng.normal(0, 0.25, clean.shape)
            parts += [noisy.reshape(count, 49), clean[:, 3, 3]]
    else:
        train = 1024 if kind == "perceptron" else 512
        parts = {"digits": digits, "images": images}[source](rng, train)
    as_tensor = lambda part: torch.tensor(
        part, device=device, dtype=torch.float32 if part.dtype == float else torch.long
    )
    return KINDS[kind]([as_tensor(part) for part in parts])


def rates(hyper, schedule, share):
    """Of each network, when `share` of its training is over."""
    rate = hyper["rate"].clone()
    if "warmup" in hyper:
        rate = rate * torch.clamp((share + 1e-3) / (hyper["warmup"] + 1e-3), max=1)
    if "power" in hyper:
        return rate * (1 - share) ** hyper["power"]
    cosine = 0.5 * (1 + math.cos(math.pi * share))
    steps = 0.1 ** ((share >= 0.5) + (share >= 0.75))
    factors = torch.tensor([1.0, cosine, steps], device=rate.device)
    return rate * factors[schedule]


class Steps:
    """SGD with momentum, or AdamW, of each network by its own hyperparameters."""

    def __init__(self, task, hyper, weights):
        self._has_momentum = task.optimizer == "momentum"
        self._hyper = hyper
        self._beta = 1 - hyper.get(
            "one_minus_beta", torch.full_like(hyper["rate"], 0.1)
        )
        self._weights = weights
        self._first = [torch.zeros_like(w) for w in weights]
        self._second = [torch.zeros_like(w) for w in weights]
        self._count = 0

    @torch.no_grad()
    def take(self, gradients, rate):
        self._count += 1
        go = self._with_momentum if self._has_momentum else self._with_adam
        for w, g, m, v in zip(self._weights, gradients, self._first, self._second):
            go(w, g, m, v, lambda x: x.reshape(-1, *[1] * (w.dim() - 1)), rate)

    def _with_momentum(self, w, g, m, v, to, rate):
        g = g + to(self._hyper["decay"]) * w
        m.mul_(to(1 - self._hyper["one_minus_momentum"])).add_(g)
        w.sub_(to(rate) * m)

    def _with_adam(self, w, g, m, v, to, rate):
        beta = self._beta
        m.mul_(to(beta)).add_(to(1 - beta) * g)
        v.mul_(0.98).addcmul_(g, g, value=0.02)
        move = m / to(1 - beta**self._count)
        move /= (v / (1 - 0.98**self._count)).sqrt_().add_(1e-8)
        if "decay" in self._hyper:
            move += to(self._hyper["decay"]) * w
        w.sub_(to(rate) * move)


def curves_of(task, family, points, device):
    """The validation losses of the networks at `points`: (network, epoch)."""
    values = [to_values(family.parameters, p) for p in points]
    hyper = {
        p.name: torch.tensor([float(v[p.name]) for v in values], device=device)
        for p in family.parameters
        if not p.categories
    }
    schedule = None
    for p in family.parameters:
        if p.categories:
            schedule = torch.tensor(
                [p.categories.index(v[p.name]) for v in values], device=device
            )
    models = Models(hyper, device)
    task.build(models)
    weights = list(models.weights.values())
    steps = Steps(task, hyper, weights)
    index = torch.arange(task.batch, device=device)
    batch = hyper.get("batch", torch.full((len(points),), task.batch, device=device))
    shares = (index[None] < batch[:, None]) / batch[:, None]
    order = numpy.random.default_rng(2)
    curve = []
    count = 0
    total = family.epochs * task.steps
    for _ in range(family.epochs):
        for _ in range(task.steps):
            rows = torch.tensor(
                order.choice(len(task.train), task.batch, replace=False), device=device
            )
            loss = (task.losses(models, rows) * shares).sum()
            gradients = torch.autograd.grad(loss, weights)
            steps.take(gradients, rates(hyper, schedule, count / total))
            count += 1
        with torch.no_grad():
            loss = task.validation(models)
        loss = torch.nan_to_num(loss, task.cap, task.cap, task.cap)
        curve.append(loss.clamp(max=task.cap).cpu().numpy())
    return numpy.array(curve).T


def fit(inputs, curves, device):
    """A network to log curves; the last tenth of the rows tests it."""
    torch.manual_seed(3)
    logs = numpy.log(curves)
    mean, scale = logs.mean(0), logs.std(0).mean()
    x = torch.tensor(inputs, dtype=torch.float32, device=device)
    y = torch.tensor((logs - mean) / scale, dtype=torch.float32, device=device)
    train = len(x) * 9 // 10
    net = torch.nn.Sequential(
        torch.nn.Linear(x.shape[1], HIDDEN), torch.nn.GELU(approximate="tanh"),
        torch.nn.Linear(HIDDEN, HIDDEN), torch.nn.GELU(approximate="tanh"),
        torch.nn.Linear(HIDDEN, HIDDEN), torch.nn.GELU(approximate="tanh"),
        torch.nn.Linear(HIDDEN, y.shape[1]),
    ).to(device)
    epochs, batch = 300, min(256, train)
    optimizer = torch.optim.AdamW(net.parameters(), weight_decay=0.01)
    steps = epochs * (train // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, steps)
    for _ in range(epochs):
        order = torch.randperm(train, device=device)
        for i in range(train // batch):
            rows = order[i * batch : (i + 1) * batch]
            # Trainings that diverge are not fitted at the others' cost.
            loss = torch.nn.functional.smooth_l1_loss(net(x[rows]), y[rows], beta=0.3)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            schedule.step()
    with torch.no_grad():
        fitted = net(x).cpu().numpy() * scale + mean
    layers = [m for m in net if isinstance(m, torch.nn.Linear)]
    weights = [
        (m.weight.detach().T.cpu().numpy(), m.bias.detach().cpu().numpy())
        for m in layers
    ]
    ends, truth = fitted[train:, -1], logs[train:, -1]
    quality = [
        1 - ((ends - truth) ** 2).mean() / truth.var(),
        spearmanr(ends, truth)[0],
        numpy.median(numpy.abs(ends - truth)),
    ]
    return weights, mean, scale, fitted, numpy.array(quality)


def jitter_of(residuals):
    """What goes up and down from epoch to epoch; the last value has none."""
    padded = numpy.pad(residuals, ((0, 0), (2, 2)), "edge")
    smooth = sum(padded[:, i : i + residuals.shape[1]] for i in range(5)) / 5
    jitter = residuals - smooth
    jitter[:, -1] = 0
    return jitter


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--records", type=int, help="in place of each family's number")
    parser.add_argument("--chunk", type=int, default=1024)
    parser.add_argument("--families", default="", help="parts of names, with commas")
    parser.add_argument("--out", type=pathlib.Path, default=FILE)
    arguments = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = True
    known = dict(numpy.load(arguments.out)) if arguments.out.exists() else {}
    for name, family in TORCH_NETWORKS.items():
        if not any(part in name for part in arguments.families.split(",")):
            continue
        began = time.perf_counter()
        torch.manual_seed(0)
        task = data_of(name, arguments.device)
        records = arguments.records or family.records
        points = qmc.Sobol(len(family.parameters), seed=0).random(records)
        chunks = [
            curves_of(task, family, points[i : i + arguments.chunk], arguments.device)
            for i in range(0, records, arguments.chunk)
        ]
        trained = time.perf_counter()
        curves = numpy.concatenate(chunks)
        units = reachable(family.parameters, points)
        inputs = surrogate_inputs(family.parameters, units)
        weights, mean, scale, fitted, quality = fit(inputs, curves, arguments.device)
        for i, (weight, bias) in enumerate(weights):
            known[f"{name}/weight{i}"] = weight.astype(numpy.float16)
            known[f"{name}/bias{i}"] = bias.astype(numpy.float32)
        known[f"{name}/mean"] = mean.astype(numpy.float32)
        known[f"{name}/scale"] = numpy.float32(scale)
        known[f"{name}/quality"] = quality.astype(numpy.float32)
        jitter = jitter_of(numpy.log(curves) - fitted)[:JITTERS]
        known[f"{name}/places"] = inputs[:JITTERS].astype(numpy.float16)
        known[f"{name}/jitter"] = jitter.astype(numpy.float16)
        numpy.savez_compressed(arguments.out, **known)
        ends = curves[:, -1]
        print(
            f"{name}: {trained - began:.0f} s, fit {time.perf_counter() - trained:.0f} s;"
            f" R2 {quality[0]:.3f}, rank {quality[1]:.3f}, median error {quality[2]:.4f};"
            f" ends {numpy.quantile(ends, [0, .01, .1, .5, .9]).round(4)},"
            f" first {numpy.median(curves[:, 0]):.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
