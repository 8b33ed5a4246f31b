"""One library, in a process of its own: what crashes here leaves the others. Reads lines, answers each with a line:

    prepare WORKLOAD SIZE     data, first runs (compiling), comparison with NumPy in f64: "ok", or "no" and a reason
    turn SECONDS              repetitions for about so long: their times in seconds
    version                   what is measured

    worker.py PEER THREADS                        PEERS_GPU=1: JAX and PyTorch on CUDA

A large size is timed once the smallest has been compared.
"""
import importlib.metadata
import os
import re
import sys
import time
import types

import numpy as np

import workloads

THREADS = int(sys.argv[2])
ON_GPU = bool(os.environ.get("PEERS_GPU"))


def normalised(x, mean, square):
    """layer_norm and rms_norm for a library without them."""
    def layer_norm(v, gain, bias):
        centred = v - mean(v, 1, True)
        return centred / x.sqrt(mean(square(centred), 1, True) + 1e-5) * gain + bias

    def rms_norm(v, gain):
        return v / x.sqrt(mean(square(v), 1, True) + 1e-5) * gain

    x.layer_norm, x.rms_norm = layer_norm, rms_norm


def use_numpy():
    """The reference, in f64."""
    from scipy import special
    x = types.SimpleNamespace(
        maximum=np.maximum, minimum=np.minimum, sqrt=np.sqrt, exp=np.exp, log=np.log, erf=special.erf,
        gelu=lambda v: v * 0.5 * special.erfc(-v * 0.5**0.5), silu=lambda v: v * special.expit(v),
        gelu_tanh=lambda v: v * 0.5 * (1 + np.tanh((2 / np.pi)**0.5 * (v + 0.044715 * v**3))),
        sigmoid=special.expit, relu=lambda v: np.maximum(v, 0), sum=lambda v, axis: v.sum(axis),
        cumsum=np.cumsum, mean=lambda v, axis, keep: v.mean(axis, keepdims=keep),
        softmax=special.softmax, log_softmax=lambda v: special.log_softmax(v, 1))
    normalised(x, x.mean, np.square)
    return x


class Jax:
    def __init__(self):
        os.environ["JAX_PLATFORMS"] = "cuda" if ON_GPU else "cpu"
        os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
        os.environ["XLA_FLAGS"] = f"--xla_cpu_multi_thread_eigen=true intra_op_parallelism_threads={THREADS}"
        import jax
        from jax import numpy as jnp
        self.jax, self.version = jax, f"JAX {jax.__version__}, XLA"
        self.x = types.SimpleNamespace(
            maximum=jnp.maximum, minimum=jnp.minimum, sqrt=jnp.sqrt, exp=jnp.exp, log=jnp.log,
            erf=jax.scipy.special.erf, gelu=lambda v: jax.nn.gelu(v, approximate=False), gelu_tanh=jax.nn.gelu,
            silu=jax.nn.silu, sigmoid=jax.nn.sigmoid, relu=jax.nn.relu, sum=lambda v, axis: v.sum(axis),
            cumsum=jnp.cumsum, mean=lambda v, axis, keep: v.mean(axis, keepdims=keep),
            softmax=jax.nn.softmax, log_softmax=jax.nn.log_softmax)
        normalised(self.x, self.x.mean, jnp.square)

    def put(self, array):
        return self.jax.device_put(array)

    def build(self, workload, name):
        return self.jax.jit(lambda *a: workload.function(self.x, *a), donate_argnums=tuple(range(workload.updates)))

    def wait(self, out):
        self.jax.block_until_ready(out)

    def get(self, array):
        return np.asarray(array)


class Torch:
    def __init__(self, compiled):
        import torch
        from torch.nn import functional as f
        torch.set_num_threads(THREADS)
        torch.set_grad_enabled(False)
        self.torch, self.compiled, self.device = torch, compiled, "cuda" if ON_GPU else "cpu"
        self.version = f"PyTorch {torch.__version__.split('+')[0]}, {'inductor' if compiled else 'eager'}"
        self.x = types.SimpleNamespace(
            maximum=lambda v, c: torch.clamp(v, min=c), minimum=lambda v, c: torch.clamp(v, max=c), sqrt=torch.sqrt,
            exp=torch.exp, log=torch.log, erf=torch.erf, gelu=f.gelu, gelu_tanh=lambda v: f.gelu(v, approximate="tanh"),
            silu=f.silu, sigmoid=torch.sigmoid, relu=torch.relu, sum=lambda v, axis: v.sum(axis),
            cumsum=lambda v, axis: v.cumsum(axis), mean=lambda v, axis, keep: v.mean(axis, keepdim=keep),
            softmax=torch.softmax,
            log_softmax=lambda v: torch.log_softmax(v, 1),
            layer_norm=lambda v, g, b: f.layer_norm(v, (v.shape[1],), g, b, 1e-5),
            rms_norm=lambda v, g: f.rms_norm(v, (v.shape[1],), g, 1e-5))

    def put(self, array):
        return self.torch.from_numpy(array).to(self.device)

    def build(self, workload, name):
        def plain(*a):
            return workload.function(self.x, *a)
        if not self.compiled:
            return plain
        self.torch.compiler.reset()
        return self.torch.compile(plain, dynamic=False)

    def wait(self, out):
        if ON_GPU:
            self.torch.cuda.synchronize()

    def get(self, array):
        return array.cpu().numpy()


class Tinygrad:
    def __init__(self):
        os.environ["DEV"] = "CL"
        from tinygrad import Device, Tensor, TinyJit
        self.Tensor, self.jit, self.device = Tensor, TinyJit, Device[Device.DEFAULT]
        self.version = f"tinygrad {importlib.metadata.version('tinygrad')}"
        self.x = types.SimpleNamespace(
            maximum=lambda v, c: v.maximum(c), minimum=lambda v, c: v.minimum(c), sqrt=Tensor.sqrt, exp=Tensor.exp,
            log=Tensor.log, erf=Tensor.erf, gelu=lambda v: v * 0.5 * (1.0 + (v * 0.5**0.5).erf()),
            gelu_tanh=Tensor.gelu, silu=Tensor.silu, sigmoid=Tensor.sigmoid, relu=Tensor.relu,
            sum=lambda v, axis: v.sum(axis), cumsum=lambda v, axis: v.cumsum(axis),
            mean=lambda v, axis, keep: v.mean(axis, keepdim=keep), softmax=lambda v, axis: v.softmax(axis),
            log_softmax=lambda v: v.log_softmax(1))
        normalised(self.x, self.x.mean, lambda v: v * v)

    def put(self, array):
        return self.Tensor(array).realize()

    def build(self, workload, name):
        def plain(*a):
            out = workload.function(self.x, *a)
            out = out if isinstance(out, tuple) else (out,)
            self.Tensor.realize(*out)
            return out
        return self.jit(plain)

    def wait(self, out):
        self.device.synchronize()

    def get(self, array):
        return array.numpy()


class Numexpr:
    """Expressions over whole arrays; a result per call. What it cannot say, it leaves out."""
    def __init__(self):
        import numexpr
        numexpr.set_num_threads(THREADS)
        self.ne, self.version = numexpr, f"numexpr {numexpr.__version__}"

    def expression(self, name):
        if name.startswith("chain-") and not name.endswith("f16"):
            text = "a"
            for i in range(int(name.split("-")[1])):
                text = ("({} * 1.01)", "({} + 0.25)", "where({0} > -1.5, {0}, -1.5)", "({} - 0.125)", "({} * 0.98)",
                        "where({0} < 1.75, {0}, 1.75)", "(-{})", "({} + 0.5)")[i % 8].format(text)
                if len(text) > 2000:
                    return None
            return text
        return {
            "gelu-tanh": "a * 0.5 * (1 + tanh(0.7978845608 * (a + 0.044715 * a * a * a)))",
            "silu-gate": "a / (1 + exp(-a)) * b",
            "broadcast": "(a - b) * (a - b) * -0.5 + 1.0",
            "strided": "a * 2.0 + b",
            "whole-sum": "sum(a)",
            "row-sum": "sum(a, axis=1)",
            "column-sum": "sum(a, axis=0)",
        }.get(name)

    def put(self, array):
        return array

    def build(self, workload, name):
        text = self.expression(name)
        if text is None:
            raise NotImplementedError("no such expression")
        constants = {}

        def name_of(number):  # a plain number would make everything f64
            constants[f"c{len(constants)}"] = np.float32(number.group(0))
            return f"c{len(constants) - 1}"
        if "sum(" not in text:
            text = re.sub(r"(?<![\w.])\d+(\.\d+)?", name_of, text)
        views = {"strided": lambda a, b: (a[:, ::2], b.T)}.get(name, lambda *a: a)

        def plain(*arrays):
            return self.ne.evaluate(text, {**dict(zip("ab", views(*arrays))), **constants})
        return plain

    def wait(self, out):
        pass

    def get(self, array):
        return np.asarray(array)


PEERS = {"jax": Jax, "torch": lambda: Torch(False), "inductor": lambda: Torch(True), "tinygrad": Tinygrad,
         "numexpr": Numexpr}


class Case:
    def __init__(self, peer, name, size):
        workload = workloads.WORKLOADS[name]
        self.peer, self.updates = peer, workload.updates
        self.run = peer.build(workload, name)
        if size == workload.large:
            self.check(workload, next(iter(workload.sizes)))
            self.inputs = [peer.put(a) for a in workload.data(size)]
        else:
            self.check(workload, size)
        for _ in range(4):
            self.once()

    def check(self, workload, size):
        data = workload.data(size)
        wanted = workload.function(use_numpy(), *[a.astype(np.float64) for a in data])
        self.inputs = [self.peer.put(a.copy()) for a in data]
        self.compare(self.once(), wanted, workload.tolerance)

    def once(self):
        out = self.run(*self.inputs)
        self.peer.wait(out)
        out = out if isinstance(out, tuple) else (out,)
        if self.updates:
            self.inputs[:self.updates] = out[:self.updates]
        return out

    def compare(self, found, wanted, tolerance):
        wanted = wanted if isinstance(wanted, tuple) else (wanted,)
        for x, y in zip(found, wanted):
            x = self.peer.get(x).astype(np.float64)
            if x.shape != np.shape(y) or not np.all(np.abs(x - y) <= tolerance * (1 + np.abs(y))):
                raise ValueError("results differ from NumPy's")

    def turn(self, seconds):
        self.once()
        times = []
        start = time.perf_counter()
        while time.perf_counter() - start < seconds or not times:
            before = time.perf_counter()
            self.once()
            times.append(time.perf_counter() - before)
        return times


def main():
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what a library prints is no answer
    peer = PEERS[sys.argv[1]]()
    case = None
    for line in sys.stdin:
        words = line.split()
        try:
            if words[0] == "version":
                answers.write(f"ok {peer.version}\n")
            elif words[0] == "prepare":
                case = None
                case = Case(peer, words[1], words[2])
                answers.write("ok\n")
            else:
                answers.write("ok " + " ".join(f"{t:.9f}" for t in case.turn(float(words[1]))) + "\n")
        except Exception as error:  # of any library, with whatever it raises
            answers.write("no " + f"{type(error).__name__}: {error}".replace("\n", " ")[:200] + "\n")


if __name__ == "__main__":
    main()
