"""``python -m kernlib gram``: a Gram matrix as a file, and its leading eigenpairs, without the browser."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..base import Kernel
from ..errors import DataError, ParameterError
from ..values.arrays import Array
from ..values.words import size_in_words
from .gram import gram_blocks
from .leading import LeadingPairs, leading_eigenpairs
from .operator import GramOperator

__all__ = ["run"]


def run(
    kernel: Kernel, X: Any, y: Any, *, out: Path | None, leading: int | None, pairs: Path | None,
    progress: Callable[[int, int, str], object], **how: Any,
) -> list[str]:  # fmt: skip
    """Do what was asked for; the lines to be printed. `how` goes to `gram_blocks` or `GramOperator`.

    With `out` and `leading` the pairs are those of the file, which the same call after an interruption finds as it is;
    without `out` no matrix is stored at all. `progress` hears how many parts are done, of how many, and of what. Raises
    ParameterError where nothing was asked for, and what the two raise.
    """
    if out is None and leading is None:
        raise ParameterError("gram: expected --out FILE, --leading K, or both; got neither. Name a file: --out K.npy.")
    if (pairs is None) != (leading is None):
        raise ParameterError("gram: --leading K and --pairs FILE go together; got one. Add --pairs pairs.npz.")
    if pairs is not None and pairs.exists():
        raise DataError(f"{pairs}: the file is there already; expected a new name. Delete it, or choose another.")
    if kernel.reads in ("node", "matrix", "pair"):  # their rows mean something as a whole only
        kernel, X = kernel.bind(X), np.arange(len(X))
    lines, K = [], None

    def learning(done: int, total: int) -> None:
        progress(done, total, "tiles that the steps learn from")

    if out is not None:
        K = gram_blocks(
            kernel, X, out, y=y, progress=lambda done, total: progress(done, total, "tiles"), learning=learning,
            keep_list=leading is not None, **how,
        )  # fmt: skip
        lines.append(f"{out}: {K.shape[0]} × {K.shape[1]}, {K.dtype}, {size_in_words(K.nbytes)}")
    if leading is not None and pairs is not None:
        how.pop("dtype", None)
        source = GramOperator(kernel, X, y=y, learning=learning, **how) if K is None else K
        found = leading_eigenpairs(source, leading, progress=partial(_pass, progress))
        _write(pairs, found)
        if out is not None:
            out.with_name(out.name + ".tiles").unlink(missing_ok=True)
        lines.append(f"{pairs}: {found.words()}")
    return lines


def _pass(progress: Callable[[int, int, str], object], done: int, total: int, passes: int, error: float) -> None:
    reached = "" if np.isnan(error) else f", error {error:.1e} so far"
    progress(done, total, f"parts in pass {passes + 1} over K{reached}")


def _write(path: Path, found: LeadingPairs) -> None:
    part = path.with_name(path.name + ".part")
    values: dict[str, Array] = {
        "eigenvalues": found.eigenvalues, "eigenvectors": found.eigenvectors, "residuals": found.residuals,
        "trace": np.asarray(found.trace),
    }  # fmt: skip
    try:
        with part.open("wb") as file:
            np.savez(file, allow_pickle=False, **values)
        part.replace(path)
    except OSError as error:
        raise DataError(
            f"{path}: the eigenpairs cannot be written, {error.strerror or error}. Choose a directory that is yours."
        ) from None
