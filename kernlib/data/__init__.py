"""Data sets: a frozen value with a digest, the catalogue of samples and generators, and readings of files."""

from ..values.arrays import Split as Split
from ..values.domains import Domain as Domain
from ..values.labels import Task as Task
from . import generators  # noqa: F401 (samples and generators enter the catalogue)
from .catalogue import CATALOGUE as CATALOGUE
from .catalogue import LEFT_OUT as LEFT_OUT
from .catalogue import Entry as Entry
from .catalogue import Generator as Generator
from .catalogue import Subset as Subset
from .catalogue import dataset_names as dataset_names
from .catalogue import load_dataset as load_dataset
from .catalogue import target_of as target_of
from .catalogue import why_left_out as why_left_out
from .containers import CONTAINERS as CONTAINERS
from .dataset import Dataset as Dataset
from .dataset import Fill as Fill
from .files import LIMITS as LIMITS
from .files import Limits as Limits
from .meanings import WAYS as WAYS
from .new_rows import new_rows as new_rows
from .readings import CHOICES as CHOICES
from .readings import Choice as Choice
from .readings import Missing as Missing
from .readings import Reading as Reading
from .readings import Role as Role
from .readings import Symmetrise as Symmetrise
from .readings import read_paths as read_paths
from .readings import readings as readings
from .readings import readings_of_paths as readings_of_paths
from .table import Evidence as Evidence
