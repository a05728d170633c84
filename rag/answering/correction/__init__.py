"""A search that came to little: graded, worded anew, stripped to what matters, widened to the web where allowed."""
