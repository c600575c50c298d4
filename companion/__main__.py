"""``python -m companion`` runs the command ``boomboard``."""

import sys

from companion.cli import main

sys.exit(main())
