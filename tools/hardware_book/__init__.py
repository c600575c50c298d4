"""Generated files of the maker's book: the parts list and the drawings."""
