"""Claims of the papers as text, each judged by our figures, and errors in the papers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from ..analysis.relevant import LOW_DIMENSION, LOW_NOISE, quadrant
from .experiment import printed
from .running import Result

Status = Literal["confirmed", "contradicted", "weak", "not testable here"]
#: Lines of `papers.json` by item and label.
Lines = dict[tuple[str, str], dict[str, Any]]


@dataclass(frozen=True)
class Claim:
    """A claim in our own wording; `judge` returns its status and the evidence from the figures."""

    paper: str
    text: str
    judge: Callable[[Lines], tuple[Status, str]]

    def verdict(self, results: Iterable[Result]) -> tuple[Status, str]:
        """Return the status and the evidence; not testable where the figures have not been run."""
        lines = {
            (line["item"], line["label"]): line
            for result in results
            for line in result["outcomes"]
            if line["ours"] is not None
        }
        try:
            return self.judge(lines)
        except KeyError as error:
            missing = error.args[0]
            name = missing if isinstance(missing, str) else ", ".join(missing)
            return "not testable here", f"Not among the results: {name}."


def _power_helps(item: str) -> Callable[[Lines], tuple[Status, str]]:
    def judge(lines: Lines) -> tuple[Status, str]:
        plain = lines[item, "original kernel"]["ours"]
        powers = {k[1]: line["ours"] for k, line in lines.items() if k[0] == item and k[1].startswith("p = ")}
        best = min(powers, key=lambda label: powers[label])
        status: Status = "confirmed" if powers[best] < plain else "contradicted"
        return status, f"{plain:.3f} for the kernel itself, {powers[best]:.3f} with {best}."

    return judge


def _needs(data: str) -> Callable[[Lines], tuple[Status, str]]:
    return lambda lines: ("not testable here", f"Needs {data}.")


def _all_within(item: str, otherwise: Status, words: str) -> Callable[[Lines], tuple[Status, str]]:
    def judge(lines: Lines) -> tuple[Status, str]:
        own = [line for (name, _), line in lines.items() if name == item]
        met = sum(line["verdict"] == "within" for line in own)
        return "confirmed" if own and met == len(own) else otherwise, f"{met} of {len(own)} {words}."

    return judge


def _deeper(*names: str) -> Callable[[Lines], tuple[Status, str]]:
    def judge(lines: Lines) -> tuple[Status, str]:
        gains = {
            item.partition(", ")[2]: [lines[item, f"gain of level {level}"] for level in range(1, 6)]
            for item in dict.fromkeys(item for item, label in lines if label.startswith("gain of level"))
            if item.split(", ")[1] in names
        }
        every = [line for own in gains.values() for line in own]
        if not every:
            raise KeyError(f"depth on {', '.join(names)}")
        above, clearly, below = _signs(every)
        status: Status = "confirmed" if clearly >= 0.8 * len(every) else "contradicted" if below > clearly else "weak"
        signs = {name: _signs(own) for name, own in gains.items()}
        each = "; ".join(f"{name}: {own[0]} above, {own[1]} clearly" for name, own in signs.items())
        return status, (
            f"Of {len(every)} levels {above} lie above level 0, {clearly} by more than two standard errors, and "
            f"{below} below by as much. Other halves give other counts; the standard error allows for their overlap. "
            f"{each}."
        )

    return judge


def _closer(lines: Lines) -> tuple[Status, str]:
    own = {label: line["ours"] for (item, label), line in lines.items() if item == "Hidden variables"}
    plain = own["alignment at p = 1"]
    best = max(own, key=lambda label: own[label])
    status: Status = "confirmed" if own[best] > plain else "contradicted"
    errors = {label: line["ours"] for (item, label), line in lines.items() if item == "Table 3" and label[:4] == "p = "}
    least = min(errors, key=lambda label: errors[label])
    return status, f"Largest {best}: {own[best]:.2f}; {plain:.2f} at p = 1. The smallest error is at {least}."


def _images(lines: Lines) -> tuple[Status, str]:
    names = ("k9^{2,2}", "k9^{4,1}", "k^{1,4}")  # as the paper orders them
    own = [lines["MNIST stand-in, digits 3 and 8", name] for name in names]
    ordered = own[0]["ours"] < own[1]["ours"] < own[2]["ours"]
    apart = own[2]["ours"] - own[0]["ours"] > 2 * (own[0]["se"] + own[2]["se"])
    status: Status = "confirmed" if ordered and apart else "weak" if own[0]["ours"] < own[2]["ours"] else "contradicted"
    errors = ", ".join(f"{name} {line['ours']:.2%}" for name, line in zip(names, own, strict=True))
    return status, f"On the digits 3 and 8: {errors}. On MNIST the paper prints 3.1%, 3.4% and 4.0%."


def _stand_ins(lines: Lines) -> tuple[Status, str]:
    _, evidence = _deeper("stand-in of 300 WebKB pages", "stand-in of pairs of digits")(lines)
    return "not testable here", f"Needs the paper's own pages and scores. On stand-ins: {evidence}"


def _signs(gains: list[dict[str, Any]]) -> tuple[int, int, int]:
    """Return the number of gains above 0, by more than two standard errors above it, and by as much below it."""
    return (
        sum(line["ours"] > 0 for line in gains),
        sum(line["ours"] > 2 * line["se"] for line in gains),
        sum(line["ours"] < -2 * line["se"] for line in gains),
    )


def _rise_and_fall(lines: Lines) -> tuple[Status, str]:
    spread = [lines["Figure 3.6", f"level {level}"]["ours"] for level in range(6)]
    peak = spread.index(max(spread))
    status: Status = "confirmed" if 0 < peak < 5 and spread[5] < spread[peak] else "contradicted"
    return status, (
        f"Off-diagonal spread over the mean diagonal: {', '.join(f'{s:.3f}' for s in spread)}; largest at level "
        f"{peak}. The paper draws the matrices and defines no number."
    )


def _column(lines: Lines, label: str) -> dict[str, dict[str, Any]]:
    column = {
        item.split(", ")[1]: line
        for (item, own), line in lines.items()
        if item.startswith("Benchmark, ") and own == label
    }
    if not column:
        raise KeyError(f"{label} of the benchmark")
    return column


def _low_dimension(lines: Lines) -> tuple[Status, str]:
    dims = _column(lines, "dim")
    small = [name for name, line in dims.items() if line["ours"] < 50]
    rest = sorted(set(dims) - set(small))
    status: Status = "confirmed" if len(small) >= 0.75 * len(dims) else "weak"
    return status, f"Below 50 directions on {len(small)} of {len(dims)} sets; more on {', '.join(rest) or 'none'}."


def _quadrants(lines: Lines) -> tuple[Status, str]:
    dims, noises = _column(lines, "dim"), _column(lines, "est. error")
    placed = {name: kind for kind, names in printed("relevant_dimension/categories").items() for name in names}
    both = [name for name in placed if name in dims and name in noises]
    wrong = [name for name in both if quadrant(dims[name]["ours"], noises[name]["ours"] / 100) != placed[name]]
    status: Status = "confirmed" if not wrong else "weak" if len(wrong) < len(both) / 4 else "contradicted"
    absent = ", ".join(sorted(set(placed) - set(both)))
    return status, (
        f"{len(both) - len(wrong)} of {len(both)} printed placements agree"
        + (f", not {', '.join(wrong)}" if wrong else "")
        + (f"; {absent} needs data that are not available" if absent else "")
        + f". The borders, {LOW_DIMENSION:g} directions and {LOW_NOISE:.0%}, are ours; the source does not place "
        "twonorm."
    )


def _noise(lines: Lines) -> tuple[Status, str]:
    estimated = _column(lines, "est. error")
    machines = {label: _column(lines, label) for label in ("kPCR", "KRR", "SVM")}
    above, clearly = [], 0
    for name, line in estimated.items():
        for machine, column in machines.items():
            if name in column and line["ours"] > column[name]["ours"]:
                above.append(f"{name} {line['ours']:.3f} against {machine} {column[name]['ours']:.3f}")
                clearly += line["ours"] - column[name]["ours"] > 2 * (line["se"] + column[name]["se"])
    status: Status = "confirmed" if not above else "contradicted" if clearly else "weak"
    return status, (
        f"Against kernel PCA regression, ridge regression and the SVM on {len(estimated)} sets the estimate is higher "
        f"{len(above)} times" + (f": {'; '.join(above)}" if above else "") + f"; {clearly} of them by more than twice "
        "the standard error of each. The source calls the estimate usually a bit too optimistic."
    )


def _as_good(lines: Lines) -> tuple[Status, str]:
    reduced, svm = _column(lines, "kPCR"), _column(lines, "SVM")
    both = [name for name in reduced if name in svm]
    near = [name for name in both if reduced[name]["ours"] - svm[name]["ours"] <= 2.0]
    status: Status = "confirmed" if len(near) >= 0.8 * len(both) else "weak"
    return status, f"Within two points of the SVM, or better, on {len(near)} of {len(both)} sets."


def _order(lines: Lines) -> tuple[Status, str]:
    k0, k1 = (lines[f"Promoters, {k}", "chosen on training rows"] for k in ("k0", "k1"))
    apart = abs(k0["ours"] - k1["ours"]) > 2 * (k0["se"] + k1["se"])
    status: Status = "weak" if not apart else "confirmed" if k1["ours"] < k0["ours"] else "contradicted"
    tie = "" if apart else " The difference is not significant on 40 splits."
    return status, f"Chosen on training rows: k0 {k0['ours']:.3f}, k1 {k1['ours']:.3f}.{tie}"


#: The same run with the inner folds of seeds 1 to 7: 119 to 128 of 1360 test rows. Seed 0 is shipped: 125.
_OTHER_FOLDS = "0.0875 to 0.0941"


def _beats_rbf(lines: Lines) -> tuple[Status, str]:
    k0 = lines["Promoters, k0", "chosen on training rows"]
    narrow = lines["Promoters, RBF", "chosen on training rows"]
    wide, one_hot = (
        lines[f"Promoters with σ of 1 to 16, {coding}", "chosen on training rows"]
        for coding in ("treatment contrasts", "one-hot columns")
    )
    best = min((narrow, wide, one_hot), key=lambda line: line["ours"])
    gap, allowed = best["ours"] - k0["ours"], 2 * (best["se"] + k0["se"])
    status: Status = "confirmed" if gap > allowed else "contradicted" if gap < -allowed else "weak"
    return status, (
        f"k0 {k0['ours']:.3f}. RBF on treatment contrasts {narrow['ours']:.3f} with widths from the printed grid of γ, "
        f"{wide['ours']:.4f} with σ from 1 to 16; on one-hot columns {one_hot['ours']:.4f}, and {_OTHER_FOLDS} with "
        "other inner folds. The source prints that grid for k0 and k1 alone. The RBF on one-hot columns is itself a "
        "form of k0, f2 of the mean."
    )


def _printed_by_leak(lines: Lines) -> tuple[Status, str]:
    honest = lines["Promoters, k0", "chosen on training rows"]
    leaky = lines["Promoters, k0", "chosen on test rows"]
    status: Status = "confirmed" if honest["verdict"] == "within" else "weak"
    return status, (
        f"Printed {honest['published']:.3f}. Chosen on training rows {honest['ours']:.3f}, on the test rows of each "
        f"split {leaky['ours']:.3f}."
    )


CLAIMS: tuple[Claim, ...] = (
    Claim("O", "A power below one and the empirical map undo a large diagonal: strings.", _power_helps("Table 1")),
    Claim("O", "The same for genes with sparse noise.", _power_helps("Table 2")),
    Claim("O", "The same for variables hidden behind a polynomial.", _power_helps("Table 3")),
    Claim("O", "With a power the matrix is closer to that of the hidden variables.", _closer),
    Claim("O", "The nearest neighbour gains as well.", _power_helps("Table 1, nearest neighbour")),
    Claim(
        "O",
        "Without noise, tissues have large cosines (Figure 2).",
        _all_within("Figure 2", "weak", "printed cosines agree to two digits"),
    ),
    Claim("O", "A power helps on thrombin, lymphoma and protein families.", _needs("the data named below the tables")),
    Claim("D", "Φ_AB(ABBA) = λ² + λ³.", _all_within("ABBA", "contradicted", "values are exact")),
    Claim("D", "Walks between labels are L Eⁿ L'.", _all_within("Matrix example", "contradicted", "values are exact")),
    Claim("D", "On images, products of near pixels beat products of all: the order of MNIST's kernels.", _images),
    Claim("D", "Locality lowers the error on DNA.", _needs("the start codons")),
    Claim(
        "K",
        "A deeper level improves the machine on most numerical data.",
        _deeper("Breast", "Digit38", "Wave12", "Wave13", "Wave23"),
    ),
    Claim("K", "A deeper level improves the machine on Enron's e-mail graph, for a range of β.", _deeper("Enron")),
    Claim("K", "A deeper level improves the machine on the law firm's graph, for a range of β.", _deeper("Lawyer")),
    Claim("K", "Levels first gain information off the diagonal and then lose it (Figure 3.6).", _rise_and_fall),
    Claim("K", "Depth improves on texts and on pairs of proteins.", _stand_ins),
    Claim("R", "The labels lie within few directions.", _low_dimension),
    Claim("R", "The data sets fall into four quadrants of noise and dimension.", _quadrants),
    Claim("R", "The noise in the training rows estimates an error that no machine undercuts.", _noise),
    Claim("R", "Regression on the first d̂ directions is about as good as an SVM.", _as_good),
    Claim("C", "Kernels that count agreement beat the RBF on coded columns.", _beats_rbf),
    Claim("C", "Weighing rare agreement (k1) beats counting (k0).", _order),
    Claim("C", "The printed errors come from cross-validation on training rows.", _printed_by_leak),
)

#: The subject of each paper, in our own wording.
INTRODUCTIONS: dict[str, str] = {
    "O": "Where every row is similar to itself and to hardly any other row, the Gram matrix is nearly diagonal and a "
    "machine may memorise. A power below one brings large and small entries closer together; the empirical map makes "
    "a kernel of the result.",
    "D": "Kernels are designed: knowledge about strings, graphs, DNA or images selects the features that are compared.",
    "K": "Distances in a kernel's feature space define a new kernel, and its distances the next: levels. Some levels "
    "separate the classes better, until all pairs look alike.",
    "R": "The labels lie within the first directions of kernel PCA; noise spreads over all. The labels' coefficients "
    "show how many directions that is, and how noisy the data are.",
    "C": "Kernels for categorical columns: count agreement (k0), or give rare agreement more weight (k1). The table of "
    "promoters has two readings: the kernel chosen on training rows, and on test rows.",
}

#: Errors in the sources by paper: (the table concerned, or "" for the whole paper; the error).
ERRATA: dict[str, tuple[tuple[str, str], ...]] = {
    "O": (
        ("Section 2", "The last 9 of the rows is in column 9, its weight in column 10: one of the two is misprinted."),
        ("Table 6", "The ROC score of a random ranking is ½, not close to 0 (4.2)."),
        ("Figure 1", "Letters are missing in the printed strings: 18 to 20 of 20."),
        (
            "",
            "Thrombin: 0.68% of 139,351 columns is 948 ones a row; the printed mean diagonal, which counts them, is "
            "1377.9.",
        ),
    ),
    "D": (
        ("Start codons", "The notes themselves question the upper bound of the window in the DNA kernel."),
        ("", "d₁ = 1 is said to give the polynomial kernel; pixels near the border then have smaller weights."),
    ),
    "K": (
        ("Table 3.1", "Protein is 50:150 in the text and 40:160 in the table."),
        ("Figure 3.2", "Section 3.2.3 gives a class ratio of 1:10 for both graphs, but the law firm has 20:16."),
        ("Table 3.2", "74 of 5893 pages are 1.26%, printed as 1.2."),
        ("", "(2.26) lacks α ≤ γ: as printed it is the machine with a hard margin."),
        ("", "(3.17) is a singular value decomposition, without negative values, and cuts negative ones."),
    ),
    "R": (
        (
            "Splice kernels",
            "The slide orders the letters A, C, G, T and calls them amino acids; the benchmark codes "
            "them A, G, C, T, and only that order gives the printed figures.",
        ),
        ("", "KU = LU is printed for KU = UL; the indices of [u_j]_i are swapped in the projection."),
        ("", "f_i with 1/l_i is the eigenvector u_i continued to new rows; ⟨Ψ(x), v_i⟩ has 1/√l_i."),
        ("", "cos∠ = cos(…) is printed for the cosine of an angle."),
        ("", "The polynomial's map has n for d and k in its coefficients, and no constant; ‖Ψ‖ lacks its root."),
        ("", "The sum of the weighted degree kernel ends at N − d, so the last words of every length are left out."),
    ),
    "C": (
        (
            "",
            "Table 6.1 has 58 dimensions for the promoters' 57 features, and at most 4 modalities for GMonks, whose "
            "a6 has six.",
        ),
        ("Promoters", "f2 is printed with γ > 0, so that it increases with distance; the kernel has −γ."),
        ("Synthetic-Poisson", "The masses of the Poisson distribution are printed without λ^j."),
        ("", "Lemma 2 is false as printed (three equal numbers); k0 and k1 are positive semi-definite."),
        ("", "Definition 4 swaps concave and convex; Lemma 1 ends in 2 + α²/(b² + bα). Theorem A.2 has an h too many."),
    ),
}
