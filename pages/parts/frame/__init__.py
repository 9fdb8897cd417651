"""What surrounds every page: the line, headings, figures with captions, waiting, refusals."""
