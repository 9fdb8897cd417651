"""Small matrices are multiplied faster by one thread than by several that wait for each other."""

import pytest

from kernlib.numerics.workers import one_blas_thread


@pytest.fixture
def one_thread():
    with one_blas_thread():
        yield
