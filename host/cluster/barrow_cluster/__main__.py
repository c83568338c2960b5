"""Entry point of `python -m barrow_cluster`."""

import sys

from .cli import main

sys.exit(main())
