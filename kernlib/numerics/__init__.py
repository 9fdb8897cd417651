"""Arrays at full speed: blocks on all cores, stable distances, checked decompositions, overflow checks, workers."""
