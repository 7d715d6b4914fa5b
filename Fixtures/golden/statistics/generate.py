"""Golden values for DiceNumerics and DiceStatistics from SciPy.

    python3 -m pip install numpy scipy
    python3 Fixtures/golden/statistics/generate.py

Writes values.json beside this file (written with NumPy 2.4.6 and SciPy 1.17.1):

- logGamma, upperGamma: [x, value] and [a, x, value] from scipy.special.gammaln and gammaincc.
- noncentral: [x, degrees of freedom, noncentrality, tail] from scipy.stats.ncx2.sf.
- chiSquare: counts and expected probabilities with the statistic and p-value of scipy.stats.chisquare.
- exact: counts and expected probabilities with the exact multinomial p-value, by scipy.stats.multinomial's
  probabilities of all outcomes; for two faces checked against scipy.stats.binomtest.
- wilson: [count, n, confidence, low, high] from scipy.stats.binomtest(...).proportion_ci.
- reader: counts, a matrix and expected probabilities, with the statistic, p-value and corrected shares from
  numpy.linalg.
- runs: values with the mean and variance of their number of runs over all their orders, counted one by one.
- needed: [faces, bias, power, level, rolls] by scipy.stats.ncx2 with the two moments of X^2, from NumPy.
"""

import itertools
import json
import math
import pathlib

import numpy as np
from scipy import special, stats

FOLDER = pathlib.Path(__file__).parent


def outcomes(n, k):
    if k == 1:
        yield (n,)
        return
    for first in range(n + 1):
        for rest in outcomes(n - first, k - 1):
            yield (first, *rest)


def exact(counts, shares):
    distribution = stats.multinomial(sum(counts), shares)
    limit = distribution.pmf(counts) * (1 + 1e-7)
    p = distribution.pmf(list(outcomes(sum(counts), len(counts))))
    return float(p[p <= limit].sum())


def reader(counts, matrix, shares):
    n, k = sum(counts), len(counts)
    weights = np.sum(matrix, axis=1) + 0.5
    m = np.array(matrix, float) + 0.5 / (k - 1)
    np.fill_diagonal(m, np.diag(matrix))
    m = m / weights[:, None]
    p = np.array(shares)
    q = p @ m
    v = sum(p[i] ** 2 * (np.diag(m[i]) - np.outer(m[i], m[i])) / weights[i] for i in range(k))
    d = (np.array(counts) / n - q)[:-1]
    sigma = ((np.diag(q) - np.outer(q, q)) / n + v)[:-1, :-1]
    statistic = float(d @ np.linalg.solve(sigma, d))
    return dict(counts=counts, matrix=matrix, shares=shares, statistic=statistic,
                pValue=float(stats.chi2.sf(statistic, k - 1)),
                corrected=(np.array(counts) / n @ np.linalg.inv(m)).tolist())


def runs(values):
    found = [1 + sum(a != b for a, b in itertools.pairwise(order))
             for order in itertools.permutations(values)]
    return dict(values=values, mean=float(np.mean(found)), variance=float(np.var(found)))


def needed(faces, bias, power, level):
    df = faces - 1
    critical = stats.chi2.isf(level, df)
    p = np.full(faces, (1 - 1 / faces - bias) / df)
    p[0] = 1 / faces + bias
    # With equal expectations the covariance before is (I - 1/k) / (k n), and its inverse k n.
    b = faces * (np.diag(p) - np.outer(p, p))
    change = p - 1 / faces

    def found(n):
        distance = faces * n * change @ change
        mean, variance = np.trace(b) + distance, 2 * np.trace(b @ b) + 4 * faces * n * change @ b @ change
        root = mean ** 2 - df * variance / 2
        scale = (mean - math.sqrt(max(0, root))) / df
        if root <= 0:
            return stats.chi2.sf(critical / scale, df)
        return stats.ncx2.sf(critical / scale, df, mean / scale - df)
    low, high = 0, 1 << 20
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if found(middle) >= power else (middle, high)
    return [faces, bias, power, level, high]


fair = [1 / 6] * 6
loaded = [0.1, 0.15, 0.15, 0.15, 0.2, 0.25]
matrix = [[97, 1, 0, 0, 0, 0], [1, 95, 2, 0, 0, 0], [0, 0, 99, 0, 1, 0],
          [0, 0, 0, 90, 2, 6], [0, 1, 0, 2, 92, 3], [0, 0, 0, 1, 4, 93]]
rare = [[20, 12, 15, 18, 17, 38], [163, 170, 171, 160, 158, 178], [1, 0, 2, 0, 0, 7], [5, 5, 5, 5, 5, 5]]
values = dict(
    logGamma=[[x, float(special.gammaln(x))] for x in
              [1e-305, 1e-10, 0.1, 0.5, 1, 1.4616, 2, 2.5, 10, 14.99, 15, 100.5, 1e6, 1e100]],
    upperGamma=[[a, x, float(special.gammaincc(a, x))]
                for a in [0.5, 1, 2.5, 9.5, 49.5, 500, 1000]
                for x in [1e-8, 0.1 * a, 0.5 * a, a, a + 1, 1.5 * a, 2 * a + 5, 4 * a + 100]],
    noncentral=[[x, df, nc, float(stats.ncx2.sf(x, df, nc))]
                for df in [1, 5, 19, 99] for nc in [0.5, 12.8, 150, 1200]
                for x in [0.5 * (df + nc), df + nc, df + nc + 3 * math.sqrt(2 * df + 4 * nc)]],
    chiSquare=[dict(counts=c, shares=s, statistic=float(t.statistic), pValue=float(t.pvalue))
               for c in rare for s in [fair, loaded]
               for t in [stats.chisquare(c, np.array(s) * sum(c))]],
    exact=[dict(counts=c, shares=s, pValue=exact(c, s)) for c, s in
           [([1, 0, 2, 0, 0, 7], fair), ([1, 0, 2, 0, 0, 7], loaded), ([3, 2, 2, 3, 1, 1], fair),
            ([0, 0, 0, 4], [0.25] * 4), ([5, 0, 9], [0.2, 0.3, 0.5]), ([17, 8], [0.5, 0.5]),
            ([70, 130], [0.3, 0.7])]],
    wilson=[[c, n, level, float(i.low), float(i.high)]
            for c, n in [(0, 10), (1, 10), (38, 120), (178, 1000), (50, 50)] for level in [0.9, 0.95, 0.99]
            for i in [stats.binomtest(c, n).proportion_ci(level, method="wilson")]],
    reader=[reader(c, matrix, s) for c in rare for s in [fair, loaded]],
    runs=[runs(v) for v in [[1, 1, 2, 2, 3, 3, 3], [1, 2, 2, 2, 2, 2], [1, 1, 1, 1, 2, 3, 4, 4]]],
    needed=[needed(*c) for c in [(6, 0.05, 0.8, 0.05), (6, 0.01, 0.9, 0.01), (20, 0.02, 0.8, 0.05),
                                 (2, 0.1, 0.5, 0.05), (100, 0.01, 0.95, 0.001)]],
)
for case in values["exact"]:
    if len(case["counts"]) == 2:
        c = case["counts"]
        p = stats.binomtest(c[0], sum(c), case["shares"][0]).pvalue
        assert math.isclose(p, case["pValue"], rel_tol=1e-9), case
text = json.dumps(values, separators=(",", ":")).replace("],[", "],\n[").replace("},{", "},\n{")
(FOLDER / "values.json").write_text(text + "\n")
