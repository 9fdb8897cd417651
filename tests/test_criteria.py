"""How often criteria order values of a parameter as the test error does: one number for all data would mislead."""

from __future__ import annotations

import dataclasses

from tests.benchmarks import criteria


def test_alignment_orders_values_on_strings_and_reverses_them_on_twonorm():
    shares = {}
    for name, varies in (("Markov strings", "p"), ("Twonorm", "level")):
        regime = next(r for r in criteria.REGIMES if (r.name, r.varies) == (name, varies))
        shares[name] = criteria.judged(dataclasses.replace(regime, sets=4))["shares"]["alignment"]
    assert shares["Markov strings"] > 0.6
    assert shares["Twonorm"] < 0.5
