"""Widgets drawn from the state, and the kernel builder made of them."""
