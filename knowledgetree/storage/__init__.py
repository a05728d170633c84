"""Where originals lie: in the folder `VAR_DIR/media`, or in a bucket that all hosts share."""
