"""The command ``binade``, also as ``python -m binade``."""

import sys

from . import _binade


def main() -> int:
    return _binade.command(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
