"""`kernlib.show`, whose work is imported when it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from .values.declare import above

if TYPE_CHECKING:
    from .serving.view import View


def show(
    X: Any = None,
    y: Any = None,
    *,
    kernel: Any = None,
    groups: Any = None,
    matrix: Literal["kernel", "distance"] | None = None,
    missing: str = "refuse",
    task: Literal["classification", "regression"] | None = None,
    page: str = "",
    name: str = "",
    port: int | None = None,
    browser: bool | None = None,
) -> View:
    """Open the dashboard on rows of this process and return the view, at once.

    A process of its own serves the page, on this machine only, under an address that cannot be guessed. It ends with
    this interpreter. A further call adds its rows to the same server. Rows go over as arrays in a private folder, which
    is removed at the end; user-defined kernels of this process are known there.

    Parameters
    ----------
    X : (n, d) numbers, or columns of words; a DataFrame, whose columns are numbers or nominal by their dtype; a list of
        strings; a list of `Graph` or networkx graphs; a `Dataset`. Masked cells are missing. None shows the samples.
    y, groups : (n,) labels or targets, and names of groups; of a DataFrame also names of columns.
    kernel : a kernel, a class of kernels, a function of (X, Y), a kernel of scikit-learn, or an estimator with
        fit_transform; by default the one that is suggested for the rows.
    matrix : "kernel" or "distance" if X is a square matrix (n, n) of similarities or distances.
    missing : "mean", "most_frequent" or "drop" for missing numbers, which are refused by default.
    task : "classification" or "regression" where the labels leave it open.
    page : such as "spectrum"; by default the overview. name : a title for the rows.
    port : by default a free one. browser : whether to open one; by default not in a notebook, which shows a frame.

    Raises DataError for rows that cannot be used, DomainError for a kernel that reads other rows.

    In a notebook::

        view = kernlib.show(X, y, kernel=my_kernel)
        view.kernel                                     # the kernel that is on screen now
        view.pipeline(SVC(kernel="precomputed"))        # a scikit-learn pipeline with that kernel
        view.close()
    """
    serving = above("serving.view")
    data = None
    if X is not None:
        data = serving.dataset_of(X, y, groups=groups, matrix=matrix, missing=missing, task=task, name=name)
    if kernel is None and matrix == "kernel":
        kernel = "Precomputed()"
    view: View = serving.open_view(data, kernel, page, port, browser)
    return view
