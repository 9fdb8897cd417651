"""Five papers reproduced: experiments as declared values, results next to printed figures, a verdict for each."""

from .experiment import PAPERS as PAPERS
from .experiment import Exact as Exact
from .experiment import Experiment as Experiment
from .experiment import NoData as NoData
from .experiment import Row as Row
from .experiment import digest as digest
from .experiment import places as places
from .experiment import printed as printed
from .experiment import relevant_dimensions as relevant_dimensions
from .experiment import verdict_of as verdict_of
from .report import RULE as RULE
from .report import Table as Table
from .report import count as count
from .report import markdown as markdown
from .report import printed_n as printed_n
from .report import provenance as provenance
from .report import reasons_outside as reasons_outside
from .report import shipped as shipped
from .report import tables as tables
from .report import value_text as value_text
from .report import write as write
from .running import EXPERIMENTS as EXPERIMENTS
from .running import compute as compute
from .running import of_paper as of_paper
from .running import outcomes as outcomes
from .running import run_papers as run_papers
