"""Runs a command and succeeds if its exit status is the one given first.

lit's own `not` tells a failure from a crash, but not 1 from 2.
"""

import subprocess
import sys

expected = int(sys.argv[1])
actual = subprocess.run(sys.argv[2:]).returncode
if actual != expected:
    print(f"expected exit status {expected}, got {actual}", file=sys.stderr)
    sys.exit(1)
