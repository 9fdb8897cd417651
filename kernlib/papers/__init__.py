"""Five papers run again: experiments as declared values, results beside what is printed, a verdict for each figure."""

from .experiment import Exact, Experiment, NoData, Outcome, Row, digest, judged
from .published import PAPERS, places, printed
from .report import Count, Table, count, markdown, shipped, tables, told, write
from .running import EXPERIMENTS, compute, of_paper, outcomes, run_papers

__all__ = [
    "EXPERIMENTS",
    "PAPERS",
    "Count",
    "Exact",
    "Experiment",
    "NoData",
    "Outcome",
    "Row",
    "Table",
    "compute",
    "count",
    "digest",
    "judged",
    "markdown",
    "of_paper",
    "outcomes",
    "places",
    "printed",
    "run_papers",
    "shipped",
    "tables",
    "told",
    "write",
]
