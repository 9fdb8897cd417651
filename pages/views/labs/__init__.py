"""The shelf of labs: one question of the sources a file."""
