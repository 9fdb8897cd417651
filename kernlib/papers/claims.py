"""What the papers claim in words, with what our figures say of it, and where they err."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from .running import Result

__all__ = ["CLAIMS", "ERRATA", "INTRODUCTIONS", "Claim", "Status"]

Status = Literal["confirmed", "contradicted", "weak", "not testable here"]
#: Lines of `papers.json` by item and label.
Found = dict[tuple[str, str], dict[str, Any]]


@dataclass(frozen=True)
class Claim:
    """A claim in our words; `judge` reads the figures and says what they make of it, with the evidence."""

    paper: str
    text: str
    judge: Callable[[Found], tuple[Status, str]]

    def judged(self, results: Iterable[Result]) -> tuple[Status, str]:
        """The verdict and the evidence; not testable where the figures have not been run."""
        found = {
            (line["item"], line["label"]): line
            for result in results
            for line in result["outcomes"]
            if line["ours"] is not None
        }
        try:
            return self.judge(found)
        except KeyError as error:
            missing = error.args[0]
            name = missing if isinstance(missing, str) else ", ".join(missing)
            return "not testable here", f"Not among the results: {name}."


def _power_helps(item: str) -> Callable[[Found], tuple[Status, str]]:
    def judge(found: Found) -> tuple[Status, str]:
        plain = found[item, "original kernel"]["ours"]
        powers = {k[1]: line["ours"] for k, line in found.items() if k[0] == item and k[1].startswith("p = ")}
        best = min(powers, key=lambda label: powers[label])
        status: Status = "confirmed" if powers[best] < plain else "contradicted"
        return status, f"{plain:.3f} for the kernel itself, {powers[best]:.3f} with {best}."

    return judge


def _needs(data: str) -> Callable[[Found], tuple[Status, str]]:
    return lambda found: ("not testable here", f"It needs {data}.")


def _angles(found: Found) -> tuple[Status, str]:
    lines = [line for (item, _), line in found.items() if item == "Figure 2"]
    met = sum(line["verdict"] == "within" for line in lines)
    status: Status = "confirmed" if lines and met == len(lines) else "weak"
    return status, f"{met} of {len(lines)} printed cosines, to two digits."


def _exactly(item: str) -> Callable[[Found], tuple[Status, str]]:
    def judge(found: Found) -> tuple[Status, str]:
        lines = [line for (name, _), line in found.items() if name == item]
        met = sum(line["verdict"] == "within" for line in lines)
        return "confirmed" if lines and met == len(lines) else "contradicted", f"{met} of {len(lines)} values, exactly."

    return judge


def _deeper(*names: str) -> Callable[[Found], tuple[Status, str]]:
    def judge(found: Found) -> tuple[Status, str]:
        told, better, levels = [], 0, 0
        drawn = [item.split(", ") for item in dict.fromkeys(item for item, _ in found) if item.startswith("Figure 3.")]
        for item in (", ".join(words) for words in drawn if len(words) > 1 and words[1] in names):
            first = found[item, "level 0"]["ours"]
            above = sum(found[item, f"level {level}"]["ours"] > first for level in range(1, 6))
            told.append(f"{item.partition(', ')[2]}: {above}")
            better, levels = better + above, levels + 5
        if not levels:
            raise KeyError(f"depth on {', '.join(names)}")
        share = better / levels
        status: Status = "confirmed" if share >= 0.8 else "weak" if share > 0.5 else "contradicted"
        return status, f"{better} of {levels} levels lie above level 0, of five each {'; '.join(told)}."

    return judge


def _rise_and_fall(found: Found) -> tuple[Status, str]:
    spread = [found["Figure 3.6", f"level {level}"]["ours"] for level in range(6)]
    peak = spread.index(max(spread))
    status: Status = "confirmed" if 0 < peak < 5 and spread[5] < spread[peak] else "contradicted"
    return status, f"The spread of those entries: {', '.join(f'{s:.3f}' for s in spread)}; largest at level {peak}."


def _column(found: Found, label: str) -> dict[str, dict[str, Any]]:
    column = {
        item.split(", ")[1]: line
        for (item, own), line in found.items()
        if item.startswith("Benchmark, ") and own == label
    }
    if not column:
        raise KeyError(f"{label} of the benchmark")
    return column


def _low_dimension(found: Found) -> tuple[Status, str]:
    dims = _column(found, "dim")
    small = [name for name, line in dims.items() if line["ours"] < 50]
    rest = sorted(set(dims) - set(small))
    status: Status = "confirmed" if len(small) >= 0.75 * len(dims) else "weak"
    return status, f"Below 50 directions on {len(small)} of {len(dims)} sets; more on {', '.join(rest) or 'none'}."


def _noise(found: Found) -> tuple[Status, str]:
    estimated, measured = _column(found, "est. error"), _column(found, "kPCR")
    both = [name for name in estimated if name in measured]
    below = [name for name in both if estimated[name]["ours"] <= measured[name]["ours"]]
    status: Status = "confirmed" if len(below) >= len(both) - 1 else "weak"
    return status, f"It lies at or below the test error of kernel PCA regression on {len(below)} of {len(both)} sets."


def _as_good(found: Found) -> tuple[Status, str]:
    reduced, svm = _column(found, "kPCR"), _column(found, "SVM")
    both = [name for name in reduced if name in svm]
    near = [name for name in both if reduced[name]["ours"] - svm[name]["ours"] <= 2.0]
    status: Status = "confirmed" if len(near) >= 0.8 * len(both) else "weak"
    return status, f"Within two points of the SVM, or better, on {len(near)} of {len(both)} sets."


def _five(found: Found) -> tuple[Status, str]:
    told, better = [], []
    for label in ("KRR", "SVM"):
        start = "Benchmark with parameters of five realisations, "
        five = {item.removeprefix(start): line for (item, own), line in found.items()
                if item.startswith(start) and own == label}  # fmt: skip
        if not five:
            raise KeyError(f"{label} with parameters of five realisations")
        anew = {item: found[f"Benchmark, {item}", label] for item in five}
        met = [sum(line["verdict"] == "within" for line in lines.values()) for lines in (five, anew)]
        told.append(f"{label}: {met[0]} of {len(five)} agree so, {met[1]} when each training part is tuned anew")
        better.append(met[0] - met[1])
    status: Status = "confirmed" if min(better) > 0 else "weak" if max(better) > 0 else "contradicted"
    return status, "; ".join(told) + "."


def _order(found: Found) -> tuple[Status, str]:
    k0, k1 = (found[f"Promoters, {k}", "chosen on training rows"] for k in ("k0", "k1"))
    apart = abs(k0["ours"] - k1["ours"]) > 2 * (k0["se"] + k1["se"])
    status: Status = "weak" if not apart else "confirmed" if k1["ours"] < k0["ours"] else "contradicted"
    told = "" if apart else " The 40 splits cannot tell them apart."
    return status, f"Chosen honestly: k0 {k0['ours']:.3f}, k1 {k1['ours']:.3f}.{told}"


def _beats_rbf(found: Found) -> tuple[Status, str]:
    values = {k: found[f"Promoters, {k}", "chosen on training rows"]["ours"] for k in ("k0", "RBF")}
    status: Status = "confirmed" if values["k0"] < values["RBF"] else "contradicted"
    return status, f"Chosen honestly: k0 {values['k0']:.3f}, RBF on treatment contrasts {values['RBF']:.3f}."


def _printed_by_leak(found: Found) -> tuple[Status, str]:
    honest = found["Promoters, k0", "chosen on training rows"]
    leaky = found["Promoters, k0", "chosen on test rows"]
    status: Status = "confirmed" if honest["verdict"] == "within" else "weak"
    return status, (
        f"Printed {honest['published']:.3f}. Chosen on training rows {honest['ours']:.3f}, on the test rows of each "
        f"split {leaky['ours']:.3f}."
    )


CLAIMS: tuple[Claim, ...] = (
    Claim("O", "A power below one and the empirical map undo a large diagonal: strings.", _power_helps("Table 1")),
    Claim("O", "The same for genes under sparse noise.", _power_helps("Table 2")),
    Claim("O", "The same for variables hidden behind a polynomial.", _power_helps("Table 3")),
    Claim("O", "The nearest neighbour gains as well.", _power_helps("Table 1, nearest neighbour")),
    Claim("O", "Before the noise, tissues have large cosines (Figure 2).", _angles),
    Claim("O", "It helps on thrombin, lymphoma and protein families.", _needs("the data named under the tables")),
    Claim("D", "Φ_AB(ABBA) = λ² + λ³.", _exactly("ABBA")),
    Claim("D", "Walks between labels are L Eⁿ L'.", _exactly("Matrix example")),
    Claim("D", "Locality pays on DNA and on images.", _needs("the start codons and MNIST")),
    Claim(
        "K",
        "A deeper level improves the machine on most data with numbers.",
        _deeper("Breast", "Digit38", "Wave12", "Wave13", "Wave23"),
    ),
    Claim("K", "It improves it on the e-mail graph of Enron, for a range of β.", _deeper("Enron")),
    Claim("K", "It improves it on the law firm's graph, for a range of β.", _deeper("Lawyer")),
    Claim("K", "Levels first gain information beside the diagonal and then lose it (Figure 3.6).", _rise_and_fall),
    Claim("K", "It improves it on texts and on pairs of proteins.", _needs("the paper's own pages and scores")),
    Claim("R", "Few directions carry the labels.", _low_dimension),
    Claim("R", "The noise seen in the training rows estimates what no machine gets below.", _noise),
    Claim("R", "Regression on the first d̂ directions is about as good as an SVM.", _as_good),
    Claim(
        "R",
        "The slides do not say how KRR and SVM were tuned: on five realisations, the usual protocol, is our guess.",
        _five,
    ),
    Claim("C", "Kernels that count agreement beat the RBF on coded columns.", _beats_rbf),
    Claim("C", "Weighing rare agreement (k1) beats counting (k0).", _order),
    Claim("C", "The printed errors come from cross-validation on training rows.", _printed_by_leak),
)

#: What each paper is about, in our words.
INTRODUCTIONS: dict[str, str] = {
    "O": "When every row is like itself and hardly like another, a machine memorises: the Gram matrix is nearly "
    "diagonal. A power below one, taken of each entry, brings the small values back; the empirical map makes a kernel "
    "of the result again.",
    "D": "Kernels are designed: what is known of strings, graphs, DNA or images is put into the features that are "
    "compared.",
    "K": "A kernel's distances in feature space make a new kernel, and that one the next: levels, of which some show "
    "the classes better, until all rows look alike.",
    "R": "The labels lie in the first directions of kernel PCA, beyond them is noise. How many directions that are "
    "can be read off the labels' coefficients, and with it how noisy the data are.",
    "C": "Kernels for columns of categories: count agreement (k0), or let rare agreement weigh more (k1). The table of "
    "promoters stands here twice: as honest tuning gives it, and as choosing on the test rows does.",
}

#: Errors in the sources: by paper, (the table beside which it is met, or "" for the paper as a whole; what is wrong).
ERRATA: dict[str, tuple[tuple[str, str], ...]] = {
    "O": (
        ("Section 2", "The toy's last 9 stands in column 9, its weight in column 10: one of the two has slipped."),
        ("Table 6", "The ROC score of a random ranking is ½, not close to 0 (4.2)."),
        ("Table 1", "Figure 1, the strings, cannot be computed from what is printed: letters are missing."),
    ),
    "D": (("Start codons", "The upper bound of the window in the DNA kernel is questioned in the notes themselves."),),
    "K": (
        ("Table 3.1", "Protein is 50:150 in the text and 40:160 in the table."),
        ("Figure 3.2", "3.2.3 speaks of a class ratio of 1:10 for both graphs, yet the law firm has 20:16."),
        ("", "(3.17) writes a singular value decomposition, whose values cannot be negative, and cuts negative ones."),
    ),
    "R": (
        ("Splice kernels", "The slide orders the letters A, C, G, T and calls them amino acids; the benchmark codes "
         "them A, G, C, T, and only with that order do the figures come out."),
        ("", "KU = LU is printed for KU = UL, and the indices of [u_j]_i are swapped in the projection."),
        ("", "cos∠ = cos(…) is printed for the cosine of an angle."),
    ),
    "C": (
        ("Promoters", "f2 is printed with γ > 0, with which it grows with distance; the kernel has −γ."),
        ("Synthetic-Poisson", "The masses of the Poisson distribution are printed without λ^j."),
        ("", "Lemma 2 is false as printed (three equal numbers), though k0 and k1 are positive semi-definite."),
        ("", "Definition 4 swaps concave and convex; Lemma 1 ends in 2 + α²/(b² + bα); A.2 has one h too many."),
    ),
}  # fmt: skip
