"""python -m vernier_hpo: the command line."""

import sys

from ._console import main

sys.exit(main())
