"""What the pages share: state, kernel builder, cached accessors, jobs, layout."""
