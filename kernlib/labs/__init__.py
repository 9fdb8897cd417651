"""The mathematics of the labs: one question of the sources each, from arrays to small results."""
