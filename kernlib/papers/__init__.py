"""Five papers reproduced: experiments as declared values, results next to printed figures, a verdict for each."""

from .experiment import Exact, Experiment, NoData, Outcome, Row, digest, verdict_of
from .published import PAPERS, places, printed, relevant_dimensions
from .report import (
    Table,
    both_rules,
    by_splits,
    count,
    markdown,
    printed_n,
    provenance,
    reasons_outside,
    shipped,
    tables,
    value_text,
    write,
)
from .running import EXPERIMENTS, compared, compute, of_paper, outcomes, run_papers

__all__ = [
    "EXPERIMENTS",
    "PAPERS",
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
    "markdown",
    "of_paper",
    "outcomes",
    "places",
    "printed",
    "printed_n",
    "provenance",
    "reasons_outside",
    "relevant_dimensions",
    "run_papers",
    "shipped",
    "tables",
    "value_text",
    "verdict_of",
    "write",
]
