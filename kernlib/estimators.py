"""Kernels and machines in scikit-learn: rows to their Gram matrix, or to predictions."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from .core.base import Kernel, kernel_step
from .core.folding import factored
from .core.steps import normal_form
from .errors import ParameterError, TransductiveError
from .values.arrays import Array, Factor, kept
from .values.declare import Declared, with_values
from .values.domains import form


class _OfKernel(BaseEstimator):  # type: ignore[misc]
    """Rows read by `kernel`, and parameters by their names inside the values that the constructor takes."""

    kernel: Kernel
    #: The constructor's parameters.
    _values: ClassVar[tuple[str, ...]] = ("kernel",)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the constructor's values and, if `deep`, every parameter and kernel inside them, by name."""
        params = {name: getattr(self, name) for name in self._values}
        for name in self._values if deep else ():
            params |= _inside(params[name], name)
        return params

    def set_params(self, **params: Any) -> Self:
        """Replace the constructor's values by ones with parameters changed by name.

        Raises ParameterError for names that are not in `get_params()`, and what a value raises.
        """
        for name in self._values:
            setattr(self, name, params.pop(name, getattr(self, name)))
        known = self.get_params()
        changes: dict[str, dict[tuple[str, ...], Any]] = defaultdict(dict)
        for name, value in params.items():
            if name not in known:
                raise ParameterError(
                    f"There is no parameter {name!r}; expected one of {', '.join(known)}. A bound kernel has none "
                    "inside."
                )
            head, *rest = name.split("__")
            changes[head][tuple(rest)] = value
        for head, inside in changes.items():
            setattr(self, head, with_values(getattr(self, head), inside))
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

    def _training_rows(self, X: Any) -> Any:
        if not isinstance(self.kernel, Kernel):
            raise ParameterError(
                f"{type(self).__name__}: kernel must be a kernel; got {self.kernel!r:.60}. "
                f"{kernel_step(self.kernel, type(self).__name__)}"
            )
        if self.kernel.transductive or form(self.kernel.reads).square:
            raise TransductiveError(
                f"{type(self).__name__}: {self.kernel!r} has no values for new rows; expected a kernel that has, or a "
                "bound one. Pass kernel.bind(X) with row numbers as rows; its test rows have been seen."
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


class GramTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, _OfKernel):  # type: ignore[misc]
    r"""Transform rows to their Gram matrix against the training rows, for ``kernel="precomputed"``.

    For more rows than a Gram matrix can have, see `KernelMachine` and `kernel.factor`.

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

    @property
    def _n_features_out(self) -> int:
        return len(self.rows_)


class KernelMachine(_OfKernel):
    """Predict by a kernel and one of kernlib's machines, both fitted on the training rows.

    Parameters
    ----------
    kernel : the kernel; rows, and names of the parameters inside it, are as in `GramTransformer`.
    machine : a machine of `kernlib.machines`; ``machine__C`` is its C.

    A kernel with `Nystrom` as its last step is used by its factor, without an (n, n) matrix.
    Attributes: `kernel_`, `rows_`, and `machine_`, the fitted machine; `classes_`.

    >>> from kernlib import Spectrum
    >>> from kernlib.machines import SVM
    >>> model = KernelMachine(Spectrum(length=2), SVM()).set_params(machine__C=10.0)
    >>> model.fit(["gattaca", "attacca", "ccggtta", "ccgcgta"], [0, 0, 1, 1]).predict(["attaca", "ccggta"])
    array([0, 1])
    """

    _values: ClassVar[tuple[str, ...]] = ("kernel", "machine")

    def __init__(self, kernel: Kernel, machine: Any) -> None:
        self.kernel = kernel
        self.machine = machine

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the kernel, then the machine, to the training rows `X` and labels or targets `y`."""
        rows = self._training_rows(X)
        labels = _labels(y)
        plain = normal_form(self.kernel.specification)
        fold = factored(plain, rows, None, labels) if plain.has_factor else plain.fold(rows, y=labels)
        self.kernel_ = fold.kernel
        self.machine_ = self.machine.fit(fold.K, labels)
        self.classes_ = self.machine_.classes_
        return self

    def decision_function(self, X: Any) -> Array:
        """Return the machine's decision values of rows `X`."""
        check_is_fitted(self)
        rows = self._read(X, reset=False)
        if self.kernel_.has_factor:
            return np.asarray(self.machine_.decision(Factor(self.kernel_.factor_rows(rows))))
        return np.asarray(self.machine_.decision(self.kernel_(rows, self.rows_), self.kernel_.diag(rows)))

    def predict(self, X: Any) -> Any:
        """Return the labels, or the real values, of rows `X`."""
        return self.machine_.labels_of(self.decision_function(X))


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
    """Return parameters and kernels of a kernel or machine by name, of a tuple by number; none of a bound kernel."""
    if isinstance(value, tuple):
        return {str(i): part for i, part in enumerate(value) if isinstance(part, Kernel)}
    if not isinstance(value, Declared):
        return {}
    given = {f: getattr(value, f.name) for f in dataclasses.fields(value) if f.init}
    return {f.name: part for f, part in given.items() if "parameter" in f.metadata or _is_made_from(value, part)}


def _is_made_from(value: Any, part: Any) -> bool:
    """Return whether a part of a kernel is one of the kernels below it, or a tuple of them."""
    parts = part if isinstance(part, tuple) else (part,)
    return bool(parts) and all(any(p is child for child in getattr(value, "children", ())) for p in parts)
