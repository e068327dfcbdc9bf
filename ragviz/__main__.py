"""``python -m ragviz`` is the ``ragviz`` command."""

from ragviz.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
