"""Five papers run again: experiments as declared values, results beside what is printed, a verdict for each figure."""

from .experiment import Exact, Experiment, NoData, Outcome, Row, digest, judged
from .published import PAPERS, places, printed
from .report import (
    Count,
    Table,
    both_rules,
    by_splits,
    count,
    made,
    markdown,
    shipped,
    tables,
    told,
    verdicts,
    why_not,
    write,
)
from .running import EXPERIMENTS, compared, compute, of_paper, outcomes, run_papers

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
    "both_rules",
    "by_splits",
    "compared",
    "compute",
    "count",
    "digest",
    "judged",
    "made",
    "markdown",
    "of_paper",
    "outcomes",
    "places",
    "printed",
    "run_papers",
    "shipped",
    "tables",
    "told",
    "verdicts",
    "why_not",
    "write",
]
