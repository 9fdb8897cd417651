"""The terms that texts on screen use, each with its meaning: one word for one thing."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Term:
    """A term, its meaning in one or two short sentences, its other spellings, and words that it replaces."""

    name: str
    meaning: str
    forms: tuple[str, ...] = ()
    instead_of: tuple[str, ...] = ()

    @property
    def slug(self) -> str:
        """Return the name as it stands in a link: ASCII letters, digits and hyphens.

        >>> Term("landmarks (Nyström)", "").slug
        'landmarks-nystr-m'
        """
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")


#: In alphabetical order.
GLOSSARY = (
    Term(
        "alignment",
        "Agreement of the centred Gram matrix with the ideal matrix of the labels, from −1 to 1. Higher is better.",
        ("kernel target alignment", "centred alignment", "aligned"),
    ),
    Term(
        "angles and distances",
        "Of rows as points in feature space. The cosine of an angle is the normalised kernel value.",
        ("cosine", "cosines"),
    ),
    Term(
        "balanced error",
        "The mean over classes of each class's error rate. A rare class counts as much as a common one.",
    ),
    Term(
        "bandwidth",
        "The width h of the Gaussian that makes one level of a deep kernel from the distances below it.",
        ("bandwidths",),
    ),
    Term(
        "border",
        "Where a machine's decision f(x) is 0: on each side of it, one class is predicted.",
        ("borders",),
    ),
    Term(
        "Brier score",
        "The mean squared difference of a predicted probability and what happened, 1 or 0. Lower is better.",
    ),
    Term(
        "calibrated",
        "Of rows with predicted probability p, about a share p is of the class.",
        ("calibration",),
    ),
    Term(
        "centred",
        "Shifted in feature space so that the mean of all rows is the origin.",
        ("centring", "centred in feature space"),
        ("centered", "centering"),
    ),
    Term(
        "coefficient",
        "The part sᵢ of the labels that lies along direction i: the inner product of labels and eigenvector.",
        ("coefficients", "label coefficient", "label coefficients"),
    ),
    Term(
        "collapse",
        "The level from which all pairs of rows are almost equally similar. Constant off the diagonal, a machine "
        "memorises any labels; constant everywhere, rows coincide.",
        ("collapsed", "collapses"),
    ),
    Term(
        "diagonal ratio",
        "Mean diagonal entry over mean off-diagonal entry in absolute value. Far above 1, rows are nearly orthogonal: "
        "compare training and test error.",
    ),
    Term(
        "direction",
        "A pattern in which the rows differ for the kernel: an eigenvector of the Gram matrix, the largest eigenvalue "
        "first. Feature maps and machines take those of the centred matrix.",
        ("directions",),
        ("component", "components"),
    ),
    Term(
        "effective rank",
        "The number of directions over which the rows spread: 1 for a constant matrix, n for the identity.",
    ),
    Term(
        "eigenvalue",
        "The size of the Gram matrix along one direction, its eigenvector. A valid kernel has none below zero.",
        ("eigenvalues", "smallest eigenvalue", "eigenvector", "eigenvectors"),
    ),
    Term(
        "empirical map",
        "A kernel made from another. Each row becomes its list of values with the training rows; lists are compared "
        "by inner product.",
        ("empirical maps", "empirical kernel map"),
    ),
    Term(
        "feature map",
        "The map of each row to a point, so that the inner product of two points is their kernel value.",
        ("feature maps",),
    ),
    Term("feature space", "The space of the feature map's points.", ("feature spaces",)),
    Term(
        "Gram matrix",
        "The table of how similar each row is to each other row. Row i, column j holds the kernel value k(xᵢ, xⱼ).",
        ("Gram matrices",),
        ("kernel table",),
    ),
    Term(
        "halving",
        "A random split into two halves: one half trains, the other half tests.",
        ("halvings", "random halves"),
    ),
    Term(
        "kernel",
        "A function of two rows that measures how similar they are, and is an inner product in a feature space.",
        ("kernels",),
    ),
    Term(
        "kernel logistic regression",
        "A classifier that gives every class a probability. C sets how closely it fits the training rows.",
    ),
    Term(
        "kernel PCA",
        "Principal component analysis in feature space: the rows along the leading directions of the Gram matrix.",
        instead_of=("kernel-PCA",),
    ),
    Term(
        "landmarks",
        "The rows against which a kernel is evaluated. Nyström takes a few that stand for all, an empirical map the "
        "training rows.",
        ("landmark", "landmark rows", "Nyström"),
    ),
    Term(
        "leave-one-out",
        "Each row is predicted from all other rows in turn. For ridge regression a closed formula gives all results.",
        ("leaving one row out",),
        ("LOO",),
    ),
    Term(
        "level",
        "How often a kernel repeats its step; 0 is none. Each level compares rows by the results of the one below.",
        ("levels", "deep levels"),
    ),
    Term(
        "−log ℓ",
        "Negative log-likelihood of two groups of coefficients, information and noise, split at d. Lower fits better.",
    ),
    Term(
        "margin",
        "The band around the border of a support vector machine in which f(x) lies between −1 and 1.",
        ("margins", "soft margin", "hard margin"),
    ),
    Term(
        "memorises",
        "Fits the training rows but not their rule: training error below half the test error, which is near guessing.",
        ("memorise", "memorised", "memorising", "overfits", "overfitting"),
        ("by heart",),
    ),
    Term(
        "nested cross-validation",
        "Repeats the choice on parts of the rows and tests it on the others. No choice has seen its test rows.",
    ),
    Term(
        "noise",
        "The share of rows, or of variance, in which the labels differ from their fit on the first d̂ directions.",
        ("noise estimate", "estimated noise"),
    ),
    Term(
        "noise limit",
        "The size that the coefficients of noise exceed in 1% of directions. What is larger rises above the noise.",
    ),
    Term(
        "normalised",
        "Divided by both rows' lengths in feature space: each row then has similarity 1 with itself.",
        ("normalisation", "normalise"),
        ("normalized", "normalization"),
    ),
    Term(
        "positive semi-definite",
        "No eigenvalue is below zero: the matrix is a valid table of inner products.",
        ("indefinite", "PSD"),
        ("positive semidefinite",),
    ),
    Term(
        "power",
        "The step that raises every kernel value to the power p. A p below 1 brings values of different sizes closer "
        "together.",
        ("powers",),
    ),
    Term(
        "quick error",
        "A cheap estimate for comparing kernels: nearest centroid on random halves, ridge by leave-one-out. Not for "
        "publishing.",
        ("quick errors",),
    ),
    Term(
        "relevant dimension",
        "The number d̂ of leading directions within which the labels lie, up to noise. Not all of them rise above the "
        "noise.",
        ("d̂",),
    ),
    Term(
        "ridge",
        "Regression with a penalty λ on large weights. A larger λ gives a smoother fit, closer to the mean.",
        ("ridges", "ridge regression"),
    ),
    Term(
        "ROC curve",
        "Share of a class that is detected, over share of other rows taken for it. An area of 0.5 is guessing.",
        ("ROC curves", "true positive rate", "false positive rate"),
    ),
    Term(
        "silhouette",
        "How much nearer rows are to their own group than to the next one, from −1 to 1. Higher is better.",
    ),
    Term(
        "support vector",
        "A training row that defines the machine's border: its weight α is above zero.",
        ("support vectors",),
    ),
    Term(
        "support vector machine",
        "A classifier with the widest margin between two classes. C sets the price of rows inside it.",
        ("support vector machines", "SVM"),
    ),
    Term(
        "transductive",
        "Made for all rows at once, test rows included: the kernel has no value for a new row.",
    ),
    Term(
        "unexplained variance",
        "The mean squared error as a share of the variance of y. Predicting the mean of y has 100%.",
    ),
)
_FORMS = {form.lower(): term for term in GLOSSARY for form in (term.name, *term.forms)}


@functools.cache
def _pattern() -> re.Pattern[str]:
    longest_first = sorted(_FORMS, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])", re.IGNORECASE)


def terms_in(text: str) -> list[tuple[int, int, Term]]:
    """Return where the glossary's terms stand in a text: start, end and term, the longest spelling at each place.

    >>> [(start, term.name) for start, _, term in terms_in("Gram matrices, level by level")]
    [(0, 'Gram matrix'), (15, 'level'), (24, 'level')]
    """
    return [(m.start(), m.end(), _FORMS[m[0].lower()]) for m in _pattern().finditer(text)]
