"""The pages: one file each in `views`, what they share in `parts`, and doors for links (`parts/door.py`)."""
