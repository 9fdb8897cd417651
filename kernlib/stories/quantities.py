"""The numbers and sets of rows that a lesson can ask for, each computed from a data set and a kernel."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from types import NoneType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from ..analysis import (
    Decomposition,
    decompose,
    diagonal_ratio,
    effective_rank,
    kernel_pca,
    levels_to_collapse,
    relevant_dimension,
)
from ..core.base import Kernel
from ..data import Dataset
from ..errors import DataError
from ..experiments import Axis, Curve, RunSpec, curve, sweep
from ..explain import train
from ..kernels.categorical import ProbabilityOverlap
from ..machines import SVM
from ..protocols import HalvesErrors, RepeatedSplits, errors_on_halves, halves_machine, suitable_measure
from ..values.arrays import Array
from ..values.declare import ordinary

#: Random halves on which a lesson chooses among kernels.
SPLITS = 10


def in_terms(words: str, data: Dataset) -> str:
    """Return words on errors with the name of the measure that suits the labels; for balanced classes as they are.

    >>> rare = Dataset("rare", "Rare", "vector", np.eye(20), np.repeat([0, 1], [17, 3]), task="classification")
    >>> in_terms("Test error 5%, training error 2%", rare)
    'Balanced error 5%, training balanced error 2%'
    """
    measure = "error" if data.y is None else suitable_measure(data.y, data.task or "auto")
    if measure == "error":
        return words
    names = {"test error": measure, "training error": f"training {measure}"}
    if data.task == "regression":  # of classes, leave-one-out counts rows
        names["leave-one-out error"] = f"leave-one-out {measure}"
    for said, name in names.items():
        words = words.replace(said, name).replace(said.capitalize(), name.capitalize())
    return words


#: Values by name.
Named = tuple[tuple[str, Any], ...]
#: Two rows by their ids.
Pair = tuple[str, str]
#: The largest whole number that an argument can be: kernels, levels, seeds.
_LARGEST = 1000
#: What a lesson file can hold: how a value is described, and whether one fits.
_TYPES: dict[Any, tuple[str, Callable[[Any], bool]]] = {
    Any: ("a value", lambda value: True),
    bool: ("true or false", lambda value: isinstance(value, bool)),
    str: ("a text in quotation marks", lambda value: isinstance(value, str)),
    int: (f"a whole number from 0 to {_LARGEST}", lambda value: type(value) is int and 0 <= value <= _LARGEST),
    float: ("a finite number", ordinary),
}


def fits(kind: Any, value: Any) -> bool:
    """Return whether a value of a lesson file, lists as tuples, fits a type.

    >>> fits(tuple[float, ...], (0.5, 1)), fits(Pair, ("a",))
    (True, False)
    """
    of = get_args(kind)
    if kind in _TYPES:
        return _TYPES[kind][1](value)
    if get_origin(kind) is Literal:
        return value in of
    if get_origin(kind) is not tuple:
        return any(fits(one, value) for one in of)
    if not isinstance(value, tuple):
        return False
    of = of[:1] * len(value) if of[-1] is ... else of
    return len(value) == len(of) and all(map(fits, of, value))


def described(kind: Any) -> str:
    """Return a type as text.

    >>> described(tuple[float, ...])
    'a list, each a finite number'
    """
    of = get_args(kind)
    if kind in _TYPES:
        return _TYPES[kind][0]
    if kind == Named:
        return "names with values: {seed = 0}"
    if get_origin(kind) is Literal:
        return f"one of {', '.join(of)}"
    if get_origin(kind) is not tuple:
        return " or ".join(described(one) for one in of if one is not NoneType)
    count = "" if of[-1] is ... else f" of {len(of)}"
    return f"a list{count}, each {described(of[0])}"


@dataclass(frozen=True, eq=False)
class Scene:
    """A data set and a kernel, with the Gram matrix and its eigenpairs computed at most once."""

    data: Dataset
    kernel: Kernel
    #: Computes the noise-free targets G; None where the data are not generated.
    noise_free: Callable[[], Array | None] | None = None
    #: The C of the machine in the figure of the border, in units of one over the kernel's spread.
    C: float = 10.0
    #: Both ends of the Gram matrix's colour scale; by default its smallest and largest value.
    colours: tuple[float, float] | None = None
    #: The ids of the two rows of the figure `pair`.
    pair: tuple[str, str] | None = None

    @cached_property
    def gram(self) -> Array:
        return self.kernel.specification.fold(self.data.inputs, y=self.data.y).K

    @cached_property
    def spectrum(self) -> Decomposition:
        return decompose(self.gram)

    @cached_property
    def off_diagonal(self) -> Array:
        return self.gram[~np.eye(self.data.n, dtype=bool)]

    @property
    def labels(self) -> NDArray[Any]:
        if self.data.y is None:
            raise DataError(f"{self.data.title} has no labels; this question needs labels. Choose another data set.")
        return self.data.y

    @property
    def target(self) -> Array:
        """Return the noise-free targets G."""
        target = None if self.noise_free is None else self.noise_free()
        if target is None:
            raise DataError(f"{self.data.title}: the noise-free targets are unknown. Choose generated data, e.g. sinc.")
        return target

    def row(self, name: str) -> int:
        """Return the number of the row with this id."""
        try:
            return self.data.ids.index(name)
        except ValueError:
            raise DataError(
                f"{self.data.title} has no row {name!r}; expected a row's id such as {self.data.ids[0]!r}."
            ) from None


@dataclass(frozen=True)
class Quantity:
    """A number, or row numbers, computed from a scene, and of its other arguments."""

    name: str
    unit: str
    evaluate: Callable[..., Any]

    @property
    def arguments(self) -> dict[str, Any]:
        """Return the types of the other arguments by name."""
        hints = get_type_hints(self.evaluate)
        return {name: hints[name] for name in tuple(inspect.signature(self.evaluate).parameters)[1:]}

    @property
    def axis(self) -> str:
        """Return the title of an axis: the name with its unit."""
        return f"{self.name} ({self.unit})" if self.unit else self.name


QUANTITIES: dict[str, Quantity] = {}
#: Functions from a scene to row numbers, for questions that a person answers by selecting rows.
ROW_SETS: dict[str, Quantity] = {}

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _quantity(name: str, unit: str = "", among: dict[str, Quantity] = QUANTITIES) -> Callable[[_Function], _Function]:
    """Return a decorator that registers a function under the name that lesson files use."""

    def register(function: _Function) -> _Function:
        among[name] = Quantity(name, unit, function)
        return function

    return register


# -- errors ---------------------------------------------------------------------------------------


def _require_classes(scene: Scene) -> None:
    if scene.data.task == "regression":
        raise DataError(f"{scene.data.title}: an error rate needs classes; found real targets. Choose another measure.")


def _on_halves(scene: Scene, C: float, seed: int) -> HalvesErrors:
    """Return the errors on the halves, those of all pages for C = 10 and seed 0."""
    data, y = scene.data, scene.labels
    _require_classes(scene)
    machine = replace(halves_machine(suitable_measure(y, "classification")), C=C)  # type: ignore[call-arg]
    return errors_on_halves(
        scene.kernel, data.inputs, y, task="classification", groups=data.groups, machine=machine, seed=seed
    )


@_quantity("test error", "%")
def error_on_test_rows(scene: Scene, C: float = 10.0, seed: int = 0) -> float:
    """Return the mean error of a support vector machine on the test rows of five random halves, in percent."""
    return 100 * _on_halves(scene, C, seed).test


@_quantity("training error", "%")
def error_on_training_rows(scene: Scene, C: float = 10.0, seed: int = 0) -> float:
    """Return the mean training error of the support vector machines of `error_on_test_rows`, in percent."""
    return 100 * _on_halves(scene, C, seed).training


@_quantity("best error of several kernels", "%")
def best_of_kernels(scene: Scene, count: int = 100, chosen_on: str = "test rows", shuffled: bool = True) -> float:
    """Return the error of the best of `count` Gaussian kernels on the same test half, in percent.

    The kernels look at random subsets of the columns. The best is chosen by its error on the test half itself
    (`chosen_on="test rows"`) or on a third part of the rows, as in an honest experiment ("validation rows").
    """
    if count < 1:
        raise DataError(f"count: expected at least one kernel; found {count}. Write 1 or more.")
    errors = kernel_errors(scene, count, shuffled)
    if chosen_on not in errors:
        raise DataError(f"chosen_on: expected {' or '.join(map(repr, errors))}; found {chosen_on!r}. Choose one.")
    return 100 * float(errors["test rows"][int(np.argmin(errors[chosen_on]))])


@functools.lru_cache(maxsize=4)  # both choices and the histogram are of the same kernels
def kernel_errors(scene: Scene, count: int = 100, shuffled: bool = True) -> dict[str, Array]:
    """Return the errors of `count` kernels on a validation part and on a test part of the rows."""
    rng, n = np.random.default_rng(0), scene.data.n
    y = rng.permutation(scene.labels) if shuffled else scene.labels
    order = rng.permutation(n)
    train_rows, new_rows, validation = order[: n // 2], order[n // 2 :], 3 * n // 4 - n // 2
    X = np.asarray(scene.data.rows, dtype=np.float64)
    X = (X - X[train_rows].mean(axis=0)) / np.maximum(X[train_rows].std(axis=0), 1e-12)
    errors: dict[str, list[float]] = {"validation rows": [], "test rows": []}
    for _ in range(count):
        columns = rng.choice(X.shape[1], size=max(1, X.shape[1] // 2), replace=False)
        kernel = scene.kernel.specification.bind(X[:, columns])
        fold = kernel.fold(train_rows, new_rows, y[train_rows])
        assert fold.K_star is not None
        machine = SVM(C=10.0, scale="spread").fit(fold.K, y[train_rows])
        wrong = machine.predict(fold.K_star, fold.k_diag) != y[new_rows]
        errors["validation rows"].append(float(wrong[:validation].mean()))
        errors["test rows"].append(float(wrong[validation:].mean()))
    return {name: np.array(values) for name, values in errors.items()}


@_quantity("error of the chosen kernel", "%")
def error_of_chosen(scene: Scene, kernels: tuple[str, ...], chosen_on: str = "training rows") -> float:
    """Return the mean test error of ten random halves with the kernel that is best there, in percent.

    The best of `kernels` is chosen by five splits of the training rows, or by the test rows themselves, which is
    leakage (`chosen_on="test rows"`).
    """
    if chosen_on not in ("training rows", "test rows"):
        raise DataError(f"chosen_on: expected 'training rows' or 'test rows'; found {chosen_on!r}. Choose one.")
    run = _chosen(scene, kernels)
    scores = run.leaky if chosen_on == "test rows" else run.scores
    return 100 * float(np.nanmean(np.asarray(scores)))


@functools.lru_cache(maxsize=4)  # both choices come from one sweep
def _chosen(scene: Scene, kernels: tuple[str, ...]) -> Curve:
    _require_classes(scene)
    machine, protocol = SVM(C=10.0, scale="spread"), RepeatedSplits(repeats=SPLITS, train=0.5)
    tuning = (Axis("kernel", kernels),)
    spec = RunSpec(scene.data.name, scene.kernel.specification, machine, protocol, tuning=tuning, leaky=True)
    return curve(spec, sweep(spec, scene.data))


# -- the Gram matrix ------------------------------------------------------------------------------


@_quantity("kernel value")
def kernel_value(scene: Scene, pair: Pair) -> float:
    """Return k(x, x') of two rows that are named by their ids."""
    i, j = map(scene.row, pair)
    return float(scene.gram[i, j])


@_quantity("cosine")
def cosine_value(scene: Scene, pair: Pair) -> float:
    """Return k(x, x') / √(k(x, x) k(x', x'))."""
    i, j = map(scene.row, pair)
    return float(scene.gram[i, j] / np.sqrt(scene.gram[i, i] * scene.gram[j, j]))


@_quantity("shared pieces")
def shared_patterns(scene: Scene, pair: Pair) -> float:
    """Return how many features are non-zero in both rows."""
    i, j = map(scene.row, pair)
    matrix, _ = scene.kernel.features(scene.data.inputs)
    present = matrix.toarray() != 0
    return float((present[i] & present[j]).sum())


for _name, _unit, _evaluate in (
    ("diagonal ratio", "", lambda scene: diagonal_ratio(scene.gram)),
    ("mean off-diagonal value", "", lambda scene: float(scene.off_diagonal.mean())),
    ("off-diagonal spread", "", lambda scene: float(scene.off_diagonal.std() / scene.gram.diagonal().mean())),
    ("effective rank", "dimensions", lambda scene: effective_rank(scene.spectrum.eigenvalues)),
    ("smallest eigenvalue", "", lambda scene: float(scene.spectrum.eigenvalues.min())),
):
    _quantity(_name, _unit)(_evaluate)


@_quantity("angle to the scores", "degrees")
def angle_to_scores(scene: Scene) -> float:
    """Return the angle between a repaired matrix K and the scores S below it: cos = ⟨K, S⟩ / (‖K‖ ‖S‖)."""
    below = getattr(scene.kernel, "kernel", None)
    if not isinstance(below, Kernel):
        raise DataError(f"{scene.kernel!r} repairs nothing; expected a kernel such as Repaired(Precomputed()).")
    K, S = scene.gram, Scene(scene.data, below).gram
    cosine = float((K * S).sum() / (np.linalg.norm(K) * np.linalg.norm(S)))
    return float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))


@_quantity("commute time", "steps")
def commute_time(scene: Scene, pair: Pair) -> float:
    """Return the mean number of steps of a random walk from one node to another and back.

    c(i, j) = vol(A) (L⁺_ii + L⁺_jj − 2 L⁺_ij), where L = D − A and vol(A) is the sum of all weights.
    Reference: Fouss, Pirotte, Renders and Saerens, IEEE TKDE 19, 2007, equation 3.
    """
    if scene.data.row_kind.edges(scene.data) is None:
        raise DataError(f"{scene.data.title}: a random walk needs a graph; found {scene.data.domain} rows. Use karate.")
    A = np.array(scene.data.rows, dtype=np.float64)
    np.fill_diagonal(A, 0.0)
    P = np.linalg.pinv(np.diag(A.sum(axis=1)) - A, hermitian=True)
    i, j = map(scene.row, pair)
    return float(A.sum() * (P[i, i] + P[j, j] - 2 * P[i, j]))


# -- directions and levels ------------------------------------------------------------------------


@_quantity("relevant dimension", "directions")
def dimension(scene: Scene) -> float:
    """Return d̂, the number of leading directions within which the labels lie, up to noise."""
    task = scene.data.task or "auto"
    found = relevant_dimension(scene.gram, scene.labels, task=task, decomposition=scene.spectrum, centred=True)
    return float(found.dimension)


@_quantity("level of collapse", "levels")
def level_of_collapse(scene: Scene, limit: int = 50) -> float:
    """Return the first deep level at which the kernel has collapsed; `limit` if it does not collapse."""
    return float(levels_to_collapse(scene.gram, limit)[-1].level)


@_quantity("first level that differs", "levels")
def telling_level(scene: Scene, pair: Pair, limit: int = 10) -> float:
    """Return the first level of the kernel at which two rows have a cosine below 1; `limit` + 1 if none has."""
    kernel = scene.kernel.specification
    if "level" not in {p.name for p in kernel.parameters()}:
        raise DataError(f"{kernel!r} has no levels; expected a kernel such as WeisfeilerLehman(level=3). Choose one.")
    rows = scene.data.inputs[[scene.row(name) for name in pair]]
    for level in range(limit + 1):
        K = replace(kernel, level=level).fold(rows).K  # type: ignore[call-arg]
        if K[0, 1] < (1.0 - 1e-9) * np.sqrt(K[0, 0] * K[1, 1]):
            return float(level)
    return float(limit + 1)


# -- machines, categories, graphs -----------------------------------------------------------------


@_quantity("support vectors", "rows")
def support_vectors(scene: Scene, C: float = 10.0) -> float:
    """Return how many rows are support vectors of the machine trained on all rows."""
    return float(len(rows_of_the_border(scene, C)))


@_quantity("weight of a match")
def match_weight(scene: Scene, probability: float, alpha: float = 1.0) -> float:
    """Return h(P) = (1 − P^α)^(1/α), what a match on a value of probability P counts under k1."""
    ProbabilityOverlap(alpha=alpha)  # the declared range of α
    return float((1 - probability**alpha) ** (1 / alpha))


@_quantity("support vectors", "rows", ROW_SETS)
def rows_of_the_border(scene: Scene, C: float = 10.0) -> NDArray[np.intp]:
    """Return the support vectors of the machine trained on all rows."""
    trained = train(scene.gram, scene.labels, SVM(C=C, scale="spread"), scene.data.classes)
    return np.sort(trained.rows[trained.support])


@_quantity("rows closer to the second row", "rows", ROW_SETS)
def nearer_rows(scene: Scene, first: str, second: str) -> NDArray[np.intp]:
    """Return the rows that are more similar to the row `second` than to the row `first`."""
    a, b = scene.row(first), scene.row(second)
    return np.flatnonzero(scene.gram[:, b] > scene.gram[:, a])


def positions(scene: Scene) -> Array:
    """Return the positions of the rows in a picture, (n, 2): their columns, a layout of the graph, or kernel PCA."""
    known = scene.data.row_kind.places(scene.data)
    return np.asarray(kernel_pca(scene.gram).scores[:, :2] if known is None else known)
