"""The command line: ``tanglewood``, or ``python -m tanglewood``. It is the same program, in the same words."""

import signal
import sys

from ._tanglewood import run_program


def main():
    """Runs the program with the arguments of this process, and ends the process with its exit code."""
    # Python notes an interrupt and waits until it runs again, which it does not while the program does. The program cleans
    # up and ends by itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Usage is explained with this name, whatever the script is called.
    sys.exit(run_program(["tanglewood", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
