"""Files as documents: uploaded, found in a folder, loaded as a sample."""
