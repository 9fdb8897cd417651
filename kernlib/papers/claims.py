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
Judge = Callable[[Lines], tuple[Status, str]]


@dataclass(frozen=True)
class Claim:
    """A claim in our own wording; `judge` returns its status and the evidence from the figures."""

    paper: str
    text: str
    judge: Judge

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


def _best(item: str, than: str = "original kernel", start: str = "p = ", sign: int = 1) -> Judge:
    """Return a judge of whether the smallest figure, with sign −1 the largest, is better than another one."""

    def judge(lines: Lines) -> tuple[Status, str]:
        plain = lines[item, than]["ours"]
        tried = {
            place[1]: line["ours"] for place, line in lines.items() if place[0] == item and place[1].startswith(start)
        }
        best = min(tried, key=lambda label: sign * tried[label])
        status: Status = "confirmed" if sign * (plain - tried[best]) > 0 else "contradicted"
        return status, f"{than.capitalize()}: {plain:.3f}; {best}: {tried[best]:.3f}."

    return judge


def _needs(data: str) -> Judge:
    return lambda lines: ("not testable here", f"Needs {data}.")


def _all_within(item: str, otherwise: Status, words: str) -> Judge:
    def judge(lines: Lines) -> tuple[Status, str]:
        own = [line["verdict"] == "within" for (name, _), line in lines.items() if name == item]
        return "confirmed" if own and all(own) else otherwise, f"{sum(own)} of {len(own)} {words}."

    return judge


def _deeper(*names: str) -> Judge:
    def judge(lines: Lines) -> tuple[Status, str]:
        gains = [
            line
            for (item, label), line in lines.items()
            if label.startswith("gain of level") and item.split(", ")[1] in names
        ]
        if not gains:
            raise KeyError(f"depth on {', '.join(names)}")
        clearly = sum(line["ours"] > 2 * line["se"] for line in gains)
        below = sum(line["ours"] < -2 * line["se"] for line in gains)
        status: Status = "confirmed" if clearly >= 0.8 * len(gains) else "contradicted" if below > clearly else "weak"
        return status, (
            f"Of {len(gains)} levels {sum(line['ours'] > 0 for line in gains)} lie above level 0, {clearly} by more "
            f"than two standard errors, and {below} below by as much. Other halves give other counts; the standard "
            "error allows for their overlap."
        )

    return judge


def _apart(small: dict[str, Any], large: dict[str, Any]) -> Status:
    """Return whether a figure is smaller than another one by more than twice the standard error of each."""
    gap, allowed = large["ours"] - small["ours"], 2 * (large["se"] + small["se"])
    return "confirmed" if gap > allowed else "contradicted" if gap < -allowed else "weak"


def _images(lines: Lines) -> tuple[Status, str]:
    names = ("k9^{2,2}", "k9^{4,1}", "k^{1,4}")  # as the paper orders them
    own = [lines["MNIST stand-in, digits 3 and 8", name] for name in names]
    ordered = own[0]["ours"] < own[1]["ours"] < own[2]["ours"]
    errors = ", ".join(f"{name} {line['ours']:.2%}" for name, line in zip(names, own, strict=True))
    words = f"On the digits 3 and 8: {errors}. On MNIST the paper prints 3.1%, 3.4% and 4.0%."
    return _apart(own[0], own[2]) if ordered else "weak", words


def _stand_ins(lines: Lines) -> tuple[Status, str]:
    _, evidence = _deeper("stand-in of 300 WebKB pages", "stand-in of pairs of digits")(lines)
    return "not testable here", f"Needs the paper's own pages and scores. On stand-ins: {evidence}"


def _rise_and_fall(lines: Lines) -> tuple[Status, str]:
    spread = [lines["Figure 3.6", f"level {level}"]["ours"] for level in range(6)]
    peak = spread.index(max(spread))
    return "confirmed" if 0 < peak < 5 else "contradicted", (
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
    rest = sorted(name for name, line in dims.items() if line["ours"] >= 50)
    small = len(dims) - len(rest)
    words = f"Below 50 directions on {small} of {len(dims)} sets; more on {', '.join(rest) or 'none'}."
    return "confirmed" if small >= 0.75 * len(dims) else "weak", words


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
    estimated, above, clearly = _column(lines, "est. error"), [], 0
    for machine in ("kPCR", "KRR", "SVM"):
        for name, line in _column(lines, machine).items():
            if name in estimated and estimated[name]["ours"] > line["ours"]:
                above.append(f"{name} {estimated[name]['ours']:.3f} against {machine} {line['ours']:.3f}")
                clearly += _apart(line, estimated[name]) == "confirmed"
    status: Status = "confirmed" if not above else "contradicted" if clearly else "weak"
    return status, (
        f"Against kernel PCA regression, ridge regression and the SVM on {len(estimated)} sets the estimate is higher "
        f"{len(above)} times" + (f": {'; '.join(above)}" if above else "") + f"; {clearly} of them by more than twice "
        "the standard error of each. The source calls the estimate usually a bit too optimistic."
    )


def _as_good(lines: Lines) -> tuple[Status, str]:
    svm = _column(lines, "SVM")
    gaps = [line["ours"] - svm[name]["ours"] for name, line in _column(lines, "kPCR").items() if name in svm]
    near = sum(gap <= 2.0 for gap in gaps)
    words = f"Within two points of the SVM, or better, on {near} of {len(gaps)} sets."
    return "confirmed" if near >= 0.8 * len(gaps) else "weak", words


def _order(lines: Lines) -> tuple[Status, str]:
    k0, k1 = (lines[f"Promoters, {k}", "chosen on training rows"] for k in ("k0", "k1"))
    status = _apart(k1, k0)
    tie = " The difference is not significant on 40 splits." if status == "weak" else ""
    return status, f"Chosen on training rows: k0 {k0['ours']:.3f}, k1 {k1['ours']:.3f}.{tie}"


#: The same run with the inner folds of seeds 1 to 7: 119 to 128 of 1360 test rows. Seed 0 is shipped: 125.
_OTHER_FOLDS = "0.0875 to 0.0941"


def _beats_rbf(lines: Lines) -> tuple[Status, str]:
    k0, narrow, wide, one_hot = (
        lines[f"Promoters{kernel}", "chosen on training rows"]
        for kernel in (
            ", k0",
            ", RBF",
            " with σ of 1 to 16, treatment contrasts",
            " with σ of 1 to 16, one-hot columns",
        )
    )
    return _apart(k0, min((narrow, wide, one_hot), key=lambda line: line["ours"])), (
        f"k0 {k0['ours']:.3f}. RBF on treatment contrasts {narrow['ours']:.3f} with widths from the printed grid of γ, "
        f"{wide['ours']:.4f} with σ from 1 to 16; on one-hot columns {one_hot['ours']:.4f}, and {_OTHER_FOLDS} with "
        "other inner folds. The source prints that grid for k0 and k1 alone. The RBF on one-hot columns is itself a "
        "form of k0, f2 of the mean."
    )


def _printed_by_leak(lines: Lines) -> tuple[Status, str]:
    honest, leaky = (lines["Promoters, k0", f"chosen on {rows} rows"] for rows in ("training", "test"))
    return "confirmed" if honest["verdict"] == "within" else "weak", (
        f"Printed {honest['published']:.3f}. Chosen on training rows {honest['ours']:.3f}, on the test rows of each "
        f"split {leaky['ours']:.3f}."
    )


CLAIMS: tuple[Claim, ...] = (
    Claim("O", "A power below one and the empirical map undo a large diagonal: strings.", _best("Table 1")),
    Claim("O", "The same for genes with sparse noise.", _best("Table 2")),
    Claim("O", "The same for variables hidden behind a polynomial.", _best("Table 3")),
    Claim(
        "O",
        "With a power the matrix is closer to that of the hidden variables.",
        _best("Hidden variables", "alignment at p = 1", "alignment", -1),
    ),
    Claim("O", "The nearest neighbour gains as well.", _best("Table 1, nearest neighbour")),
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
