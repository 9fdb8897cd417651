"""What surrounds every page: sidebar, headings, figures with captions, waiting, refusals."""
