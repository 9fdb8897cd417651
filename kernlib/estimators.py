"""A kernel inside scikit-learn: the transformer from rows to their Gram matrix."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from .base import Kernel
from .errors import ParameterError, TransductiveError
from .finite import finite_values, overflow_told_later
from .values.arrays import Array, kept
from .values.domains import Domain
from .wrappers.imputed import Imputed

__all__ = ["FactorTransformer", "GramTransformer"]


class GramTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    r"""Rows to their Gram matrix against the training rows, for a machine with ``kernel="precomputed"``.

    For more rows than a Gram matrix could be made of, see `FactorTransformer`.

    .. math:: \text{fit\_transform}(X)_{ij} = k(x_i, x_j),\qquad \text{transform}(X^*)_{ij} = k(x^*_i, x_j)

    What the kernel learns it learns in `fit`, from the training rows alone. `fit_transform` gives K, (n, n), as
    `Kernel.fold` does: a step that is for the training rows only, such as SoftMarginDiagonal, is in it. `transform`
    gives K*, (m, n), of any rows; they are taken for new ones, also where they equal the training rows.

    Rows are of the kernel's kind: a table of numbers, or a list of strings, of graphs, of `Pairs`. Kernels on a
    square matrix and steps that exist for all rows at once are bound first; the rows are then row numbers:
    ``GramTransformer(Diffusion(beta=0.3).bind(A))``.

    Parameters
    ----------
    kernel : the kernel, a value. `get_params` and `set_params` reach what is inside it by the names that its repr
        shows: ``kernel__p`` of a Power, ``kernel__kernel__sigma`` of the RBF in it. Setting one makes another
        kernel; none is changed in place. A bound kernel is a table, with nothing in it to set.

    Attributes
    ----------
    kernel_ : the fitted kernel.
    rows_ : the training rows.
    n_features_in_, feature_names_in_ : for rows that are a table.

    Raises ParameterError for what is no kernel or a name that the kernel has not; DomainError for rows that it does
    not read; TransductiveError in `fit` for a kernel that must be bound; NotFittedError of scikit-learn.

    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.svm import SVC
    >>> from kernlib import Power, Subsequence
    >>> gram = GramTransformer(Power(Subsequence(order=2), p=0.5))
    >>> gram.set_params(kernel__p=0.25, kernel__kernel__order=3).kernel
    Power(Subsequence(order=3, decay=0.25), p=0.25)
    >>> model = make_pipeline(gram, SVC(kernel="precomputed", C=10))
    >>> model.fit(["gattaca", "attacca", "ccggtta", "ccgcgta"], [0, 0, 1, 1]).predict(["attaca", "ccggta"])
    array([0, 1])
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn what the kernel learns from the training rows `X` (and labels `y`), and keep the rows."""
        rows = self._training_rows(X)
        self.kernel_ = self.kernel.fit(rows, _labels(y))
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """`fit`, and the Gram matrix of the training rows, (n, n)."""
        rows = self._training_rows(X)
        self.kernel_, K, _, _ = self.kernel.fold(rows, y=_labels(y))
        return K if K.flags.writeable else K.copy()

    def transform(self, X: Any) -> Array:
        """The Gram matrix of rows `X` against the training rows, (m, n)."""
        check_is_fitted(self)
        return self.kernel_(self._read(X, reset=False), self.rows_)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The kernel and, if `deep`, every parameter and kernel inside it, by its name."""
        return {"kernel": self.kernel, **(dict(_inside(self.kernel, "kernel")) if deep else {})}

    def set_params(self, **params: Any) -> Self:
        """Another kernel in the place of this one, with parameters changed by name.

        Raises ParameterError for names that are not in `get_params()`, and what the kernel raises for a value.
        """
        kernel, inside = self.kernel, {}
        for name, value in params.items():
            head, _, rest = name.partition("__")
            if head != "kernel":
                raise ParameterError(_no_such(name, self.get_params()))
            if rest:
                inside[rest] = value
            else:
                kernel = value
        self.kernel = _changed(kernel, inside, "kernel") if inside else kernel
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        reads = getattr(self.kernel, "reads", "any")
        tags.input_tags.two_d_array = reads in ("vector", "categorical", "mixed", "pair", "any")
        tags.input_tags.one_d_array = reads in ("sequence", "text", "graph", "row", "any")
        tags.input_tags.string = reads in ("sequence", "text", "categorical", "mixed", "any")
        tags.input_tags.categorical = reads in ("categorical", "mixed", "any")
        # A missing category is a category; a missing number is filled in, or refused by the kernel that meets it.
        tags.input_tags.allow_nan = tags.input_tags.categorical or _fills_in(self.kernel)
        return tags

    @property
    def _n_features_out(self) -> int:
        return len(self.rows_)

    def _training_rows(self, X: Any) -> Any:
        if not isinstance(self.kernel, Kernel):
            raise ParameterError(
                f"GramTransformer: kernel must be a kernel; got {self.kernel!r:.60}. Try GramTransformer(Linear())."
            )
        if self.kernel.transductive or self.kernel.reads in ("node", "matrix"):
            raise TransductiveError(
                f"GramTransformer: {self.kernel!r} has no values for new rows; expected a kernel that has, or a bound "
                "one. Next: GramTransformer(kernel.bind(X)) with row numbers as rows; its test rows have been seen."
            )
        rows = self._read(X, reset=True)
        self.rows_ = kept(rows)
        return self.rows_

    def _read(self, X: Any, *, reset: bool) -> Any:
        """`X` as the kernel reads it; the number and names of columns are learnt, or held against what was learnt."""
        if self.kernel.reads in _TABLES:
            # Missing values are the kernel's business: Imputed fills them in, others name their row and column.
            X = validate_data(self, X, reset=reset, dtype=_TABLES[self.kernel.reads], ensure_all_finite=False)
        else:
            validate_data(self, X, reset=reset, skip_check_array=True)
        return self.kernel._rows(X)  # checked now, also where the kernel learns nothing from them


class FactorTransformer(GramTransformer):
    r"""Rows to few numbers whose inner products are the kernel's values, for a linear machine: no (n, n) matrix.

    .. math:: \text{transform}(X)_i = F_i \in \mathbb{R}^r,\qquad k(x_i, x_j) = \langle F_i, F_j\rangle

    The kernel has `Nystrom` as its last step, perhaps scaled, normalised, or added to another such. Landmarks are drawn
    from the training rows in `fit`. Everything else is as in `GramTransformer`, but that no `rows_` are kept: new rows
    meet the landmarks alone.

    Raises ParameterError for a kernel without such a step, and what `GramTransformer` raises.

    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.svm import LinearSVC
    >>> from kernlib import RBF, Nystrom
    >>> X = np.random.default_rng(0).normal(size=(300, 2))
    >>> y = (X**2).sum(axis=1) > 1
    >>> model = make_pipeline(FactorTransformer(Nystrom(RBF(sigma=1.0), landmarks=20)), LinearSVC(C=10))
    >>> model.fit(X[:200], y[:200]).score(X[200:], y[200:]) > 0.9
    True
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Draw the landmarks from the training rows `X`, and learn what the kernel learns."""
        self._fitted_on(X, y)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """`fit`, and F of the training rows, (n, r)."""
        return self._short(self._fitted_on(X, y))

    def transform(self, X: Any) -> Array:
        """F of rows `X`, (m, r)."""
        check_is_fitted(self)
        return self._short(self._read(X, reset=False))

    def _fitted_on(self, X: Any, y: Any) -> Any:
        rows = self._training_rows(X)
        if not self.kernel.has_factor:
            raise ParameterError(
                f"FactorTransformer: kernel must have landmarks as its last step; got {self.kernel!r:.100}. "
                "Try Nystrom(kernel, landmarks=300), or GramTransformer."
            )
        self.kernel_ = self.kernel.fit(rows, _labels(y))
        self._columns: int = self._short(rows[:1]).shape[1]
        del self.rows_
        return rows

    def _short(self, rows: Any) -> Array:
        with overflow_told_later():
            F = self.kernel_._factor(rows)
        return finite_values(F, self.kernel)

    @property
    def _n_features_out(self) -> int:
        return self._columns


#: How scikit-learn reads tables for each kind of row that is one.
_TABLES: dict[Domain, Any] = {"vector": np.float64, "categorical": None, "mixed": object}


def _labels(y: Any) -> Any:
    return None if y is None else np.asarray(y)


def _fills_in(kernel: Any) -> bool:
    return isinstance(kernel, Imputed) or any(map(_fills_in, getattr(kernel, "children", ())))


def _inside(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every parameter and kernel inside `value` with its path, outermost first."""
    for name, part in _parts(value).items():
        yield f"{path}__{name}", part
        yield from _inside(part, f"{path}__{name}")


def _parts(value: Any) -> dict[str, Any]:
    """Parameters and kernels of a kernel by name; kernels of a tuple by number. A bound kernel shows none."""
    if isinstance(value, tuple):
        return {str(i): part for i, part in enumerate(value) if isinstance(part, Kernel)}
    if not isinstance(value, Kernel):
        return {}
    given = {f: getattr(value, f.name) for f in dataclasses.fields(value) if f.init}
    return {f.name: part for f, part in given.items() if "parameter" in f.metadata or _made_from(value, part)}


def _made_from(kernel: Kernel, part: Any) -> bool:
    parts = part if isinstance(part, tuple) else (part,)
    return bool(parts) and all(any(p is child for child in kernel.children) for p in parts)


def _changed(value: Any, changes: Mapping[str, Any], path: str) -> Any:
    """`value` with what `changes` names inside it, all of one kernel's parameters at once."""
    parts = _parts(value)
    own: dict[str, Any] = {}
    inside: dict[str, dict[str, Any]] = defaultdict(dict)
    for name, new in changes.items():
        head, _, rest = name.partition("__")
        if head not in parts:
            raise ParameterError(_no_such(f"{path}__{name}", (f"{path}__{known}" for known in parts)))
        if rest:
            inside[head][rest] = new
        else:
            own[head] = new
    for head, names in inside.items():
        own[head] = _changed(own.get(head, parts[head]), names, f"{path}__{head}")
    if isinstance(value, tuple):
        return tuple(own.get(str(i), part) for i, part in enumerate(value))
    return dataclasses.replace(value, **own)


def _no_such(name: str, known: Iterable[str]) -> str:
    shown = ", ".join(known) or "none: a bound kernel or a number has nothing inside"
    return f"GramTransformer: there is no parameter {name!r}; expected one of {shown}. get_params() lists all."
