"""``python -m kernlib gram``: write a Gram matrix and its leading eigenpairs, without the browser."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..core.base import Kernel
from ..errors import DataError, ParameterError
from ..values.domains import form
from ..values.words import size_in_words
from .gram import GramOperator, gram_blocks
from .leading import LeadingPairs, leading_eigenpairs


def run(
    kernel: Kernel,
    X: Any,
    y: Any,
    *,
    out: Path | None,
    leading: int | None,
    pairs: Path | None,
    progress: Callable[[int, int, str], object],
    **how: Any,
) -> list[str]:
    """Write the matrix, the eigenpairs, or both, and return the lines to print.

    With `out` and `leading` the pairs are computed from the complete file; without `out` the matrix is not stored.
    `how` goes to `gram_blocks` or `GramOperator`; `progress` is called with the number of finished parts, their total,
    and their name. Raises ParameterError without `out` and `leading`, and what the two raise.
    """
    if out is None and leading is None:
        raise ParameterError("gram: expected --out FILE, --leading K, or both; got neither. Name a file: --out K.npy.")
    if (pairs is None) != (leading is None):
        raise ParameterError("gram: --leading K and --pairs FILE go together; got one. Add --pairs pairs.npz.")
    if pairs is not None and pairs.exists():
        raise DataError(f"{pairs}: the file exists; expected a new name. Delete the file, or choose another name.")
    if form(kernel.reads).together:  # these rows have a meaning only together
        kernel, X = kernel.bind(X), np.arange(len(X))
    lines, K = [], None

    def learning(done: int, total: int) -> None:
        progress(done, total, "tiles for the steps that learn")

    if out is not None:
        K = gram_blocks(
            kernel,
            X,
            out,
            y=y,
            progress=lambda done, total: progress(done, total, "tiles"),
            learning=learning,
            **how,
        )
        lines.append(f"{out}: {K.shape[0]} × {K.shape[1]}, {K.dtype}, {size_in_words(K.nbytes)}")
    if leading is not None and pairs is not None:
        how.pop("dtype", None)
        source = GramOperator(kernel, X, y=y, learning=learning, **how) if K is None else K
        eigenpairs = leading_eigenpairs(source, leading, progress=partial(_pass, progress))
        _write(pairs, eigenpairs)
        lines.append(f"{pairs}: {eigenpairs.words()}")
    return lines


def _pass(progress: Callable[[int, int, str], object], done: int, total: int, passes: int, error: float) -> None:
    reached = "" if np.isnan(error) else f", error {error:.1e} so far"
    progress(done, total, f"parts in pass {passes + 1} over K{reached}")


def _write(path: Path, eigenpairs: LeadingPairs) -> None:
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            np.savez(
                file,
                eigenvalues=eigenpairs.eigenvalues,
                eigenvectors=eigenpairs.eigenvectors,
                residuals=eigenpairs.residuals,
                trace=eigenpairs.trace,
            )
        part.replace(path)
    except OSError as error:
        raise DataError(
            f"{path}: the eigenpairs cannot be written, {error.strerror or error}. Choose a writable directory."
        ) from None
