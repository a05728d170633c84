#!/usr/bin/env python
"""The command line of a checkout; an installation has it as `knowledgetree`."""

from knowledgetree.__main__ import main

if __name__ == "__main__":
    main()
