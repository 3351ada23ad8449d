"""`python -m rankconv` is `rankconv`."""

from rankconv.cli import main

if __name__ == "__main__":
    main()
