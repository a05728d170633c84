"""What lifts a passage besides its words and vectors, one kind a file."""
