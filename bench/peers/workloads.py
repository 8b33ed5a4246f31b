"""The workloads of `sinter bench`, once for every library: each is written over a namespace `x`, which a library fills
with its own best functions (worker.py). Shapes, ranges and seeds are those of bench/workloads.c; `check_lists` in
run.py fails where the two lists differ.
"""
import numpy as np

KI = 1024
MI = 1024 * 1024


def chain(x, v, steps):
    for i in range(steps):
        v = (lambda v: v * 1.01, lambda v: v + 0.25, lambda v: x.maximum(v, -1.5), lambda v: v - 0.125,
             lambda v: v * 0.98, lambda v: x.minimum(v, 1.75), lambda v: -v, lambda v: v + 0.5)[i % 8](v)
    return v


def adam(x, p, m, v, g, decay=1.0):
    m = m * 0.9 + g * (1.0 - 0.9)
    v = v * 0.999 + g * g * (1.0 - 0.999)
    step = m * (0.001 / (1.0 - 0.9**10)) / (x.sqrt(v * (1.0 / (1.0 - 0.999**10))) + 1e-8)
    return (p if decay == 1.0 else p * decay) - step, m, v


def adam_8(x, *tensors):
    out = []
    for i in range(8):
        out += adam(x, *tensors[3 * i:3 * i + 3], tensors[24 + i])
    return tuple(out)


def normal_cdf(x, v):
    return x.erf(v * 0.5**0.5) * 0.5 + 0.5


def black_scholes(x, spot, strike, time):
    spread = x.sqrt(time) * 0.3
    d1 = (x.log(spot / strike) + time * 0.065) / spread
    return spot * normal_cdf(x, d1) - strike * x.exp(time * -0.02) * normal_cdf(x, d1 - spread)


def tone_curve(x, image, gain):
    v = image * gain
    v = (v * 2.51 + 0.03) * v / ((v * 2.43 + 0.59) * v + 0.14)
    return x.minimum(x.maximum(v, 0.0), 1.0) ** (1.0 / 2.2)


def mean_variance(x, v):
    mean = x.mean(v, 1, True)
    return mean, x.mean((v - mean) ** 2, 1, True)


def perceptron(x, v, w1, b1, w2, b2, w3, b3):
    return x.sigmoid(x.relu(x.relu(v @ w1 + b1) @ w2 + b2) @ w3 + b3)


STATE = [(-1, 1), (-0.1, 0.1), (0, 0.01)]
ROWS = {"64x1024": (64, 1024), "4096x1024": (4096, 1024), "131072x1024": (131072, 1024)}
ADAM_8 = ["ab", "b", "bc", "c", "cd", "d", "a", "ac"]


class Workload:
    """Axes and range per input; extents per size, of which the last is that of `sinter bench --large`. The first
    `updates` inputs are replaced by the outputs."""

    def __init__(self, function, inputs, sizes, tolerance, updates=0, dtype=np.float32):
        self.function, self.inputs, self.sizes, self.tolerance = function, inputs, sizes, tolerance
        self.updates, self.dtype = updates, dtype
        self.large = list(sizes)[-1]

    def data(self, size):
        """Of the large size, which is not compared, the numbers repeat: making them all takes longer than the rest."""
        most = 4 * MI if size == self.large else None
        return [fill(self.shape(axes, size), low, high, i + 1, self.dtype, most)
                for i, (axes, low, high) in enumerate(self.inputs)]

    def shape(self, axes, size):
        extents = dict(zip("abcd", self.sizes[size]))
        extents.update({k.upper(): 2 * v for k, v in list(extents.items())}, **{"1": 1})
        return tuple(extents[axis] for axis in axes)


def fill(shape, low, high, seed, dtype, most=None):
    """The numbers of bench/operand.c: a linear congruential generator, its steps taken all at once. `most` of them, and
    again from the first."""
    count = int(np.prod(shape))
    count = min(count, most or count)
    powers = np.cumprod(np.full(count, 6364136223846793005, np.uint64))
    sums = np.cumsum(np.concatenate([np.ones(1, np.uint64), powers[:-1]]))
    start = np.uint64((seed * 0x9e3779b97f4a7c15 + 1) % 2**64)
    states = powers * start + sums * np.uint64(1442695040888963407)
    unit = (states >> np.uint64(40)).astype(np.float32) * np.float32(2.0**-24)
    low, high = np.float32(low), np.float32(high)
    return np.resize((low + (high - low) * unit).astype(dtype), shape)


def chain_of(steps):
    sizes = {"16Ki": (16 * KI,), "64Ki": (64 * KI,), "1Mi": (MI,), "4Mi": (4 * MI,), "16Mi": (16 * MI,),
             "128Mi": (128 * MI,)}
    return Workload(lambda x, v: chain(x, v, steps), [("a", -2, 2)], sizes, 1e-5)


FLAT = {"64Ki": (64 * KI,), "4Mi": (4 * MI,), "128Mi": (128 * MI,)}
STEP = {"64Ki": (64 * KI,), "4Mi": (4 * MI,), "64Mi": (64 * MI,)}
ONES = {"1Mi": (MI,), "4Mi": (4 * MI,), "128Mi": (128 * MI,)}
SQUARES = {"256x256": (256, 256), "2048x2048": (2048, 2048), "8192x8192": (8192, 8192)}
ADAM = [("a", *r) for r in STATE] + [("a", -1, 1)]

WORKLOADS = {
    "chain-2": chain_of(2),
    "chain-8": chain_of(8),
    "chain-32": chain_of(32),
    "chain-8-f16": Workload(lambda x, v: chain(x, v, 8), [("a", -2, 2)], FLAT, 1e-2, dtype=np.float16),
    "bias-gelu": Workload(lambda x, v, b: x.gelu(v + b), [("ab", -3, 3), ("b", -1, 1)], ROWS, 1e-5),
    "gelu": Workload(lambda x, v: x.gelu(v), [("a", -3, 3)], ONES, 1e-5),
    "gelu-tanh": Workload(lambda x, v: x.gelu_tanh(v), [("a", -3, 3)], ONES, 1e-5),
    "silu-gate": Workload(lambda x, v, w: x.silu(v) * w, [("a", -6, 6), ("a", -2, 2)], FLAT, 1e-5),
    "adam": Workload(adam, ADAM, STEP, 1e-5, 3),
    "adamw": Workload(lambda x, p, m, v, g: adam(x, p, m, v, g, 1.0 - 0.001 * 0.01), ADAM, STEP, 1e-5, 3),
    "adam-8": Workload(adam_8, [(a, *r) for a in ADAM_8 for r in STATE] + [(a, -1, 1) for a in ADAM_8],
                       {"0.1Mi": (256, 256, 128, 64), "1Mi": (1024, 512, 256, 64),
                        "64Mi": (8192, 4096, 2048, 512)}, 1e-5, 24),
    "black-scholes": Workload(black_scholes, [("a", 50, 150), ("a", 50, 150), ("a", 0.1, 2)], FLAT, 1e-4),
    "tone-curve": Workload(tone_curve, [("abc", 0, 2), ("c", 0.8, 1.2)],
                           {"128x256": (128, 256, 3), "1080x1920": (1080, 1920, 3),
                            "4320x7680": (4320, 7680, 3)}, 1e-5),
    "strided": Workload(lambda x, v, w: v[:, ::2] * 2.0 + w.T, [("aB", -1, 1), ("ba", -1, 1)], SQUARES, 1e-6),
    "broadcast": Workload(lambda x, v, w: (v - w) ** 2 * -0.5 + 1.0, [("a1", -1, 1), ("1b", -1, 1)], SQUARES, 1e-6),
    "row-sum": Workload(lambda x, v: x.sum(v, 1), [("ab", -1, 1)], ROWS, 1e-3),
    "plane-sum": Workload(lambda x, v: x.sum(v, (0, 2)), [("abc", -1, 1)],
                          {"8x32x256": (8, 32, 256), "64x256x256": (64, 256, 256), "64x8192x256": (64, 8192, 256)}, 1e-3),
    "cumsum": Workload(lambda x, v: x.cumsum(v, 1), [("ab", -1, 1)], ROWS, 1e-3),
    "cumsum-down": Workload(lambda x, v: x.cumsum(v, 0), [("ab", -1, 1)], ROWS, 1e-3),
    "whole-sum": Workload(lambda x, v: x.sum(v, 0), [("a", -1, 1)],
                          {"64Ki": (64 * KI,), "4Mi": (4 * MI,), "64Mi": (64 * MI,),
                           "256Mi": (256 * MI,)}, 1e-3),
    "column-sum": Workload(lambda x, v: x.sum(v, 0), [("ab", -1, 1)], ROWS, 1e-3),
    "mean-variance": Workload(mean_variance, [("ab", -1, 1)], ROWS, 1e-4),
    "softmax": Workload(lambda x, v: x.softmax(v, 1), [("ab", -5, 5)], ROWS, 1e-5),
    "softmax-down": Workload(lambda x, v: x.softmax(v, 0), [("ab", -5, 5)],
                             {"64x1024": (64, 1024), "4096x1024": (4096, 1024), "16384x4096": (16384, 4096)}, 1e-5),
    "log-softmax": Workload(lambda x, v: x.log_softmax(v), [("ab", -5, 5)], ROWS, 1e-5),
    "layer-norm": Workload(lambda x, v, g, b: x.layer_norm(v, g, b),
                           [("ab", -2, 3), ("b", 0.5, 1.5), ("b", -1, 1)], ROWS, 1e-4),
    "rms-norm": Workload(lambda x, v, g: x.rms_norm(v, g), [("ab", -2, 3), ("b", 0.5, 1.5)], ROWS, 1e-4),
    "matmul": Workload(lambda x, v, w: v @ w, [("ab", -1, 1), ("bc", -1, 1)],
                       {"256": (256, 256, 256), "512": (512, 512, 512), "1024": (1024, 1024, 1024),
                        "4096": (4096, 4096, 4096)}, 1e-3),
    "perceptron": Workload(perceptron, [("ab", -1, 1), ("bc", -0.1, 0.1), ("c", -1, 1), ("cc", -0.05, 0.05),
                                        ("c", -1, 1), ("cd", -0.05, 0.05), ("d", -1, 1)],
                           {"batch-32": (32, 128, 256, 10), "batch-256": (256, 512, 1024, 10),
                            "batch-8192": (8192, 2048, 4096, 10)}, 1e-4),
}


def labels(large):
    """Workloads and sizes as `sinter bench --list` has them, or with `--large`."""
    return {f"{name}/{size}" for name, w in WORKLOADS.items() for size in w.sizes if (size == w.large) == large}
