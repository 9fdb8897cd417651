"""Kernels in scikit-learn: transformers from rows to their Gram matrix or to a factor of it."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from .core.base import Kernel, kernel_step
from .errors import ParameterError, TransductiveError
from .numerics.finite import finite_values, overflow_checked_later
from .values.arrays import Array, kept
from .values.domains import form


class GramTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    r"""Transform rows to their Gram matrix against the training rows, for ``kernel="precomputed"``.

    For more rows than a Gram matrix can have, see `FactorTransformer`.

    .. math:: \text{fit\_transform}(X)_{ij} = k(x_i, x_j),\qquad \text{transform}(X^*)_{ij} = k(x^*_i, x_j)

    The kernel learns in `fit`, from the training rows alone. `fit_transform` returns K, (n, n), as `Kernel.fold` does,
    including steps for training rows only, such as SoftMarginDiagonal. `transform` returns K*, (m, n), of any rows,
    which count as new even if they equal training rows.

    Rows are of the kernel's kind: a table of numbers, or a list of strings, of graphs, of `Pairs`. Kernels on a
    square matrix and steps that exist for all rows at once are bound first; the rows are then row numbers:
    ``GramTransformer(Diffusion(beta=0.3).bind(A))``.

    Parameters
    ----------
    kernel : the kernel, a value. `get_params` and `set_params` reach its parameters by the names in its repr:
        ``kernel__p`` of a Power, ``kernel__kernel__sigma`` of the RBF in it. Setting a parameter makes another kernel;
        no kernel changes in place. A bound kernel is a look-up table without parameters.

    Attributes
    ----------
    kernel_ : the fitted kernel.
    rows_ : the training rows.
    n_features_in_, feature_names_in_ : for rows that are a table.

    Raises ParameterError for an object that is no kernel or an unknown name; DomainError for rows of another kind;
    TransductiveError in `fit` for a kernel that must be bound; NotFittedError of scikit-learn.

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
        """Fit the kernel to the training rows `X` (and labels `y`), and keep the rows."""
        rows = self._training_rows(X)
        self.kernel_ = self.kernel.fit(rows, _labels(y))
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """Fit, and return the Gram matrix of the training rows, (n, n)."""
        rows = self._training_rows(X)
        self.kernel_, K, _, _ = self.kernel.fold(rows, y=_labels(y))
        return K if K.flags.writeable else K.copy()

    def transform(self, X: Any) -> Array:
        """Return the Gram matrix of rows `X` against the training rows, (m, n)."""
        check_is_fitted(self)
        return self.kernel_(self._read(X, reset=False), self.rows_)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the kernel and, if `deep`, every parameter and kernel inside it, by name."""
        return {"kernel": self.kernel, **(dict(_inside(self.kernel, "kernel")) if deep else {})}

    def set_params(self, **params: Any) -> Self:
        """Replace the kernel by one with parameters changed by name.

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
        rows = form(reads)
        tags.input_tags.two_d_array = not rows.square and (not rows.objects or reads == "any")
        tags.input_tags.one_d_array = rows.objects
        tags.input_tags.string = rows.strings
        tags.input_tags.categorical = rows.nominal
        # A missing category is a category; a missing number is imputed, or refused by the kernel that reads it.
        tags.input_tags.allow_nan = tags.input_tags.categorical or _fills_in(self.kernel)
        return tags

    @property
    def _n_features_out(self) -> int:
        return len(self.rows_)

    def _training_rows(self, X: Any) -> Any:
        if not isinstance(self.kernel, Kernel):
            raise ParameterError(
                f"GramTransformer: kernel must be a kernel; got {self.kernel!r:.60}. "
                f"{kernel_step(self.kernel, 'GramTransformer')}"
            )
        if self.kernel.transductive or form(self.kernel.reads).square:
            raise TransductiveError(
                f"GramTransformer: {self.kernel!r} has no values for new rows; expected a kernel that has, or a bound "
                "one. Use GramTransformer(kernel.bind(X)) with row numbers as rows; its test rows have been seen."
            )
        rows = self._read(X, reset=True)
        self.rows_ = kept(rows)
        return self.rows_

    def _read(self, X: Any, *, reset: bool) -> Any:
        """Return `X` as the kernel reads it; number and names of columns are stored, or compared with stored ones."""
        rows = form(self.kernel.reads)
        if rows.tabular:
            # The kernel handles missing values: Imputed fills them in, others name their row and column.
            X = validate_data(self, X, reset=reset, dtype=rows.dtype, ensure_all_finite=False)
        else:
            validate_data(self, X, reset=reset, skip_check_array=True)
        return self.kernel.checked_rows(X)  # checked now, even if the kernel does not learn


class FactorTransformer(GramTransformer):
    r"""Transform rows to vectors whose inner products are the kernel's values, for a linear machine.

    .. math:: \text{transform}(X)_i = F_i \in \mathbb{R}^r,\qquad k(x_i, x_j) = \langle F_i, F_j\rangle

    No (n, n) matrix is allocated. The kernel has `Nystrom` as its last step, perhaps scaled, normalised, or added to
    another such kernel. Landmarks are drawn from the training rows in `fit`. Everything else is as in
    `GramTransformer`, except that `rows_` are not kept: new rows are compared with the landmarks alone.

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
        """Draw the landmarks from the training rows `X` and fit the kernel."""
        self._fitted_on(X, y)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """Fit, and return F of the training rows, (n, r)."""
        return self._short(self._fitted_on(X, y))

    def transform(self, X: Any) -> Array:
        """Return F of rows `X`, (m, r)."""
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
        with overflow_checked_later():
            F = self.kernel_.factor_rows(rows)
        return finite_values(F, self.kernel)

    @property
    def _n_features_out(self) -> int:
        return self._columns


def _labels(y: Any) -> Any:
    return None if y is None else np.asarray(y)


def _fills_in(kernel: Any) -> bool:
    return isinstance(kernel, Kernel) and any(part.fills_gaps for part in kernel.walk())


def _inside(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield every parameter and kernel inside `value` with its path, outermost first."""
    for name, part in _parts(value).items():
        yield f"{path}__{name}", part
        yield from _inside(part, f"{path}__{name}")


def _parts(value: Any) -> dict[str, Any]:
    """Return parameters and kernels of a kernel by name, kernels of a tuple by number; none of a bound kernel."""
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
    """Return `value` with changed parameters, all of one kernel at once."""
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
    shown = ", ".join(known) or "none: a bound kernel or a number has no parameters"
    return f"GramTransformer: there is no parameter {name!r}; expected one of {shown}. get_params() lists all."
