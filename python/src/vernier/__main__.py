"""python -m vernier: the command line."""

import sys

from ._console import main

sys.exit(main())
