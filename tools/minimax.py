#!/usr/bin/env python3
"""The polynomials of cl_kernels/math.cl: minimax coefficients that are floats.

Not part of the build; needs numpy, scipy and mpmath. `minimax.py [name]` prints the coefficients,
lowest power first, and the largest weighted error in units of 2^-24, with real and with rounded
coefficients. The last digits depend on the solver: math.cl may differ in them.

The one hard idea: the maximum of |error| over many points is minimised as a linear program, in
steps of one float of each coefficient, so that all in it is about 1. Coefficients are then rounded
one by one, and what remains is solved again around them.
"""
import sys

import mpmath as mp
import numpy as np
from scipy.optimize import linprog

mp.mp.prec = 200
UNIT = 2**24


def to_float(x):
    return mp.mpf(float(np.float32(float(x))))


def step(x):
    """The distance between floats at x."""
    return mp.mpf(2) ** (int(mp.floor(mp.log(abs(x), 2))) - 23)


def points(low, high, count=400):
    low, high = mp.mpf(low), mp.mpf(high)
    nodes = [mp.cos(mp.pi * (i + mp.mpf(1) / 2) / count) for i in range(count)]
    return [(low + high) / 2 - (high - low) / 2 * x for x in nodes]


def as_column(values):
    return np.array([float(v * UNIT) for v in values])


def solve(errors, columns, wanted):
    """Changes of the wanted columns with the smallest maximum of |errors - columns * changes|."""
    if not wanted:
        return {}, np.abs(errors).max()
    m = np.stack([columns[k] for k in wanted], axis=1)
    size = np.abs(m).max(axis=0)
    ones = np.ones((len(errors), 1))
    rows = np.block([[-m / size, -ones], [m / size, -ones]])
    goal = np.append(np.zeros(len(wanted)), 1)
    bounds = np.append(-errors, errors)
    r = linprog(goal, A_ub=rows, b_ub=bounds, bounds=(None, None), method="highs")
    return dict(zip(wanted, r.x[:-1] / size)), r.x[-1]


def round_all(errors, columns, values):
    """Rounds the values, the first one first; columns are errors per float step of each value."""
    rounded = []
    best = solve(errors, columns, list(range(len(values))))[1]
    for k, value in enumerate(values):
        changes, _ = solve(errors, columns, list(range(k, len(values))))
        rounded.append(to_float(value + mp.mpf(changes[k]) * step(value)))
        errors = errors - columns[k] * float((rounded[k] - value) / step(value))
    return rounded, best, np.abs(errors).max()


def polynomial(f, weight, degree, low, high, first=None):
    """f as a polynomial, where weight * error counts; `first` fixes the constant term."""
    xs = [x for x in points(low, high) if abs(x) > mp.mpf("1e-9")]
    powers = list(range(0 if first is None else 1, degree + 1))
    target = mp.matrix([weight(x) * (f(x) - (first or 0)) for x in xs])
    a = mp.matrix([[weight(x) * x**p for p in powers] for x in xs])
    c = mp.lu_solve(a, target)
    errors = as_column(target - a * c)
    columns = [as_column(a[:, j] * step(c[j])) for j in range(len(powers))]
    rounded, best, worst = round_all(errors, columns, list(c))
    return ([] if first is None else [mp.mpf(first)]) + rounded, best, worst


def rational(f, high, over, under, rounds=60):
    """f on 0..high as a quotient of polynomials, the lower one from 1, in relative error."""
    xs = [mp.mpf(high) * (1 + x) ** 2 / 4 for x in points(-1, 1, 300)]
    d, w = [1 + x for x in xs], [mp.mpf(1)] * len(xs)
    best = None
    for _ in range(rounds):  # Lawson's weights on the problem linearised at the last denominator
        a = mp.matrix([[s / (f(x) * y) * x**i for i in range(over + 1)] +
                       [-s / y * x**j for j in range(1, under + 1)] for x, y, s in zip(xs, d, w)])
        c = mp.lu_solve(a, mp.matrix([s / y for y, s in zip(d, w)]))
        n = [mp.polyval(list(c)[over::-1], x) for x in xs]
        d = [mp.polyval(list(c)[:over:-1] + [1], x) for x in xs]
        e = [1 - p / (q * f(x)) for p, q, x in zip(n, d, xs)]
        worst = max(map(abs, e))
        if best is None or worst < best[0]:
            best = worst, list(c), n, d, e
        w = [s * (abs(v) / worst + mp.mpf("0.02")) for s, v in zip(w, e)]
    _, c, n, d, e = best
    top = [[x**i / p for x, p in zip(xs, n)] for i in range(over + 1)]
    bottom = [[-(x**j) / q for x, q in zip(xs, d)] for j in range(1, under + 1)]
    columns = [as_column([v * step(k) for v in column]) for k, column in zip(c, top + bottom)]
    return round_all(as_column(e), columns, c)


def odd(f):
    """(f(x) / x - 1) / x^2 in terms of x^2, and the weight that makes its error relative to f."""
    ratio = lambda s: f(mp.sqrt(s)) / mp.sqrt(s)
    return lambda s: (ratio(s) - 1) / s, lambda s: s / ratio(s)


R = mp.log(2) / 2 * mp.mpf("1.0001")
ROOT = mp.sqrt(2)
TINY = mp.mpf("1e-4")
QUARTER = mp.mpf("0.7856") ** 2
HALF_LN2 = R**2
LOG10_2 = mp.log10(2) / 2 * mp.mpf("1.0001")
SHORT = mp.mpf("0.9") ** 2

exp_rest = lambda r: (mp.exp(r) - 1 - r) / r**2
exp_weight = lambda r: abs(r**2 / mp.expm1(r))
exp2_ratio = lambda r: (mp.mpf(2) ** r - 1) / r
exp2_weight = lambda r: abs(r) / mp.mpf(2) ** r
log_rest = lambda f: (mp.log1p(f) - f) / f**2
log_weight = lambda f: f**2 / abs(mp.log1p(f))
atanh_rest = lambda q: (2 * mp.atanh(mp.sqrt(q)) / mp.sqrt(q) - 2) / mp.log(2) / q
atanh_weight = lambda q: q * mp.log(2) / 2 * 256
cos_rest = lambda s: (mp.cos(mp.sqrt(s)) - 1 + s / 2) / s**2
cos_weight = lambda s: s**2 / mp.cos(mp.sqrt(s))
erf_ratio = lambda s: mp.erf(mp.sqrt(s)) / mp.sqrt(s)
erf_rest = lambda s: erf_ratio(s) - 1
erf_log = lambda x: mp.log(mp.erfc(x), 2)
erf_weight = lambda x: mp.log(2) * mp.erfc(x) / mp.erf(x)
asin_ratio = lambda z: mp.asin(mp.sqrt(z)) / mp.sqrt(z)
acosh_ratio = lambda t: mp.acosh(1 + t) / mp.sqrt(2 * t)
exp10_ratio = lambda r: (mp.mpf(10) ** r - 1) / r
cosh_rest = lambda s: (mp.cosh(mp.sqrt(s)) - 1) / s
def erfc_tail(v):
    """erfc(x) * exp(x^2) * (1 + 2 x) in terms of v = (3 - x) / (3 + x)."""
    x = 6 / (v + 1) - 3
    return mp.erfc(x) * mp.exp(x * x) * (1 + 2 * x)


def stirling_rest(s):
    """x * (log(gamma(x)) - its value by Stirling's formula without the series) in terms of s = 1 / x^2."""
    x = 1 / mp.sqrt(s)
    return x * (mp.loggamma(x) - (x - mp.mpf(0.5)) * (mp.log(x) - 1) - mp.log(2 * mp.pi) / 2 + mp.mpf(0.5))


lgamma_ratio = lambda v: mp.loggamma(v + mp.mpf(1.5)) / ((v + mp.mpf(0.5)) * (v - mp.mpf(0.5)))
sinc = lambda s: (mp.sin(mp.pi * mp.sqrt(s)) / (mp.pi * mp.sqrt(s)) - 1) / s
OFF = 1 - to_float(mp.log(2)) / mp.log(2)  # a tail is mills * exp(-x^2 / 2), 2^k for exp(k * to_float(log(2))) in it
mills = lambda x: mp.erfc(x / ROOT) / 2 * mp.exp(x * x / 2) * mp.exp(x * x / 2 * OFF)
half_exp = lambda r: (mp.exp(-r / 2) - 1) / r

FITS = {
    "exp_rest": lambda: polynomial(exp_rest, exp_weight, 4, -R, R),
    "exp2_near": lambda: polynomial(exp2_ratio, exp2_weight, 5, -0.50001, 0.50001),
    "expm1": lambda: polynomial(exp_rest, exp_weight, 5, -R, R, 0.5),
    "log_rest": lambda: polynomial(log_rest, log_weight, 8, 1 / ROOT - 1, ROOT - 1, -0.5),
    "trig_sin": lambda: polynomial(*odd(mp.sin), 2, TINY, QUARTER),
    "trig_cos": lambda: polynomial(cos_rest, cos_weight, 2, TINY, QUARTER),
    "tan": lambda: polynomial(*odd(mp.tan), 6, TINY, QUARTER),
    "atan": lambda: polynomial(*odd(mp.atan), 8, TINY, 1),
    "tanh": lambda: polynomial(*odd(mp.tanh), 5, TINY, mp.mpf("0.875") ** 2),
    "erf, near 0": lambda: polynomial(erf_rest, lambda s: 1 / erf_ratio(s), 5, TINY, SHORT),
    "erf, beyond": lambda: polynomial(erf_log, erf_weight, 6, 0.9, 4),
    "pow_log2 (in 2^-32)": lambda: polynomial(atanh_rest, atanh_weight, 3, mp.mpf("1e-6"), 0.02945),
    "exp10_near": lambda: polynomial(exp10_ratio, lambda r: abs(r) / mp.mpf(10) ** r, 5, -LOG10_2, LOG10_2),
    "sinh_rest": lambda: polynomial(*odd(mp.sinh), 2, TINY, HALF_LN2),
    "cosh_rest": lambda: polynomial(cosh_rest, lambda s: s, 2, TINY, HALF_LN2, 0.5),
    "asin": lambda: polynomial(*odd(mp.asin), 4, TINY, 0.25),
    "cbrt": lambda: polynomial(lambda f: (1 + f) ** (-mp.mpf(1) / 3), lambda f: (1 + f) ** (mp.mpf(1) / 3), 4, 0, 1),
    "asinh": lambda: polynomial(*odd(mp.asinh), 5, TINY, 0.25),
    "acosh": lambda: polynomial(lambda t: (acosh_ratio(t) - 1) / t, lambda t: t / acosh_ratio(t), 4, TINY, 0.5),
    "atanh": lambda: polynomial(*odd(mp.atanh), 3, TINY, mp.mpf("0.0786")),
    "erfc": lambda: polynomial(erfc_tail, lambda v: 1 / erfc_tail(v), 10, -0.5455, 0.7778, erfc_tail(mp.mpf(0))),
    "lgamma, near 1 and 2": lambda: polynomial(lgamma_ratio, lambda v: 1 / lgamma_ratio(v), 13, -0.8, 0.7, lgamma_ratio(mp.mpf(0))),
    "lgamma, beyond (in 2^-28)": lambda: polynomial(stirling_rest, lambda s: 16 * mp.sqrt(s), 3, mp.mpf("1e-9"), 0.2067),
    "sin(pi x) / pi x": lambda: polynomial(sinc, lambda s: 1 / (1 + s * sinc(s)), 4, TINY, 0.25),
    "gelu, exp(-r / 2)": lambda: polynomial(half_exp, abs, 5, -2 * R, 2 * R),
    "gelu": lambda: rational(mills, 13.5, 4, 5),
}

if __name__ == "__main__":
    for name, fit in FITS.items():
        if len(sys.argv) < 2 or name.startswith(sys.argv[1]):
            coefficients, best, worst = fit()
            print(f"{name}: {best:.4f}, rounded {worst:.4f}")
            for c in coefficients:
                print(f"    {float(c).hex()}f  {float(c):.9g}")
