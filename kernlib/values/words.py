"""Text for a reader: numbers and shares, the one place that rounds them; the terms on screen; reports."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

#: Smaller shares are written as "less than" this.
_LEAST = 1e-4
#: A share this near to 1 is 1, but for rounding.
_ROUNDING = 1e-9
_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_UNITS = ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"))
#: What a spreadsheet reads as a number, although it begins with a sign.
_SIGNED = re.compile(r"[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]")


def number(value: float | None, digits: int = 4) -> str:
    """Return a number rounded to significant digits; whole digits stay up to a million. '–' stands for None and NaN.

    >>> number(0.123456), number(-2.0), number(12345.6), number(1e-7), number(1.6e9), number(None), number(math.inf)
    ('0.1235', '−2', '12346', '10⁻⁷', '1.6·10⁹', '–', '∞')
    >>> number(0.123456, digits=2), number(99.7, digits=2), number(9999.7), number(999999.7)
    ('0.12', '100', '10000', '10⁶')
    """
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    rounded = abs(float(f"{value:.{digits}g}"))
    text = f"{value:.0f}" if 10**digits <= rounded and round(abs(value)) < 1e6 else f"{value:.{digits}g}"
    factor, _, power = text.partition("e")
    if power:
        times = {"1": "", "-1": "-"}.get(factor, f"{factor}·")
        text = f"{times}10{str(int(power)).translate(_RAISED)}"
    return text.replace("-", "−")


def value_in_words(value: Any) -> str:
    """Return a setting as text: a number as `number` writes it, several joined by commas, anything else as it prints.

    >>> value_in_words(0.1), value_in_words((2, "clip")), value_in_words(True), value_in_words(None)
    ('0.1', '2, clip', 'True', '–')
    """
    if isinstance(value, tuple):
        return ", ".join(map(value_in_words, value))
    if value is None or (isinstance(value, Real) and not isinstance(value, bool)):
        return number(None if value is None else float(value))
    return str(value)


def table_lines(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table; its cells are Markdown.

    >>> table_lines(("", "error"), [("RBF", "0.1")])
    ['| | error |', '|---|---|', '| RBF | 0.1 |']
    """
    first, *others = ["".join(f"| {cell} " if cell else "| " for cell in row) + "|" for row in (header, *rows)]
    return [first, f"|{'---|' * len(header)}", *others]


def short_chains(chains: Sequence[str], room: int = 40) -> list[str]:
    """Return short names of kernels where there is `room` for so many letters: the last steps, if they tell them apart.

    >>> short_chains(["columns 0, 3, 4, 7 → standardised → RBF(1)", "columns 0, 3, 4, 7 → standardised → RBF(2)"], 30)
    ['… → standardised → RBF(1)', '… → standardised → RBF(2)']
    """
    names = []
    for chain in chains:
        steps = chain.split(" → ")
        while len(" → ".join(steps)) > room and len(steps) > 1 + (steps[0] == "…"):
            steps = ["…", *steps[2 if steps[0] == "…" else 1 :]]
        names.append(" → ".join(steps))
    return [chain if names.count(name) > 1 else name for name, chain in zip(names, chains, strict=True)]


def percent(share: float, digits: int = 2) -> str:
    """Return a share as a percentage rounded to significant digits; whole digits are never rounded away.

    >>> percent(0.0123), percent(0.123), percent(0.05), percent(1.0), percent(0.0)
    ('1.2%', '12%', '5%', '100%', '0%')
    >>> percent(0.4837), percent(0.4837, digits=3), percent(3e-6), percent(-0.05)
    ('48%', '48.4%', 'less than 0.01%', '−5%')

    A share below 1 is never written as all:

    >>> percent(0.9999), percent(0.9999, digits=3), percent(1 - 1e-12)
    ('more than 99%', 'more than 99.9%', '100%')
    """
    if 0 < share < _LEAST:
        return f"less than {_to_digits(100 * _LEAST, 1)}%"
    most = 1 - 10.0 ** -max(2, digits)
    if most < share < 1 - _ROUNDING and _to_digits(100 * share, digits) == "100":
        return f"more than {_to_digits(100 * most, digits)}%"
    return f"{_to_digits(100 * share, digits)}%".replace("-", "−")


def score_in_words(score: float, share: bool, digits: int = 3) -> str:
    """Return an error or a score as text: a percentage where it is a `share` of rows, else a number.

    >>> score_in_words(0.1234, share=True), score_in_words(0.1234, share=False)
    ('12.3%', '0.123')
    """
    return percent(score, digits) if share else number(score, digits)


def size_in_words(size: float, digits: int = 3) -> str:
    """Return a number of bytes in a suitable unit, 1 MB being 10⁶, rounded to significant digits.

    >>> size_in_words(72_000_000), size_in_words(3 * 2**30), size_in_words(115_200), size_in_words(900)
    ('72 MB', '3.22 GB', '115 kB', '900 bytes')
    >>> size_in_words(137_234_567, digits=2), size_in_words(3.2e18)
    ('137 MB', '3,200 PB')
    """
    for factor, unit in _UNITS:
        if size >= factor * (1 - 0.5 * 10.0**-digits):  # 999.9 kB is 1 MB
            return f"{_to_digits(size / factor, digits)} {unit}"
    return f"{size:.0f} {'byte' if size == 1 else 'bytes'}"


def seconds_in_words(seconds: float) -> str:
    """Return an estimated duration in seconds as text, to two digits.

    >>> seconds_in_words(0.3), seconds_in_words(12.3), seconds_in_words(90), seconds_in_words(9000)
    ('less than a second', 'about 12 s', 'about 1.5 min', 'about 2.5 h')
    """
    if seconds < 1:
        return "less than a second"
    if seconds < 60:
        return f"about {number(seconds, 2)} s"
    return f"about {number(seconds / 60, 2)} min" if seconds < 5400 else f"about {number(seconds / 3600, 2)} h"


def _to_digits(value: float, digits: int) -> str:
    """Return a number rounded to significant digits, never to tens, without an exponent or trailing zeros."""
    if value == 0 or not math.isfinite(value):
        return f"{value:.0f}"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


def inert_cell(text: str) -> str:
    """Return `text`, with an apostrophe in front if a spreadsheet would run it: after = + - @, a tab or line end.

    A signed number stays as it is.

    >>> [inert_cell(t) for t in ("=1+1", " @x", "-1.5", "b", "")]
    ["'=1+1", "' @x", '-1.5', 'b', '']
    """
    if not text.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n")) or _SIGNED.fullmatch(text):
        return text
    return "'" + text


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
        "The map of each row to a point, so that the inner product of two points is their kernel value. A picture "
        "shows two directions of the centred points.",
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
        "standard error",
        "How much a mean would vary with other rows. Of those within one of the best, the simplest is recommended. "
        "It has the fewest steps, or the lowest level or order.",
        ("standard errors",),
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


_PAGE = """\
<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ title }}</title>
<style>
body{font:16px sans-serif;color:#202020;margin:1rem auto;max-width:1100px;padding:0 1rem}
table{border-collapse:collapse;font-size:14px}
td,th{border-bottom:1px solid #ccc;padding:.3rem .6rem;text-align:left;vertical-align:top}
pre{background:#f4f4f4;padding:.8rem;overflow-x:auto}
</style></head><body><h1>{{ title }}</h1>
{% for part in parts -%}
<h2>{{ part.title }}</h2>
{%- for text in part.text if text %}<p>{{ text }}</p>{% endfor %}
{%- if part.header %}
<table>
<tr>{% for cell in part.header %}<th>{{ cell }}</th>{% endfor %}</tr>
{%- for row in part.rows %}
<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>
{%- endfor %}
</table>
{%- endif %}
{%- if part.code %}<pre>{{ part.code }}</pre>{% endif %}
{%- if loop.first %}{{ figure | safe }}{% endif %}
{% endfor -%}
</body></html>
"""


@dataclass(frozen=True)
class Section:
    """A part of a report: its `title`, sentences in `text`, a table as `rows` under `header`, or `code`."""

    title: str
    text: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    code: str = ""


def markdown(title: str, parts: Sequence[Section]) -> str:
    """Return a report as Markdown, for a repository or a notebook.

    >>> print(markdown("T", (Section("Verdict", ("A|B is best.",)), Section("Table", (), ("a",), (("x|y",),)))))
    # T
    <BLANKLINE>
    ## Verdict
    <BLANKLINE>
    A\\|B is best.
    <BLANKLINE>
    ## Table
    <BLANKLINE>
    | a |
    |---|
    | x\\|y |
    <BLANKLINE>
    """
    lines = [f"# {_inert(title)}", ""]
    for part in parts:
        lines += [f"## {part.title}", ""]
        lines += [line for text in part.text if text for line in (_inert(text), "")]
        if part.header:
            first, *others = (list(map(_inert, row)) for row in (part.header, *part.rows))
            lines += [*table_lines(first, others), ""]
        if part.code:
            lines += ["```sh" if part.code.startswith("python ") else "```python", part.code.rstrip(), "```", ""]
    return "\n".join(lines)


def page(title: str, parts: Sequence[Section], figure: str = "") -> str:
    """Return a report as one HTML page; `figure` is the HTML of a figure for the place below the verdict.

    >>> "<h2>Verdict</h2><p>A &lt; B</p>" in page("T", (Section("Verdict", ("A < B",)),))
    True
    """
    from jinja2 import Environment

    return Environment(autoescape=True).from_string(_PAGE).render(title=title, parts=parts, figure=figure)


def _inert(text: str) -> str:
    """Escape a line, so that Markdown shows it as it is: no table, emphasis, link or HTML."""
    words = " ".join(text.split())
    return "".join(f"\\{c}" if c in "\\`*_[]<>|#" else c for c in words)
