"""Why k(x, x') is what it is: the value taken apart into a sum in words, and explicit feature spaces.

`kernel.explain(x, y)` and `kernel.features(X)` come here. A kernel of one's own takes part by defining
`_explain(self, scene)`, which gives its parts, and `_explicit(self, rows)`, which gives a matrix and names.
"""

from . import aligned, categorical, graphs, spaces, steps, strings, texts, vectors, whole  # each registers its accounts
from .account import Explanation, Part, Scene, Total, Words, explain, explain_rows
from .features import Features, features
from .trained import Field, OftenWrong, Trained, Weights, decision_field, often_wrong, train, weights_in_words

__all__ = [
    "Explanation",
    "Features",
    "Field",
    "OftenWrong",
    "Part",
    "Scene",
    "Total",
    "Trained",
    "Weights",
    "Words",
    "aligned",
    "categorical",
    "decision_field",
    "explain",
    "explain_rows",
    "features",
    "graphs",
    "often_wrong",
    "spaces",
    "steps",
    "strings",
    "texts",
    "train",
    "vectors",
    "weights_in_words",
    "whole",
]
