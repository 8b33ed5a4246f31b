#!/usr/bin/env python3
"""The polynomials of cl_kernels/math64.cl: minimax coefficients that are doubles.

Not part of the build; needs mpmath. `minimax64.py [name]` prints the coefficients, lowest power
first, and the largest weighted error in units of 2^-53, with real and with rounded coefficients.

The one hard idea: 53 bits are too many for the linear program of minimax.py, which computes in
doubles. So this is Remez's exchange in 300 bits over a grid that is dense at its ends; the lowest
coefficients, whose rounding counts most, are rounded one by one, each time with a new fit of the
rest around them.
"""
import sys

import mpmath as mp

mp.mp.prec = 300


def to_double(x):
    return mp.mpf(float(x))


def to_pair(x):
    return to_double(x) + to_double(x - to_double(x))


def points(low, high, count):
    low, high = mp.mpf(low), mp.mpf(high)
    nodes = [mp.cos(mp.pi * (i + mp.mpf(1) / 2) / count) for i in range(count)]
    return [x for x in ((low + high) / 2 - (high - low) / 2 * v for v in nodes) if abs(x) > 2**-60]


def extrema(errors):
    """Indices of the largest error of each run of one sign."""
    found = []
    for i, e in enumerate(errors):
        if found and (e > 0) == (errors[found[-1]] > 0):
            found[-1] = i if abs(e) > abs(errors[found[-1]]) else found[-1]
        else:
            found.append(i)
    return found


def remez(wanted, weights, xs, powers):
    """The coefficients for which the largest |weight * (wanted - sum)| is least, and that error."""
    n = len(powers)
    rows = [[x**p * w for p in powers] for x, w in zip(xs, weights)]
    goal = [y * w for y, w in zip(wanted, weights)]
    at = [(len(xs) - 1) * i // n for i in range(n + 1)]
    best = None
    for _ in range(40):
        a = mp.matrix([rows[i] + [(-1) ** k] for k, i in enumerate(at)])
        c = list(mp.lu_solve(a, mp.matrix([goal[i] for i in at])))
        errors = [g - mp.fdot(r, c[:-1]) for g, r in zip(goal, rows)]
        worst = max(map(abs, errors))
        best = (c[:-1], worst) if best is None or worst < best[1] else best
        at = extrema(errors)
        if worst <= abs(c[-1]) * mp.mpf("1.001") or len(at) <= n:
            break
        while len(at) > n + 1:
            at.pop(0 if abs(errors[at[0]]) < abs(errors[at[-1]]) else -1)
    return best


def fit(f, weight, low, high, count, first=None, one_by_one=3, grid=None, to_first=to_double):
    """f as a polynomial of `count` coefficients, where weight * error counts; `first` fixes the
    constant term, `to_first` rounds the first one that is not fixed."""
    xs = points(low, high, grid or 24 * count + 60)
    weights = [weight(x) * 2**53 for x in xs]
    rest = [f(x) - (first or 0) for x in xs]
    powers = list(range(0 if first is None else 1, count))
    result = [] if first is None else [mp.mpf(first)]
    best = None
    for k in range(one_by_one + 1):
        c, worst = remez(rest, weights, xs, powers)
        best = best or worst
        take = 1 if k < one_by_one else len(c)
        done = [(to_first if k == 0 else to_double)(v) for v in c[:take]]
        rest = [y - mp.fsum(v * x**p for v, p in zip(done, powers)) for x, y in zip(xs, rest)]
        powers = powers[take:]
        result += done
    return result, best, max(abs(y * w) for y, w in zip(rest, weights))


def odd(f):
    """(f(x) / x - 1) / x^2 in terms of x^2, and the weight that makes its error relative to f."""
    ratio = lambda s: f(mp.sqrt(s)) / mp.sqrt(s)
    return lambda s: (ratio(s) - 1) / s, lambda s: s / ratio(s)


R = mp.log(2) / 2 * mp.mpf("1.0001")
ROOT = mp.sqrt(2)
TINY = mp.mpf("1e-12")
QUARTER = mp.mpf("0.78541") ** 2
FAR = mp.mpf("38.7")

exp_rest = lambda r: (mp.expm1(r) - r) / r**2
exp_weight = lambda r: abs(r**2 / mp.expm1(r))
exp2_ratio = lambda r: (mp.mpf(2) ** r - 1) / r
exp2_weight = lambda r: abs(r) / mp.mpf(2) ** r
log_rest = lambda f: (mp.log1p(f) - f + f**2 / 2) / f**3
log_weight = lambda f: abs(f**3 / mp.log1p(f))
cos_rest = lambda s: (mp.cos(mp.sqrt(s)) - 1 + s / 2) / s**2
cos_weight = lambda s: s**2 / mp.cos(mp.sqrt(s))
erf_ratio = lambda s: mp.erf(mp.sqrt(s)) / mp.sqrt(s)
atanh_rest = lambda q: (2 * mp.atanh(mp.sqrt(q)) / mp.sqrt(q) - 2) / mp.log(2) / q
atanh_weight = lambda q: q * mp.log(2) / 2 * 2**13
tail = lambda x: (1 + x) * mp.erfc(x / ROOT) * mp.exp(x * x / 2)
tail_at = lambda v: tail(4 * (1 + v) / (1 - v))

FITS = {
    "exp_rest": lambda: fit(exp_rest, exp_weight, -R, R, 11, first=0.5),
    "exp2_near": lambda: fit(exp2_ratio, exp2_weight, -0.50001, 0.50001, 12),
    "log_rest": lambda: fit(log_rest, log_weight, 1 / ROOT - 1, ROOT - 1, 20),
    "trig_sin": lambda: fit(*odd(mp.sin), TINY, QUARTER, 6),
    "trig_cos": lambda: fit(cos_rest, cos_weight, TINY, QUARTER, 6),
    "atan": lambda: fit(*odd(mp.atan), TINY, 1, 20, one_by_one=5),
    "tanh": lambda: fit(*odd(mp.tanh), TINY, mp.mpf("0.6") ** 2, 11),
    "erf": lambda: fit(lambda s: erf_ratio(s) - 1, lambda s: 1 / erf_ratio(s), TINY, 0.25, 9),
    "normal_tail": lambda: fit(tail_at, lambda v: 1 / tail_at(v), -1, (FAR - 4) / (FAR + 4), 24,
                               one_by_one=4, grid=600),
    "pow_log2 (in 2^-66)": lambda: fit(atanh_rest, atanh_weight, TINY, 0.02946, 9, to_first=to_pair),
}

if __name__ == "__main__":
    for name, make in FITS.items():
        if len(sys.argv) < 2 or name.startswith(sys.argv[1]):
            coefficients, best, worst = make()
            print(f"{name}: {float(best):.4f}, rounded {float(worst):.4f}")
            for c in coefficients:
                low = c - to_double(c)
                print(f"    {float(c).hex()}" + (f" + {float(low).hex()}" if low else ""))
