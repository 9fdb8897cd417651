"""Claims of the papers, each with what our figures say of it, and errors in the papers."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files


@cache
def claims() -> tuple[dict[str, str], ...]:
    """Return the claims of the papers in our own wording: `paper`, `text`, the `status` and the `evidence`.

    The status is "confirmed", "contradicted", "weak" or "not testable here", by the shipped results; other results have
    to be judged again.
    """
    text = files(__package__).joinpath("claims.json").read_text(encoding="utf-8")
    return tuple(json.loads(text))


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
