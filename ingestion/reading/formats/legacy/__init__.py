"""Word and PowerPoint files from before 2007."""
