"""The tests. They fill all processors themselves; threads of numpy and torch beside them would wait for each other."""

import os

os.environ["OMP_NUM_THREADS"] = "1"  # before numpy is imported
