#!/usr/bin/env python3
"""`sinter eval` against NumPy: values, shapes, dtypes, and errors where NumPy raises.

    test_eval_numpy.py SINTER

A program of the language is nearly a Python program, so each one is run twice: by `sinter eval`, and by exec() over
NumPy with the operations' names bound to NumPy's functions. NumPy 1.24 runs in its "weak" promotion state, which is
NumPy 2's; where 1.24 still differs from 2 the namespace below does what 2 does, and says so.

What sinter does differently on purpose (docs/numpy.md) is applied to the expectation in one place, `expected_dtype`:
a float64 that no float64 went into is float32. Values must be equal; functions with an ULP bound are computed in
float64 and compared within it.

Exits with 77 where NumPy is missing.
"""

import ast
import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import warnings

try:
    import numpy as np
except ImportError:
    print("python3-numpy is not installed: skipped")
    sys.exit(77)

if hasattr(np, "_set_promotion_state"):
    np._set_promotion_state("weak")
elif int(np.__version__.split(".")[0]) < 2:
    print("NumPy %s has no weak promotion: skipped" % np.__version__)
    sys.exit(77)

warnings.simplefilter("ignore")
np.seterr(all="ignore")

SINTER = os.path.abspath(sys.argv[1])
SECONDS = 60
NAMES = {"bool": np.bool_, "i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "i32": np.int32,
         "u32": np.uint32, "i64": np.int64, "u64": np.uint64, "f16": np.float16, "f32": np.float32,
         "f64": np.float64}
INTEGERS = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"]
FLOATS = ["f16", "f32", "f64"]

failures = []
counts = {"programs": 0, "results": 0, "errors": 0}


def report(text, why):
    failures.append("%s\n    %s" % (text if len(text) < 400 else text[:400] + " ...", why))


# NumPy's side ---------------------------------------------------------------------------------------------------

def as_float(x):
    """An integer or bool array as sinter's float; float64 here, so that the reference is exact."""
    x = np.asarray(x)
    return x.astype(np.float64) if x.dtype.kind in "bui" else x


def exact(function):
    """Computed in float64 and rounded once; `sized` compares within the operation's ULP bound."""
    def apply(x):
        x = as_float(x)
        return np.asarray(function(x.astype(np.float64)), dtype=x.dtype)
    return apply


def kept(function):
    """NumPy 2.1: floor, ceil and trunc of integers are the integers; round always was."""
    return lambda x: np.asarray(x) if np.asarray(x).dtype.kind in "bui" else function(x)


def where(c, a, b):
    """NumPy 2: where() promotes Python scalars weakly."""
    kinds = (bool, int, float)
    if type(a) in kinds and type(b) in kinds:
        return np.where(c, a, b)
    dtype = np.add(a, np.zeros(1, np.asarray(b).dtype)).dtype if type(a) in kinds else \
        np.add(b, np.zeros(1, np.asarray(a).dtype)).dtype if type(b) in kinds else np.result_type(a, b)
    if np.asarray(a).dtype == np.bool_ and np.asarray(b).dtype == np.bool_:
        dtype = np.bool_
    return np.where(c, np.asarray(a).astype(dtype), np.asarray(b).astype(dtype))


def cast(x, name):
    """Float to integer saturates, NaN gives 0."""
    x = np.asarray(x)
    to = NAMES[name]
    if x.dtype.kind == "f" and np.dtype(to).kind in "ui":
        info = np.iinfo(to)
        out = [0 if math.isnan(v) else info.max if v >= info.max else info.min if v <= info.min else int(v)
               for v in x.astype(np.float64).ravel()]
        return np.array(out, dtype=to).reshape(x.shape)
    return x.astype(to)


def made_dtype(value):
    return np.asarray(value).dtype


def full(shape, value, dtype=None):
    return np.full(shape, value, dtype=NAMES[dtype] if dtype else None)


def arange(*args, dtype=None, **named):
    if "count" in named:
        start, step = named.get("start", 0), named.get("step", 1)
        out = np.asarray(start) + np.arange(named["count"]) * step
        return out.astype(NAMES[dtype]) if dtype else out
    return np.arange(*args, dtype=NAMES[dtype] if dtype else None, **named)


def scalar(f):
    """A function of Python numbers over an array."""
    return lambda x: np.vectorize(f, otypes=[np.float64])(x) if x.size else x


erf = scalar(math.erf)


def lgamma(x):
    return math.inf if x <= 0 and (math.isinf(x) or x == math.floor(x)) else math.lgamma(x)


def erfc(x):
    return np.vectorize(math.erfc, otypes=[np.float64])(x) if x.size else x


def shift(function, left):
    """What lies past the width is 0, or the sign."""
    def apply(a, b):
        out = function(a, b)
        if out.dtype == np.bool_:
            out = out.astype(np.int8)
        width = out.dtype.itemsize * 8
        b = np.asarray(b)
        past = (b < 0) | (b >= width)
        a = np.broadcast_to(np.asarray(a), out.shape)
        gone = np.where((a < 0) & (not left), -1, 0).astype(out.dtype)
        return np.where(np.broadcast_to(past, out.shape), gone, out)
    return apply


def clamp(x, low, high):
    return np.minimum(np.maximum(x, low), high)


def reduction(function, whole):
    def apply(x, axis=None, keepdims=False):
        x = np.asarray(x)
        if whole and x.dtype.kind in "bui":
            return function(x.astype(np.float64), axis=axis, keepdims=keepdims)
        return function(x, axis=axis, keepdims=keepdims)
    return apply


def take(x, axis, start=None, stop=None, step=1, count=None):
    x = np.asarray(x)
    index = [slice(None)] * x.ndim
    if count is not None:
        index[axis] = start + step * np.arange(count)
    else:
        index[axis] = slice(start, stop, step)
    return x[tuple(index)]


def update(x, value, axis=(), start=None, stop=None, step=None, count=None):
    x = np.array(x)
    index = [slice(None)] * x.ndim
    axes = (axis,) if isinstance(axis, int) else axis
    for k, a in enumerate(axes):
        b = [v if v is None or isinstance(v, int) else v[k] for v in (start, stop, step, count)]
        index[a] = slice(*b[:3]) if b[3] is None else b[0] + (b[2] or 1) * np.arange(b[3])
    if any(not isinstance(i, slice) for i in index):
        index = np.ix_(*[np.arange(n)[i] if isinstance(i, slice) else i for i, n in zip(index, x.shape)])
    else:
        index = tuple(index)
    x[index] = value
    return x


def composition(function):
    """A formula over axes, in float64; None for an axis is every axis."""
    def apply(x, axis=None, *args, **named):
        x = as_float(x)
        axis = tuple(range(x.ndim)) if axis is None else axis
        return np.asarray(function(x.astype(np.float64), axis, *args, **named)).astype(x.dtype)
    return apply


def logsumexp(x, axis, keepdims=False):
    most = np.max(x, axis=axis, keepdims=True)
    shift = np.where(np.isfinite(most), most, 0)
    total = np.log(np.sum(np.exp(x - shift), axis=axis, keepdims=True)) + shift
    return total if keepdims else np.squeeze(total, axis=axis)


def norm(x, axis, keepdims=False, ord=2):
    size = np.abs(x)
    if ord == 2:
        return np.sqrt(np.sum(size * size, axis=axis, keepdims=keepdims))
    return (np.sum if ord == 1 else np.max)(size, axis=axis, keepdims=keepdims)


def softmax(x, axis):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def rms_norm(x, axis, weight=None, eps=1e-5):
    y = x / np.sqrt(np.mean(x * x, axis=axis, keepdims=True) + eps)
    return y if weight is None else y * weight


def layer_norm(x, axis, weight=None, bias=None, eps=1e-5):
    y = rms_norm(x - np.mean(x, axis=axis, keepdims=True), axis, weight, eps)
    return y if bias is None else y + bias


def position(function):
    """Over several axes: the row-major index among them."""
    def apply(x, axis=None, keepdims=False):
        x = np.asarray(x)
        axes = tuple(range(x.ndim)) if axis is None else tuple(a % x.ndim for a in np.atleast_1d(axis).astype(int))
        kept = [a for a in range(x.ndim) if a not in axes]
        line = np.transpose(x, kept + sorted(axes)).reshape(
            [x.shape[a] for a in kept] + [math.prod(x.shape[a] for a in axes)])
        out = function(line, axis=-1)
        return out.reshape([1 if a in axes else x.shape[a] for a in range(x.ndim)]) if keepdims else out
    return apply


def variance(x, axis, keepdims=False, correction=0):
    return np.var(x, axis=axis, keepdims=keepdims, ddof=correction)


def deviation(x, axis, keepdims=False, correction=0):
    return np.std(x, axis=axis, keepdims=keepdims, ddof=correction)


SIGMOID = exact(lambda x: 1 / (1 + np.exp(-x)))

NAMESPACE = {
    "inf": math.inf, "nan": math.nan, "add": np.add, "sub": np.subtract, "mul": np.multiply,
    "div": np.true_divide, "floordiv": np.floor_divide, "mod": np.remainder, "pow": np.power,
    "minimum": np.minimum, "maximum": np.maximum, "neg": np.negative, "abs": np.abs, "sign": np.sign,
    "fma": lambda a, b, c: a * b + c, "square": np.square, "copy": np.array,
    "floor": kept(np.floor), "ceil": kept(np.ceil), "trunc": kept(np.trunc), "round": kept(np.rint),
    "sqrt": exact(np.sqrt), "rsqrt": exact(lambda x: 1 / np.sqrt(x)), "reciprocal": exact(lambda x: 1 / x),
    "exp": exact(np.exp), "exp2": exact(np.exp2), "expm1": exact(np.expm1), "log": exact(np.log),
    "log2": exact(np.log2), "log10": exact(np.log10), "log1p": exact(np.log1p), "sin": exact(np.sin),
    "cos": exact(np.cos), "tan": exact(np.tan), "atan": exact(np.arctan), "tanh": exact(np.tanh),
    "exp10": exact(lambda x: np.power(10.0, x)), "asin": exact(np.arcsin), "acos": exact(np.arccos),
    "sinh": exact(np.sinh), "cosh": exact(np.cosh), "asinh": exact(np.arcsinh), "acosh": exact(np.arccosh),
    "atanh": exact(np.arctanh), "cbrt": exact(np.cbrt), "erfc": exact(scalar(math.erfc)), "lgamma": exact(scalar(lgamma)),
    "atan2": np.arctan2, "hypot": np.hypot,
    "erf": exact(erf), "sigmoid": SIGMOID, "relu": lambda x: np.maximum(x, np.asarray(x).dtype.type(0)),
    "leaky_relu": lambda x, slope=0.01: np.where(as_float(x) > 0, as_float(x), as_float(x) * slope),
    "elu": lambda x, alpha=1.0: exact(lambda v: np.where(v > 0, v, alpha * np.expm1(v)))(x),
    "gelu": exact(lambda x: x * 0.5 * erfc(-x / math.sqrt(2))),
    "gelu_tanh": exact(lambda x: x * SIGMOID(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3))),
    "silu": exact(lambda x: x / (1 + np.exp(-x))), "softplus": exact(lambda x: np.logaddexp(x, 0)),
    "clamp": clamp, "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
    "ge": np.greater_equal, "isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite,
    "logical_and": np.logical_and, "logical_or": np.logical_or, "logical_xor": np.logical_xor,
    "logical_not": np.logical_not, "bit_and": np.bitwise_and, "bit_or": np.bitwise_or,
    "bit_xor": np.bitwise_xor, "bit_not": np.invert, "shl": shift(np.left_shift, True),
    "shr": shift(np.right_shift, False), "where": where, "cast": cast, "full": full, "arange": arange,
    "reshape": np.reshape, "transpose": np.transpose, "expand": np.broadcast_to, "squeeze": np.squeeze,
    "unsqueeze": np.expand_dims, "flip": np.flip, "slice": take, "update": update,
    "sum": reduction(np.sum, False), "mean": reduction(np.mean, True), "max": reduction(np.max, False),
    "min": reduction(np.min, False), "prod": reduction(np.prod, False), "all": reduction(np.all, False),
    "any": reduction(np.any, False), "matmul": np.matmul,
    "cumsum": lambda x, axis: np.cumsum(x, axis=axis), "cumprod": lambda x, axis: np.cumprod(x, axis=axis),
    "argmax": position(np.argmax), "argmin": position(np.argmin), "var": composition(variance), "std": composition(deviation),
    "norm": composition(norm), "logsumexp": composition(logsumexp), "softmax": composition(softmax),
    "log_softmax": composition(lambda x, axis: x - logsumexp(x, axis, True)), "rms_norm": composition(rms_norm),
    "layer_norm": composition(layer_norm),
}


def expected_dtype(dtype, has_f64):
    return np.dtype(np.float32) if dtype == np.float64 and not has_f64 else np.dtype(dtype)


# sinter's side ----------------------------------------------------------------------------------------------------

def run(arguments):
    return subprocess.run([SINTER] + arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=SECONDS)


def bindings(inputs):
    out = []
    for name, value in inputs.items():
        np.save(name + ".npy", value)
        out.append("%s=%s.npy" % (name, name))
    return out


def names_of(program):
    tree = ast.parse(program)
    out = []
    for node in tree.body:
        name = node.targets[0].id
        if name not in out:
            out.append(name)
    return out


def ulp_distance(a, b):
    """In units in the last place of a's dtype; NaN agrees with NaN."""
    bits = {2: np.int16, 4: np.int32, 8: np.int64}[a.dtype.itemsize]
    def line(x):
        i = x.view(bits).astype(np.int64)
        return np.where(i < 0, np.int64(np.iinfo(bits).min) - i, i)
    both = np.isnan(a) & np.isnan(b)
    far = np.isnan(a) != np.isnan(b)
    return np.where(both, 0, np.where(far, np.iinfo(np.int64).max, np.abs(line(a) - line(b))))


def statement(program, name):
    """The part of the program that makes `name`."""
    parts = [part.strip() for part in program.split(";")]
    return "; ".join(part for part in parts if part.startswith(name + " =")) or program


def compare(program, name, got, wanted, ulp, zeros):
    counts["results"] += 1
    program = statement(program, name)
    if got.dtype != wanted.dtype or got.shape != wanted.shape:
        report(program, "%s is %s%s, NumPy has %s%s" % (name, got.dtype, got.shape, wanted.dtype, wanted.shape))
        return
    if got.dtype.kind != "f":
        same = got == wanted
    elif ulp == 0:
        same = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
        if zeros:
            same &= (np.signbit(got) == np.signbit(wanted)) | (got != 0)
    else:
        same = ulp_distance(np.ascontiguousarray(got), np.ascontiguousarray(wanted)) <= ulp
    same = np.asarray(same)
    if not np.all(same):
        report(program, "%s: %d of %d elements differ: %r, NumPy has %r" %
               (name, np.sum(~same), same.size, got[~same][:8], wanted[~same][:8]))


def check(program, inputs=None, ulp=0, has_f64=None, zeros=True):
    """Runs the program both ways and compares every name it assigns."""
    counts["programs"] += 1
    inputs = inputs or {}
    scope = dict(NAMESPACE)
    scope.update(inputs)
    try:
        exec(program, scope)
    except Exception as e:
        report(program, "NumPy raises %s: %s" % (type(e).__name__, e))
        return
    names = names_of(program)
    arguments = ["eval", program] + bindings(inputs)
    for name in names:
        arguments += ["-o", "%s=out_%s.npy" % (name, name)]
    done = run(arguments)
    if done.returncode != 0:
        report(program, "exit status %d: %s" % (done.returncode, done.stderr))
        return
    if has_f64 is None:
        has_f64 = "f64" in program or any(np.asarray(v).dtype == np.float64 for v in inputs.values())
    for name in names:
        wanted = np.asarray(scope[name])
        wanted = wanted.astype(expected_dtype(wanted.dtype, has_f64))
        compare(program, name, np.load("out_%s.npy" % name), wanted, ulp, zeros)


def check_error(program, part, inputs=None, numpy_raises=True):
    """The program fails in `sinter eval`, with a place, and in NumPy."""
    counts["errors"] += 1
    done = run(["eval", program] + bindings(inputs or {}))
    if done.returncode != 1 or part not in done.stderr or "line " not in done.stderr:
        report(program, "exit status %d, '%s' instead of '%s'" % (done.returncode, done.stderr, part))
    if not numpy_raises:
        return
    scope = dict(NAMESPACE)
    scope.update(inputs or {})
    try:
        exec(program, scope)
    except Exception:
        return
    report(program, "NumPy does not raise")


# Data ---------------------------------------------------------------------------------------------------------------

def small(name, shape=(2, 3)):
    """Small numbers, exact in every dtype."""
    values = np.arange(1, 1 + int(np.prod(shape))).reshape(shape) % 7
    return (values % 2 == 0) if name == "bool" else values.astype(NAMES[name])


def edges(name):
    """The values where integers wrap and floats are special."""
    if name == "bool":
        return np.array([True, False, True, False])
    if name in FLOATS:
        info = np.finfo(NAMES[name])
        return np.array([0.0, -0.0, 1.5, -2.5, 3.5, 0.1, info.max, -info.max, info.tiny, info.tiny / 4, math.inf,
                         -math.inf, math.nan], dtype=NAMES[name])
    info = np.iinfo(NAMES[name])
    return np.array([info.min, info.min + 1, 0, 1, 2, 3, 7, info.max // 2, info.max - 1, info.max, 100],
                    dtype=NAMES[name])


def floats(shape=(4, 5), seed=0, scale=2.0, dtype=np.float32):
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype(dtype)


# The suite ------------------------------------------------------------------------------------------------------------

def promotion_of_tensors():
    """Every pair of dtypes, one program per operation."""
    inputs = {"x_" + n: small(n) for n in NAMES}
    inputs["y_f16"] = small("f16", (3,))
    operations = {"+": "x_%s + x_%s", "*": "x_%s * x_%s", "/": "x_%s / x_%s", "//": "x_%s // x_%s",
                  "%": "x_%s %% x_%s", "-": "x_%s - x_%s", "max": "maximum(x_%s, x_%s)",
                  "min": "minimum(x_%s, x_%s)", "where": "where(x_bool, x_%s, x_%s)",
                  "==": "x_%s == x_%s", "<": "x_%s < x_%s", ">=": "x_%s >= x_%s",
                  "&": "x_%s & x_%s", "^": "x_%s ^ x_%s", "<<": "x_%s << x_%s", ">>": "x_%s >> x_%s",
                  "and": "logical_and(x_%s, x_%s)", "xor": "logical_xor(x_%s, x_%s)"}
    for sign, form in operations.items():
        for has_f64 in (False, True):
            lines = []
            for a, b in itertools.product(NAMES, NAMES):
                if ("f64" in (a, b)) != has_f64:
                    continue
                integer = a not in FLOATS and b not in FLOATS
                if sign in ("&", "^", "<<", ">>") and (not integer or np.result_type(NAMES[a], NAMES[b]).kind == "f"):
                    continue
                if sign == "-" and a == b == "bool":
                    continue
                mixed = "u64" in (a, b) and any(n in ("i8", "i16", "i32", "i64") for n in (a, b))
                if sign in ("==", "<", ">=") and mixed:
                    continue  # no common integer dtype: an error in sinter
                lines.append("r_%s_%s = %s" % (a, b, form % (a, b)))
            used = {k: v for k, v in inputs.items() if any(k + c in " ".join(lines) + " " for c in " ,)")}
            used = {k: v for k, v in used.items() if k != "y_f16"}
            if lines:
                check("; ".join(lines), used, has_f64=has_f64)
    check("; ".join("r_%s = x_%s @ x_%s" % (n, n, n) for n in NAMES if n != "f64"),
          {"x_" + n: small(n, (3, 3)) for n in NAMES if n != "f64"})


def promotion_of_numbers():
    """Every dtype with every kind of Python number, on both sides."""
    numbers = ["True", "2", "3", "2.5", "0", "1.0"]
    forms = ["%s + %s", "%s * %s", "%s / %s", "%s // %s", "%s %% %s", "maximum(%s, %s)", "where(c, %s, %s)",
             "%s <= %s", "%s != %s", "logical_or(%s, %s)"]
    for form in forms:
        for name in NAMES:
            lines = []
            for i, number in enumerate(numbers):
                lines.append("a%d = %s" % (i, form % ("x", number)))
                lines.append("b%d = %s" % (i, form % (number, "x")))
            inputs = {"x": small(name)}
            if "c" in form.replace("logical", ""):
                inputs["c"] = small("bool")
            check("; ".join(lines), inputs, has_f64=name == "f64")
    for name in INTEGERS:
        check("a = x - 1; b = 1 - x; c = -x; d = x ** 2; e = x ** 3; f = 3 ** x; g = x & 6; h = x | 8; i = x ^ 5;"
              "j = ~x; k = x << 1; l = x >> 1; m = 2 << x; n = x / 300", {"x": small(name)})
    check("a = b + 1; c = b * 2.5; d = b - 1; e = 3 - b; f = b | True; g = ~b; h = b ^ True; i = b // 2",
          {"b": small("bool")})


def numbers_out_of_range():
    for name, value in [("u8", "256"), ("u8", "-1"), ("i8", "128"), ("i8", "-129"), ("u64", "-1"),
                        ("i64", "9223372036854775808"), ("i32", "4294967296"), ("u16", "65536")]:
        for form in ("x + %s", "%s * x", "minimum(x, %s)", "x // %s", "x %% %s", "clamp(x, %s, 100)"):
            check_error("a = " + form % value, "is not a value of " + name, {"x": small(name)})
    # NumPy 2 compares with any Python integer; 1.24 does not yet.
    for name in INTEGERS:
        x = edges(name)
        np.save("x.npy", x)
        values = [-1, 0, 1, 255, 256, -129, 2 ** 31, 2 ** 63, 2 ** 64 - 1, -2 ** 63, 2.5, -0.5, 1e30, -1e30, math.inf,
                  math.nan, 127.0]
        lines, wanted = [], []
        for i, v in enumerate(values):
            for k, (sign, function) in enumerate([("==", lambda a, b: a == b), ("<", lambda a, b: a < b),
                                                  (">=", lambda a, b: a >= b), ("!=", lambda a, b: a != b),
                                                  (">", lambda a, b: a > b), ("<=", lambda a, b: a <= b)]):
                lines.append("r%d_%d = x %s %r" % (i, k, sign, v))
                wanted.append([function(int(e), v) for e in x])
        done = run(["eval", "; ".join(lines), "x=x.npy"] +
                   [a for line in lines for a in ("-o", "%s=o_%s.npy" % (line.split()[0], line.split()[0]))])
        counts["programs"] += 1
        if done.returncode != 0:
            report("comparisons of " + name, done.stderr)
            continue
        for line, want in zip(lines, wanted):
            compare(line, name, np.load("o_%s.npy" % line.split()[0]), np.array(want), 0, True)


def edges_of_dtypes():
    for name in NAMES:
        x = edges(name)
        inputs = {"x": x, "y": x[::-1].copy()}
        f64 = name == "f64"
        both = "a = x + y; b = x * y; c = x == y; d = x < y; e = maximum(x, y); f = minimum(x, y); g = x <= y;" \
               "h = logical_and(x, y); i = where(x, x, y); j = abs(x); k = floor(x); l = ceil(x); m = trunc(x);" \
               "n = round(x); o = isnan(x); p = isinf(x); q = isfinite(x); r = copy(x); s = relu(x)"
        if name in FLOATS:  # -0 < +0 where NumPy takes either
            both = both.replace("e = maximum(x, y); f = minimum(x, y); ", "").replace("; s = relu(x)", "")
        check(both, inputs, has_f64=f64)
        if name == "bool":
            continue
        check("a = x - y; b = -x; c = square(x)", inputs, has_f64=f64)
        check("a = sign(x)", {"x": x}, has_f64=f64, zeros=False)  # sinter keeps the sign of a zero
        if name in FLOATS:
            check("a = x / y; b = x // y; c = x % y; d = sqrt(x); e = reciprocal(x); f = fma(x, 2, 1)", inputs, has_f64=f64)
            check("a = maximum(x, y) == maximum(y, x); b = isnan(minimum(x, y))", inputs, has_f64=f64)
        else:
            check("a = x // y; b = x % y; c = x & y; d = x | y; e = x ^ y; f = ~x; g = x * x * x", inputs)
            check("a = shl(x, 3); b = shr(x, 3); c = shl(x, s); d = shr(x, s); e = pow(x, s)",
                  {"x": x, "s": (np.arange(len(x)) * 9 % 70).astype(NAMES[name])})
        check("; ".join("c_%s = cast(x, '%s')" % (n, n) for n in NAMES), {"x": x}, has_f64=True)


def functions():
    """Each within the ULP bound of docs (full profile of reliability.md 1.2), over random and special numbers."""
    bounds = {"exp": 3, "exp2": 3, "expm1": 3, "log": 3, "log2": 3, "log10": 3, "log1p": 2, "sin": 4, "cos": 4,
              "tan": 5, "atan": 5, "tanh": 5, "erf": 16, "sigmoid": 6, "gelu": 64, "gelu_tanh": 64, "silu": 8,
              "softplus": 8, "exp10": 2, "asin": 2, "acos": 2, "sinh": 2, "cosh": 2, "asinh": 2,
              "acosh": 2, "atanh": 2, "cbrt": 2, "erfc": 2, "lgamma": 64, "sqrt": 0, "rsqrt": 2,
              "reciprocal": 0, "elu": 4, "leaky_relu": 1}
    x = np.concatenate([floats((200,), 1), floats((50,), 2, 30.0), np.float32([0, 1, -1, 0.5, math.inf, -math.inf,
                                                                             math.nan])]).astype(np.float32)
    for name, bound in bounds.items():
        data = np.clip(x, -4, None) if name.startswith("gelu") else x
        data = data[data != -math.inf] if name == "silu" else data  # the reference would give NaN
        check("a = %s(x)" % name, {"x": data}, ulp=bound, zeros=False)
        check("a = %s(h)" % name, {"h": data.astype(np.float16)}, ulp=1, zeros=False)
        wide = data.astype(np.float64) / 3
        wide = np.abs(wide) + 2.5 if name == "lgamma" else wide  # Python's is less exact where zeros are
        check("a = %s(d)" % name, {"d": wide}, ulp=bound, zeros=False)
        check("a = %s(i)" % name, {"i": np.arange(1, 9, dtype=np.int32)}, ulp=bound, zeros=False)
    check("a = atan2(x, y); b = hypot(x, y); c = atan2(x, 2); d = hypot(3, y)",
          {"x": floats((100,), 9), "y": floats((100,), 10)}, ulp=3)
    check("a = atan2(x, y); b = hypot(x, y)", {n: floats((100,), s, 9, np.float64) for n, s in (("x", 3), ("y", 4))}, ulp=3)
    check("a = pow(x, y)", {"x": np.abs(floats((100,), 3)), "y": floats((100,), 4)}, ulp=16)
    check("a = pow(x, y)", {n: np.abs(floats((100,), s, 9, np.float64)) for n, s in (("x", 3), ("y", 4))}, ulp=2)
    check("a = x ** 2; b = x ** 0.5; c = x ** -1; d = abs(x) ** 3", {"x": floats((50,), 5)}, ulp=2)
    check("a = d ** 2; b = abs(d) ** 0.5; c = d ** -1; e = sqrt(abs(d)); f = d / 3 - 1e-300", {"d": floats((9,), 6, 1, np.float64)})
    check("a = leaky_relu(x, slope=0.25); b = leaky_relu(x, 0.5)", {"x": floats((20,), 7)})
    check("a = elu(x, alpha=0.5)", {"x": floats((20,), 8)}, ulp=4)


def shapes():
    x = small("f32", (2, 3, 4))
    m = small("f32", (4, 6))
    inputs = {"x": x}
    check("a = reshape(x, (4, -1)); b = reshape(x, 24); c = reshape(x, (-1,)); d = reshape(x, (1, 2, 1, 12)); e = reshape(x, (3, 8))", inputs)
    check("a = transpose(x); b = transpose(x, (2, 0, 1)); c = transpose(x, axes=(0, -1, 1)); d = reshape(transpose(x), (6, 4))", inputs)
    check("a = unsqueeze(x, axis=0); b = unsqueeze(x, -1); c = squeeze(x[:1]); d = squeeze(x[:1], axis=0); e = unsqueeze(x, axis=(0, 2))", inputs)
    check("a = flip(x); b = flip(x, axis=1); c = flip(x, axis=(0, -1))", inputs)
    check("a = expand(y, (2, 3)); b = expand(y, (4, 2, 3)); c = expand(s, (2, 2)); d = expand(y[:1], (5, 1)) + y",
          {"y": small("i32", (3,)), "s": small("f32", ())})
    check("a = slice(x, 1, 0, 2); b = slice(x, axis=-1, step=-1); c = slice(x, axis=2, start=3, count=2, step=-2); d = slice(x, 0, 1, None)", inputs)
    check("a = update(x, y, 1, 1); b = update(x, 7, axis=(0, 2), start=(0, 3), step=(1, -2)); c = update(x, i); d = update(a, x[:, :1] * 2, -2, 0, 1)",
          {"x": x, "y": small("f32", (1, 4)), "i": small("i32", (3, 1))})
    check("a = update(i, x); b = update(i, 1, (1, 0), (0, 1), count=(2, 1)); c = update(i, i[::-1], 0, step=-1)",
          {"x": floats((2, 3), 9), "i": small("i32", (2, 3))})
    for index in ["0", "-1", "1, 2", "1, 2, 3", ":, 1", "..., 1", "0, ..., 1", "::-1", ":, ::-1", "..., None", "None",
                  "None, :, None", ":, None, ..., 0", "1:, :2", ":, 2:0:-1", "::2, ::2, ::3", "..., ::-2", "5:", ":-5",
                  "-1:, -2:", "1:1", "...", ":", "0, :, ::-1", ":, 1:2, 1", ":, :, -3:-1", "10:0:-1, 1"]:
        check("a = x[%s]; b = x[%s] * 2 + 1" % (index, index), inputs)
    check("a = x[0][1:][::-1]; b = x[:, ::-1][..., ::2] + x[:, :, 1::2]; c = transpose(x)[1:3, 0]; d = reshape(x[:, :, ::-1], (2, 12))", inputs)
    check("a = m[::2, 1:] * m[1::2, :-1]; b = transpose(m)[::-1, ::-1]; c = m[:, 0] + m[0, :4]; d = m - m[:1]; e = m[:, :1] * m[0]",
          {"m": m})
    check("a = x + y; b = y * x; c = x + s; d = s - s; e = x[:, :1] + x[:1]; f = z + y", 
          {"x": x, "y": small("f32", (4,)), "s": small("f32", ()), "z": small("f32", (3, 1))})
    check("a = e + 1; b = e * f; c = sum(e); d = sum(e, axis=0); g = sum(e, axis=1); h = mean(e); i = reshape(e, (0, 7)); j = e[:, 1]; k = matmul(e, w); l = matmul(transpose(e), e); m = max(e, axis=1); n = transpose(e); o = e[None]",
          {"e": np.zeros((0, 3), np.float32), "f": small("f32", (1, 3)), "w": small("f32", (3, 2))})
    check("a = s + 1; b = s * s; c = s[None]; d = s[...]; e = exp(s * 0); f = sum(s); g = reshape(s, (1, 1)); h = transpose(s); i = max(s); j = mean(s); k = s == 1; l = cast(s, 'i8')",
          {"s": small("f32", ())})
    big = small("i64", (2, 1, 3, 1, 2, 1, 2, 2))
    check("a = x + x; b = transpose(x); c = sum(x, axis=(1, 3)); d = x[0, ..., ::-1]; e = reshape(x, (6, 8))", {"x": big})


def reductions():
    for name in NAMES:
        x = small(name, (3, 4, 5))
        lines = []
        for i, op in enumerate(["sum", "max", "min", "mean", "prod", "all", "any"]):
            for k, args in enumerate(["", ", axis=0", ", axis=-1", ", axis=(0, 2)", ", axis=(0, 1, 2), keepdims=True",
                                      ", axis=1, keepdims=True", ", axis=()", ", keepdims=True", ", 1", ", axis=None"]):
                if op == "mean" and name in ("f16",) and args == ", axis=()":
                    continue
                if op == "prod" and name == "f16":  # NumPy's overflows on the way: tested with f32
                    continue
                lines.append("r%d_%d = %s(x%s)" % (i, k, op, args))
        check("; ".join(lines), {"x": x}, has_f64=name == "f64")
    for name in NAMES:
        program = "a = cumsum(x, 1); b = cumsum(x, -1); c = cumsum(transpose(x), axis=0); d = cumsum(x[0], axis=0)"
        check(program if name == "f16" else program + "; e = cumprod(x, 0); f = cumprod(x[:, ::-2], 2)", {"x": small(name, (3, 4, 5))})
    check("a = cumsum(x, 0); b = cumsum(x, 1); c = cumsum(x * 2, 1) - x; d = cumsum(x, 1)[:, -1] - sum(x, 1)", {"x": np.arange(5 * 200, dtype=np.float32).reshape(5, 200)})
    check("a = cumsum(x, 0); b = cumsum(x, 1); c = cumprod(x, 1)", {"x": np.zeros((0, 3), np.float32)})
    check("a = cumsum(x, 1); b = cumprod(x, 0)", {"x": np.full((3, 300), -2 ** 62 + 1, np.int64)})
    check("a = sum(x)", {"x": np.full((300, 400), 255, np.uint8)})
    check("a = prod(x); b = prod(x, axis=1); c = prod(y, axis=0)", {"x": np.full((3, 41), 3, np.int16), "y": np.full((3, 2), 200, np.uint8)})
    check("a = all(x, axis=1); b = any(x, axis=1); c = all(x); d = any(x[:1])", {"x": np.float32([[0, -0.0], [math.nan, 0], [1e-45, -2]])})
    check("a = prod(e); b = all(e); c = any(e); d = prod(e, axis=1); f = all(e, axis=0); g = any(e, axis=1, keepdims=True)", {"e": np.zeros((2, 0), np.float32)})
    check("a = sum(x); b = sum(x, axis=1)", {"x": np.full((3, 5), -2 ** 62, np.int64)})
    check("a = max(x); b = min(x); c = max(x, axis=0)", {"x": floats((50, 3), 9)})
    check("a = max(x); b = min(x)", {"x": np.float32([1, math.nan, 2])})
    check("a = sum(x * y, axis=-1) / sum(y); b = sum(x - mean(x, axis=0))", {"x": small("f32", (4, 8)), "y": small("f32", (8,))})
    check("s = x - max(x, axis=-1, keepdims=True); e = exp(s); y = e / sum(e, axis=-1, keepdims=True)",
          {"x": floats((6, 33), 10)}, ulp=40)
    check("a = sum(transpose(x), axis=0); b = sum(x[::-1, ::2], axis=1); c = mean(x[:, 1])", {"x": small("f32", (6, 7))})


def compositions():
    x = floats((3, 4, 5), 14)
    special = np.float32([[-math.inf] * 4, [1, math.inf, 0, 2], [1, math.nan, 0, 2], [7] * 4, [-0.0] * 4,
                          [-math.inf, 3, 3, -math.inf], [1e38, -1e38, 1e38, 3e38], [1e-10, 2e-10, 0, 0]])
    axes = ["", ", axis=0", ", axis=-1", ", axis=(0, 2)", ", axis=()", ", 1", ", axis=None"]
    for name in ("f32", "f16", "i8", "u16", "bool", "f64"):
        v = x.astype(NAMES[name]) if name in FLOATS else small(name, (3, 4, 5))
        ulp = {"f16": 2, "f64": 256}.get(name, 64)  # cancellation: each is checked within its own error in test_oracle_composite
        for args in axes:
            program = "a = norm(x%s); b = norm(x%s, ord=1); c = norm(x%s, keepdims=True, ord=inf)" % (args, args, args)
            program += "; d = softmax(x%s); e = logsumexp(x%s); f = logsumexp(x%s, keepdims=True)" % (args, args, args)
            program += "; i = argmax(x%s); j = argmin(x%s, keepdims=True)" % (args, args)
            if args != ", axis=()":
                program += "; k = var(x%s); l = std(x%s, keepdims=True, correction=1); m = var(x%s, correction=0.5)" % (args, args, args)
            program += "; g = rms_norm(x%s); h = rms_norm(x%s, eps=0.5)" % (args, args)
            check(program, {"x": v}, ulp=ulp, has_f64=name == "f64")
    check("a = argmax(x, -1); b = argmin(x, -1); c = argmax(x); d = argmin(x[3:]); e = argmax(x, 0)", {"x": special})
    check("a = argmax(x); b = argmin(x); c = argmax(x, 1); d = argmin(-x, 0)", {"x": np.uint64([[2 ** 64 - 1, 2 ** 64 - 2], [2 ** 63, 2 ** 64 - 1]])})
    check("a = argmax(x); b = argmin(x)", {"x": np.int64([2 ** 62 + 1, 2 ** 62, -2 ** 62 - 1, -2 ** 62])})
    check("a = argmax(x > 0, 1); b = argmin(x > 0, (0, 2))", {"x": x})
    check("a = var(x, -1); b = std(x, 1)", {"x": np.float32([[7] * 4, [1, math.inf, 0, 2], [1, math.nan, 0, 2]])})
    check("a = var(x); b = var(x, correction=1); c = std(x, (0, 1), correction=2)", {"x": np.float32([[1e4, 1e4 + 1, 1e4 + 2]])}, ulp=1)
    check("a = var(x, correction=1); b = var(x, correction=5); c = var(y, 1, correction=3); d = var(x, correction=nan)", {"x": np.float32([3]), "y": np.float32([[1, 2], [2, 2]])})
    check("a = softmax(x, -1); b = logsumexp(x, -1); c = norm(x, 1); d = norm(x, 1, ord=inf)", {"x": special}, ulp=40)
    check("a = log_softmax(x, -1); b = log_softmax(x, (0, 2))", {"x": x}, ulp=200)
    check("a = layer_norm(x, -1, w, b); c = layer_norm(x, (1, 2), eps=0.1, bias=b); d = rms_norm(x, -1, w)",
          {"x": x, "w": floats((5,), 15), "b": floats((1, 5), 16)}, ulp=2000)
    check("a = softmax(x); b = logsumexp(x); c = layer_norm(x, eps=1.0); d = norm(x)", {"x": np.float32(2)}, ulp=2)
    check("a = softmax(x, 7); b = norm(x, (0, 7), True); c = logsumexp(x, (1, 2, 3))",
          {"x": floats((2, 1, 3, 1, 2, 1, 2, 3), 17)}, ulp=40)
    empty = {"e": np.zeros((2, 0), np.float32)}
    check("a = var(e); b = std(e, 1); c = argmax(e, 0)", empty)
    check_error("a = argmin(e, 1)", "argmin: shape [2,0] has no elements along the axes reduced", empty)
    check("a = norm(e); b = norm(e, 1, ord=1); c = softmax(e, 0)", empty)
    check_error("a = norm(e, 1, ord=inf)", "norm: max: shape [2,0] has no elements along the axes reduced", empty)
    wrong = {"x": x, "w": floats((4,), 15)}
    for program, part in (("softmax(x, 3)", "softmax: axis 3 is out of range for rank 3"),
                          ("layer_norm(x, (1, -2))", "layer_norm: axis 1 is given twice"),
                          ("norm(x, ord=3)", "norm: order 3 is not 1, 2 or infinity"),
                          ("layer_norm(x, -1, w)", "layer_norm: operand 2 of shape [4] does not broadcast to [3,4,5]"),
                          ("rms_norm(x[:1], -1, x)", "rms_norm: operand 2 of shape [3,4,5] does not broadcast to [1,4,5]"),
                          ("dropout(x, 1.5)", "dropout: probability 1.5 is not within 0 and 1"),
                          ("dropout(x)", "dropout: 'p' is missing"),
                          ("norm(x, ord='f32')", "norm: ord is a dtype, not a number"),
                          ("layer_norm(x, bias=(1, 2))", "layer_norm: bias is a tuple, not a tensor")):
        used = {k: v for k, v in wrong.items() if k in program.replace("softmax", "").replace("ord", "").replace("axis", "")
                .replace("dropout", "").replace("weight", "")}
        check_error("a = " + program, part, used, numpy_raises=False)
    np.save("x.npy", x)
    done = run(["eval", "k = random_uniform((3, 4, 5), 3, 8) >= 0.25; "
                "a = all(dropout(x, 0.25, 3, 8) == where(k, x * (1 / 0.75), 0)) & ~all(k) & any(k); "
                "b = ~any(dropout(x, 1)) & all(dropout(x, p=0, seed=4) == x)", "x=x.npy", "-o", "a=a.npy", "-o", "b=b.npy"])
    expect("dropout", done.returncode == 0 and bool(np.load("a.npy")) and bool(np.load("b.npy")), done)


def products():
    for name in NAMES:
        a, b = small(name, (4, 5)), small(name, (5, 3))
        check("c = a @ b; d = transpose(b) @ transpose(a); e = a[0] @ b; f = a @ b[:, 1]; g = a[0] @ a[1]; h = matmul(a[::-1], b[:, ::-1])",
              {"a": a, "b": b}, has_f64=name == "f64")
    check("c = a @ b; d = a[0] @ b; e = a @ b[:1]; f = a[:, None] @ b[None]", {"a": small("f32", (2, 3, 4)), "b": small("f32", (2, 4, 5))})
    check("y = relu(x @ w + b); z = y @ transpose(w) * 2 - 1", {"x": small("f32", (7, 5)), "w": small("f32", (5, 6)), "b": small("f32", (6,))})
    check("c = i @ f; d = h @ f; e = u @ i", {"i": small("i32", (3, 3)), "f": small("f32", (3, 3)), "h": small("f16", (3, 3)), "u": small("u8", (3, 3))})
    check("c = a @ b", {"a": small("f32", (3, 0)), "b": small("f32", (0, 2))})
    check("c = a @ b; d = -(a @ b) + a[:, :1]", {"a": small("i64", (33, 70)), "b": small("i64", (70, 41))})


def makers():
    check("a = full((2, 3), 1.5); b = full(3, 7); c = full((), True); d = full((2,), -3, dtype='i8'); e = full((1, 0), 2)")
    check("a = arange(5); b = arange(2, 9); c = arange(1, 10, 3); d = arange(10, 0, -3); e = arange(0); f = arange(5, 2); g = arange(-3, 3)")
    check("a = arange(0, 1, 0.25); b = arange(3.0); c = arange(0.5, 4); d = arange(2, -2, -0.5)")
    check("a = arange(5, dtype='u8'); b = arange(5, 0, -1, dtype='u16'); c = arange(4, dtype='f32'); d = arange(3, dtype='f16'); e = arange(300, dtype='u64')")
    check("a = arange(count=4); b = arange(start=3, step=-2, count=3); c = arange(count=3, start=0.5, step=0.25)")
    check("a = reshape(arange(24), (2, 3, 4)); b = a[:, ::-1, 1] * 2; c = sum(a, axis=1); d = cast(arange(6), 'f32') / 4")
    check("x = arange(12); y = reshape(x, (3, 4)); x = y @ transpose(y); y = x; z = 3; z = z + 1; w = x * z")


def languages():
    """Precedence and statement forms, as Python has them."""
    inputs = {"x": small("f32", (2, 3)), "i": small("i32", (2, 3)), "b": small("bool")}
    check("a = -x ** 2; b = 2 * x + 1; c = (x - 1) * (x + 1); d = x - 1 - 1; e = x / 2 / 2; f = 2 ** x ** 0; g = -x * -1", {"x": inputs["x"]})
    check("a = i & 3 | 4 ^ 1; b = i << 1 + 1; c = ~i & 7; d = -i % 4; e = i % -4; f = i // -2; g = - -i; h = +i", {"i": inputs["i"]})
    check("a = x > 2; c = (x > 1) & (x < 5); d = x + 1 == 3; e = 1 < x; f = (i == 2) | b; g = ~(x > 2) ^ b", inputs)
    check("n = 3; y = x * n ** 2; m = n / 2; z = x + m; k = n // 2 == 1; t = True; u = x + t; s = reshape(x, (n, n - 1))", {"x": inputs["x"]})
    check("a = where(b, x, -x); c = where(i, 1, 0); d = where(x > 2, x, 0); e = where(b, 2.5, i); f = where(True, x, 1); g = where(0, 1, 2)", inputs)
    check("a = clamp(x, 1, 3.5); b = clamp(i, 1, 3); c = clamp(i, 0.5, 2.5); d = fma(x, 2, 1); e = fma(i, i, 3)", {"x": inputs["x"], "i": inputs["i"]})
    check("a = 1; b = 2.5; c = True; d = -7 // 2; e = -7 % 3; f = 2 ** -1; g = 7 / 2; h = 1 << 40; j = 3 > 2.5; k = inf; l = nan; m = 0x1F")
    # What `sinter eval` shows, and a program from a file.
    text = "# a comment\ny = (x +  # inside brackets lines do not end\n     1)\n\nz = sum(\n  y,\n  axis=0,\n)  ; w = z\n"
    with open("program.snt", "w") as file:
        file.write(text)
    np.save("x.npy", inputs["x"])
    done = run(["eval", "--file", "program.snt", "x=x.npy", "-o", "z=z.npy", "-o", "w=w.npy"])
    if done.returncode != 0 or not np.array_equal(np.load("w.npy"), (inputs["x"] + 1).sum(0)):
        report("--file", done.stderr)


def errors():
    """Where NumPy raises, `sinter eval` fails with the place."""
    f, w, i = small("f32", (2, 3)), small("f32", (3, 4)), small("i32", (2, 3))
    x = {"x": f}
    check_error("a = x + w", "differ in dimension", {"x": f, "w": w})
    check_error("a = w * x", "differ in dimension", {"x": f, "w": w})
    check_error("a = x @ x", "inner dimension", x)
    for program, part in [
            ("a = reshape(x, (4, 2))", "do not fill"), ("a = reshape(x, (-1, 4))", "do not fill"),
            ("a = reshape(x, (-1, -1))", "reshape"), ("a = transpose(x, (0, 0))", "twice"), ("a = transpose(x, (0,))", "axes"),
            ("a = transpose(x, (0, 2))", "out of range"), ("a = squeeze(x, axis=0)", "not 1"), ("a = unsqueeze(x, axis=4)", "out of range"),
            ("a = expand(x, (2, 4))", "does not broadcast"), ("a = expand(x, (3,))", "does not broadcast"), ("a = flip(x, axis=2)", "out of range"),
            ("a = sum(x, axis=2)", "out of range"), ("a = sum(x, axis=(0, 0))", "twice"), ("a = cumsum(x, 2)", "out of range"), ("a = cumsum(x, (0, 1))", "one axis"), ("a = max(x[:0])", "no elements"), ("a = x[2]", "out of range"),
            ("a = x[0, 0, 0]", "subscripts"), ("a = x[..., ...]", "more than one"), ("a = x[::0]", "step 0"), ("a = x[1.5]", "subscript"),
            ("a = x & 1", "not accepted"), ("a = ~x", "not accepted"), ("a = x << 1", "not accepted"), ("a = x @ 2", "need an axis"),
            ("a = x[0, -4]", "out of range"), ("a = 1 // 0", "zero"), ("a = 1 % 0", "zero"), ("a = 1.5 / 0", "zero"), ("a = 1 << -1", "negative shift"),
            ("a = 1 & 2.5", "floats"), ("a = 0.0 ** -1", "negative power"), ("a = arange(0, 5, 0)", "step is 0"), ("a = arange(nan)", "elements"),
            ("a = full((-1,), 0)", "negative"), ("a = matmul(x, 3)", "need an axis"), ("a = cast(x, 'f33')", "no dtype"), ("a = y y", "end of the statement"),
            ("a = foo(x)", "no operation"), ("a = sum(x, axes=1)", "no parameter"), ("a = (1", "expected"), ("a = exp(x, x, x, x)", "takes 1")]:
        check_error(program, part, x if "x" in program else {})
    b = {"b": small("bool")}
    check_error("a = -b", "bool is not accepted", b)
    check_error("a = b - b", "bool is not accepted", b)
    check_error("a = b & 1.5", "not accepted", b)
    check_error("a = i & f", "not accepted", {"i": i, "f": f})
    # Errors of sinter alone: no f64 random numbers, no common integer of u64 and i64, no 65th bit, chains.
    check_error("a = random_uniform((2,), seed=1, dtype='f64')", "no f64 form", numpy_raises=False)
    check_error("a = u < i", "no common integer", {"u": small("u64"), "i": small("i64")}, numpy_raises=False)
    check_error("a = 2 ** 64", "64 bits", numpy_raises=False)
    check_error("a = 1 < 2 < 3", "do not chain", numpy_raises=False)
    check_error("a = full((2,), 1.5, dtype='i32')", "not a value of i32", numpy_raises=False)


def random_numbers():
    """Random expressions of numbers alone, against Python itself."""
    class Skip(Exception):
        pass

    def fits(v):
        if type(v) is complex or (type(v) is int and not -2 ** 63 <= v < 2 ** 64):
            raise Skip()
        return v

    def make(depth):
        kind = rng.random()
        if depth == 0 or kind < 0.15:
            v = rng.choice([rng.randrange(0, 10), rng.randrange(0, 10 ** 6), rng.random() * 4, True, False,
                            rng.randrange(2 ** 40)])
            return repr(v), v
        if kind < 0.3:
            text, v = make(depth - 1)
            sign = rng.choice("-+~")
            if sign == "~" and type(v) is float:
                raise Skip()
            return sign + "(" + text + ")", fits(-v if sign == "-" else +v if sign == "+" else ~int(v))
        sign = rng.choice(["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "<", "==", ">="])
        (ta, a), (tb, b) = make(depth - 1), make(depth - 1)
        if sign in ("<<", "**") and (type(b) is int or type(a) is int) and abs(b) > 64:
            raise Skip()
        if rng.random() < 0.5:
            ta, tb = "(%s)" % ta, "(%s)" % tb
        text = "%s %s %s" % (ta, sign, tb)
        try:
            check_chain(text)
            v = eval(text)
        except (ZeroDivisionError, OverflowError, TypeError, ValueError):
            raise Skip()
        return text, fits(v)

    def check_chain(text):
        """Every part of the expression must fit as well, and comparisons must not chain."""
        for node in reversed(list(ast.walk(ast.parse(text, mode="eval")))):
            if isinstance(node, ast.Compare) and len(node.ops) > 1:
                raise Skip()
            if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.LShift, ast.Pow)):
                right = eval(compile(ast.Expression(node.right), "", "eval"))
                if abs(right) > 64:
                    raise Skip()
            if isinstance(node, ast.expr):
                fits(eval(compile(ast.Expression(node), "", "eval")))

    rng = random.Random(7)
    lines, values = [], []
    while len(lines) < 400:
        try:
            text, v = make(3)
        except (Skip, RecursionError, OverflowError, ZeroDivisionError, TypeError, ValueError):
            continue
        lines.append("r%d = %s" % (len(lines), text))
        values.append(v)
    arguments = ["eval", "\n".join(lines)]
    for n in range(len(lines)):
        arguments += ["-o", "r%d=r%d.npy" % (n, n)]
    done = run(arguments)
    counts["programs"] += 1
    if done.returncode != 0:
        report("random numbers", done.stderr)
        return
    for n, v in enumerate(values):
        wanted = np.asarray(v)
        compare(lines[n], "r", np.load("r%d.npy" % n), wanted.astype(expected_dtype(wanted.dtype, False)), 0, True)


def to_bf16(x):
    """Rounded to nearest even, as bits."""
    bits = np.ascontiguousarray(x, dtype=np.float32).view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7fff + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(x), np.uint16(0x7fc0), rounded)


def from_bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def brain_floats():
    """bf16, which NumPy lacks: computed in f32 and rounded at each operation."""
    x, y = to_bf16(floats((4, 5), 11)), to_bf16(floats((4, 5), 12))
    a, b = from_bf16(x), from_bf16(y)
    half = floats((4, 5), 13).astype(np.float16)
    integers = {"i8": small("i8", (4, 5)), "i32": small("i32", (4, 5))}
    for name, bits in (("x", x), ("y", y)):
        np.save(name + ".npy", bits.view("V2"))
    np.save("h.npy", half)
    for name, v in integers.items():
        np.save(name + ".npy", v)
    wanted = {"a = x + y": a + b, "a = x * y": a * b, "a = x / y": a / b, "a = x - y": a - b, "a = x * 0.1": a * from_bf16(to_bf16(np.float32([0.1]))),
              "a = maximum(x, y)": np.maximum(a, b), "a = cast(i32, 'bf16')": integers["i32"].astype(np.float32),
              "a = -x": -a, "a = x[:, ::-1]": a[:, ::-1], "a = transpose(x)": a.T, "a = x + i8": a + integers["i8"],
              "a = sqrt(abs(x))": np.sqrt(np.abs(a)), "a = x ** 2": a * a, "a = x + 1": a + 1, "a = floor(x)": np.floor(a)}
    wide = {"a = x + h": a + half.astype(np.float32), "a = x + i32": a + integers["i32"], "a = cast(x, 'f32')": a}
    inputs = ["x=x.npy", "y=y.npy", "h=h.npy", "i8=i8.npy", "i32=i32.npy"]
    for program, value in itertools.chain(wanted.items(), wide.items()):
        counts["programs"] += 1
        given = [t for t in inputs if t.split("=")[0] in program.replace("'bf16'", "").split("=", 1)[1]]
        done = run(["eval", program] + given + ["-o", "a=a.npy"])
        if done.returncode != 0:
            report(program, done.stderr)
            continue
        got = np.load("a.npy")
        if program in wide:
            compare(program, "a", got, value.astype(np.float32), 0, True)
        elif got.dtype != np.dtype("V2") or got.shape != value.shape or \
                not np.array_equal(np.ascontiguousarray(got).view(np.uint16), to_bf16(value)):
            report(program, "is %r, not %r" % (from_bf16(got.view(np.uint16)), value))


# The command -----------------------------------------------------------------------------------------------------------

def expect(what, good, done):
    counts["programs"] += 1
    if not good:
        report(what, "exit status %d\n%s\n%s" % (done.returncode, done.stdout, done.stderr))


def command():
    x = small("f32", (2, 3))
    np.save("x.npy", x)
    np.save("f.npy", np.asfortranarray(np.arange(12, dtype=">i4").reshape(3, 4)))
    np.save("big.npy", np.arange(1000, dtype=np.float32).reshape(10, 100))
    done = run(["eval", "y = x + 0.5; z = sum(y)", "x=x.npy"])
    expect("what is shown", done.stdout == "z f32[]\n24.0\n" and done.returncode == 0, done)
    done = run(["eval", "y = f * 2; z = f > 5", "f=f.npy"])
    expect("Fortran order, big endian", done.stdout.startswith("y i32[3,4]\n[[ 0  2  4  6]\n [ 8 10 12 14]\n") and
           "z bool[3,4]\n[[False False False False]\n" in done.stdout, done)
    done = run(["eval", "y = x", "x=big.npy"])
    expect("an extract", "..." in done.stdout and len(done.stdout) < 600, done)
    done = run(["eval", "y = relu(x * 2 + 1)", "x=x.npy", "-o", "y=y.npy", "--stats", "--repeat", "4"])
    keys = ["ops", "launches", "bytes_moved", "bytes_bound", "compiles", "plan_hits", "plan_misses", "host_allocations",
            "cl_objects_created", "pool_bytes", "cl_allocated_bytes"]
    try:
        stats = json.loads(done.stdout)
        good = list(stats) == keys and stats["ops"] == 3 and stats["launches"] == 1 and stats["plan_hits"] == 1 and \
            stats["plan_misses"] == 0 and stats["bytes_moved"] == stats["bytes_bound"] == 48 and stats["compiles"] == 0
    except ValueError:
        good = False
    expect("--stats --repeat", good, done)
    separate = os.environ.get("SINTER_MEMORY_MODE") == "separate"
    expect("a repeated run allocates nothing", separate or (good and stats["host_allocations"] == 0 and
                                                            stats["cl_objects_created"] == 0), done)
    done = run(["eval", "y = relu(x * 2 + 1)", "x=x.npy", "--unfused", "--stats", "-o", "y=y.npy"])
    expect("--unfused", json.loads(done.stdout)["launches"] == 3, done)
    done = run(["eval", "y = relu(x * 2 + 1)", "x=x.npy", "--report", "--emit"])
    expect("--report --emit", "group 1: 3 operations (mul, add, relu)" in done.stdout and "__kernel" in done.stdout and
           "y f32[2,3]" in done.stdout, done)
    done = run(["eval", "y = relu(x * 2 + 1)", "x=x.npy", "--queue", "-o", "y=y.npy"])
    with open("q.snt", "w") as file:
        file.write(done.stdout)
    again = run(["eval", "--file", "q.snt", "t0=x.npy", "-o", "t3=t3.npy"])
    expect("--queue is a program", again.returncode == 0 and "mul(t0, 0x1p+1)" in done.stdout and
           np.array_equal(np.load("t3.npy"), np.load("y.npy")), again)
    for option in (["--style", "cpu"], ["--style", "gpu"], ["--mode", "native"], ["--mode", "reproducible"], ["--memory-mode", "separate"], ["--memory-mode", "poison"],
                   ["--device", "host"], ["-d", "host", "--memory-mode=pool"], ["--repeat", "3"]):
        done = run(["eval"] + option + ["y = x * 2 + 1", "x=x.npy", "-o", "y=y.npy"])
        expect(" ".join(option), done.returncode == 0 and np.array_equal(np.load("y.npy"), x * 2 + 1), done)
    done = run(["eval", "--debug", "3", "y = x * 2", "x=x.npy"])
    expect("--debug", "segment" in done.stderr and done.returncode == 0, done)
    usage = [[], ["--file"], ["a = 1", "b"], ["a = 1", "x=x.npy"], ["y = x"], ["y = x", "x=x.npy", "x=x.npy"], ["y = 1", "-o", "z=z.npy"],
             ["y = 1", "--style", "x"], ["y = 1", "--mode", "x"], ["y = 1", "--memory-mode", "x"], ["y = 1", "--repeat", "0"], ["y = 1", "--debug", "8"],
             ["y = 1", "--nonsense"], ["y = 1", "--file", "q.snt"], ["y = 1", "-o", "y"]]
    for arguments in usage:
        done = run(["eval"] + arguments)
        expect("eval " + " ".join(arguments), done.returncode == 2 and done.stderr != "" and done.stdout == "", done)
    done = run(["eval", "a = 1\nbb = a +* 3", "-o", "bb=b.npy"])
    expect("a caret under a syntax error", done.returncode == 1 and
           done.stderr == "sinter: program: line 2, column 9: expected an expression, found '*'\n  bb = a +* 3\n          ^\n", done)
    with open("bad.snt", "w") as file:
        file.write("y = x[9]\n")
    done = run(["eval", "--file", "bad.snt", "x=x.npy"])
    expect("an error of a file", done.returncode == 1 and "bad.snt: line 1, column 6: index: 9 is out of range" in done.stderr, done)
    with open("short.npy", "wb") as file:
        file.write(open("x.npy", "rb").read()[:-1])
    for name, part in (("short.npy", "truncated"), ("none.npy", "No such file"), (".", "regular file"), ("q.snt", "not an .npy file")):
        done = run(["eval", "y = x", "x=" + name])
        expect("x=" + name, done.returncode == 1 and part in done.stderr and name in done.stderr and done.stderr.count("\n") == 1, done)
    done = run(["eval", "y = x", "x=x.npy", "-o", "y=no/such/y.npy"])
    expect("an output that cannot be", done.returncode == 1 and "no/such/y.npy" in done.stderr, done)
    done = run(["eval", "y = 1", "--device", "nonsense"])
    expect("an unknown device", done.returncode == 1 and "no device is 'nonsense'" in done.stderr, done)
    done = run(["devices"])
    expect("devices", done.returncode == 0 and "host reference device" in done.stdout, done)
    done = run(["devices", "--json"])
    expect("devices --json", done.returncode == 0 and json.loads(done.stdout)[-1]["selector"] == "host", done)
    for arguments, status in ((["--version"], 0), (["--help"], 0), (["help"], 0), (["eval", "--help"], 0), (["devices", "--help"], 0),
                              ([], 2), (["nonsense"], 2), (["devices", "x"], 2)):
        done = run(arguments)
        expect(" ".join(arguments), done.returncode == status, done)


def main():
    os.environ.setdefault("SINTER_DEVICE", "host")
    if os.environ["SINTER_DEVICE"] == "host":
        os.environ.setdefault("SINTER_OPENCL_LIB", "none")  # so that no driver is loaded 500 times
    with tempfile.TemporaryDirectory(prefix="sinter-eval-") as folder:
        os.chdir(folder)
        for part in (promotion_of_tensors, promotion_of_numbers, numbers_out_of_range, edges_of_dtypes, functions, shapes,
                     reductions, compositions, products, makers, languages, errors, random_numbers, brain_floats, command):
            part()
        os.chdir("/")
    for failure in failures[:40]:
        print("FAILED " + failure)
    print("%d programs, %d results, %d errors: %d failures" % (counts["programs"], counts["results"], counts["errors"],
                                                             len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
