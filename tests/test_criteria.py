"""How often criteria order values of a parameter: the shipped table, what a page shows of it, and the script."""

from __future__ import annotations

import dataclasses

import pytest

from kernlib.advice.record import orders, orders_in_words
from tests.benchmarks import criteria


def test_orders_are_shown_for_the_most_similar_data_and_one_number_would_mislead():
    found = orders()
    assert len(found) > 30
    shares = {(o["name"], o["varies"]): o["shares"] for o in found}
    assert shares["Markov strings", "p"]["alignment"] > 0.75
    assert shares["Twonorm", "level"]["alignment"] < 0.3
    assert all(o["sets"] >= 4 and o["ratio"] > 1 for o in found)
    near = orders_in_words("kernel.kernel.p", "sequence", 85.0, ["alignment"])
    assert near.index("Markov strings") < near.index("Splice")
    assert "(diagonal ratio 91, 20 sets): alignment 83%" in near
    far = orders_in_words("kernel.kernel.p", "sequence", 4.0, ["alignment"])
    assert "Markov" not in far
    assert "not measured" in orders_in_words("kernel.offset", "vector", 4.0)


@pytest.mark.parametrize("name", ["Markov strings", "Twonorm"])
def test_a_row_of_the_table_is_what_the_script_measures(name):
    regime = next(r for r in criteria.REGIMES if (r.name, r.varies) in (("Markov strings", "p"), ("Twonorm", "level"))
                  and r.name == name)  # fmt: skip
    own = criteria.judged(dataclasses.replace(regime, sets=4))
    shipped = next(o for o in orders() if (o["name"], o["varies"]) == (regime.name, regime.varies))
    for criterion, share in own["shares"].items():
        assert abs(share - shipped["shares"][criterion]) < 0.25
    assert own["ratio"] == pytest.approx(shipped["ratio"], rel=0.2)
