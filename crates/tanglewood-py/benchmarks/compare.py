"""Tanglewood beside what one would otherwise call from Python, in one run on the same matrices.

    python crates/tanglewood-py/benchmarks/compare.py

makes a virtual environment of its own under target/python/benchmark, installs this package (as users do, optimised), `ufal.chu_liu_edmonds` (C++) and, with
`--torch`, PyTorch and `torch-struct`, and runs itself there.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import time
import warnings

PACKAGE = pathlib.Path(__file__).resolve().parents[1]
ENVIRONMENT = PACKAGE.parents[1] / "target" / "python" / "benchmark"


def prepare(arguments):
    """Makes the environment and goes on in it."""
    python = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run(pip + ["numpy", "ufal.chu_liu_edmonds", str(PACKAGE)], check=True)
    if arguments.torch:
        subprocess.run(pip + ["torch", "torch-struct"], check=True)
    sys.exit(subprocess.run([python, __file__, "--here", *sys.argv[1:]]).returncode)


def best_time(function, in_all=1.0, clock=time.perf_counter):
    """Seconds for one call: the best of many short rounds, some of which other programs leave alone."""
    calls = 1
    while True:
        start = clock()
        for _ in range(calls):
            function()
        best = (clock() - start) / calls
        if best * calls >= 0.001:
            break
        calls *= 2
    end = time.perf_counter() + in_all
    while time.perf_counter() < end:
        start = clock()
        for _ in range(calls):
            function()
        best = min(best, (clock() - start) / calls)
    return best


def microseconds(seconds):
    return f"{1e6 * seconds:.1f} µs"


def overhead(numpy, tanglewood):
    print("\noverhead of a call: decode of one small matrix against the same work inside Rust")
    print("| words | system | call | in Rust | overhead |\n| ---: | --- | ---: | ---: | ---: |")
    for words in [2, 10, 20]:
        scores = numpy.random.default_rng(1).normal(size=(words + 1, words + 1))
        for system in ["any", "mh4+"]:
            call = best_time(lambda: tanglewood.decode(scores, system))
            once = tanglewood._tanglewood._time_decode(scores, 1, system)
            repeat = max(1, int(0.001 / once))
            inside = min(tanglewood._tanglewood._time_decode(scores, repeat, system) for _ in range(500))
            print(f"| {words} | {system} | {microseconds(call)} | {microseconds(inside)} | {microseconds(call - inside)} |")


def decoding(numpy, tanglewood, size):
    try:
        from ufal.chu_liu_edmonds import chu_liu_edmonds
    except ImportError as error:
        print(f"\nSKIPPED ufal.chu_liu_edmonds: {error}")
        chu_liu_edmonds = None
    print(f"\nbest tree, per sentence, batches of {size} random matrices; several roots are allowed, which is what the C++ package does")
    print("| words | C++ package, one by one | any, one by one | any, batch, 1 thread | any, batch | mh4+, batch, single root |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for words in [20, 40, 80]:
        scores = numpy.random.default_rng(words).normal(size=(size, words + 1, words + 1))
        # It wants the dependent first.
        others = numpy.ascontiguousarray(scores.transpose(0, 2, 1))
        cells = []
        if chu_liu_edmonds:
            for one, other in zip(scores, others):
                ours = tanglewood.decode(one, "any", single_root=False)[1]
                theirs = chu_liu_edmonds(other)[1]
                assert abs(ours - theirs) < 1e-6 * max(1, abs(ours)), "the scores of the best trees differ"
            cells.append(best_time(lambda: [chu_liu_edmonds(other) for other in others]))
        cells.append(best_time(lambda: [tanglewood.decode(one, "any", single_root=False) for one in scores]))
        cells.append(best_time(lambda: tanglewood.decode(scores, "any", single_root=False, threads=1)))
        cells.append(best_time(lambda: tanglewood.decode(scores, "any", single_root=False)))
        cells.append(best_time(lambda: tanglewood.decode(scores, "mh4+")))
        texts = [microseconds(cell / size) for cell in cells]
        print(f"| {words} | " + " | ".join(([] if chu_liu_edmonds else ["–"]) + texts) + " |")


def cores(numpy, tanglewood, size):
    print(f"\nthreads: {size} sentences of 40 words, and how many cores were busy (CPU time over time)")
    print("| question | 1 thread | all threads | cores busy |\n| --- | ---: | ---: | ---: |")
    scores = numpy.random.default_rng(5).normal(size=(size, 41, 41))
    questions = [("marginals, any", tanglewood.marginals, "any"), ("decode, mh4+", tanglewood.decode, "mh4+")]
    for name, function, system in questions:
        one = best_time(lambda: function(scores, system, threads=1))
        many = best_time(lambda: function(scores, system))
        start, cpu = time.perf_counter(), time.process_time()
        for _ in range(20):
            function(scores, system)
        busy = (time.process_time() - cpu) / (time.perf_counter() - start)
        print(f"| {name} | {1e3 * one:.1f} ms | {1e3 * many:.1f} ms | {busy:.2f} of {os.cpu_count()} |")


def structured(numpy, tanglewood, size, one_thread=False):
    try:
        import torch
        import torch_struct
    except Exception as error:  # whatever keeps it from being imported
        print(f"\nSKIPPED torch-struct: {error}")
        return
    import tanglewood.torch

    warnings.simplefilter("ignore")
    threads, clock = None, time.perf_counter
    if one_thread:
        torch.set_num_threads(1)
        threads, clock = 1, time.process_time
    print(f"\nlog partition and its gradient, per sentence, batches of {size}, all trees with several roots; PyTorch with {torch.get_num_threads()} threads")
    print("| words | torch-struct | tanglewood.torch |\n| ---: | ---: | ---: |")
    for words in [20, 40, 80]:
        scores = torch.randn(size, words + 1, words + 1, dtype=torch.float64, generator=torch.Generator().manual_seed(words))

        def ours():
            x = scores.clone().requires_grad_()
            z = tanglewood.torch.log_partition(x, "any", single_root=False, threads=threads)
            z.sum().backward()
            return z.detach(), x.grad

        def theirs():
            # It has the root's scores on the diagonal.
            x = scores.clone().requires_grad_()
            inner = x[:, 1:, 1:] * (1 - torch.eye(words, dtype=x.dtype)) + torch.diag_embed(x[:, 0, 1:])
            z = torch_struct.NonProjectiveDependencyCRF(inner, multiroot=True).partition
            z.sum().backward()
            return z.detach(), x.grad

        try:
            (z, gradient), (other, other_gradient) = ours(), theirs()
            # It adds a small number to all weights.
            same = torch.allclose(z, other, atol=1e-3) and torch.allclose(gradient, other_gradient, atol=1e-4)
            differ = "" if same else " (another value)"
            text = microseconds(best_time(theirs, clock=clock) / size) + differ
        except Exception as error:
            text = f"failed: {type(error).__name__}"
        print(f"| {words} | {text} | {microseconds(best_time(ours, clock=clock) / size)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--here", action="store_true", help="use this Python, with what is installed in it")
    parser.add_argument("--torch", action="store_true", help="install PyTorch (gigabytes) and torch-struct, too")
    parser.add_argument("--one-thread", action="store_true", help="only sums against torch-struct, one thread each, by CPU time: for machines with other work to do")
    parser.add_argument("--size", type=int, default=64, help="sentences in a batch")
    arguments = parser.parse_args()
    if not arguments.here:
        prepare(arguments)
    import numpy
    import tanglewood

    print(f"tanglewood {tanglewood.__version__}, numpy {numpy.__version__}, Python {sys.version.split()[0]}, {os.cpu_count()} cores")
    if arguments.one_thread:
        structured(numpy, tanglewood, arguments.size, one_thread=True)
        structured(numpy, tanglewood, 1, one_thread=True)
        return
    overhead(numpy, tanglewood)
    decoding(numpy, tanglewood, arguments.size)
    cores(numpy, tanglewood, arguments.size)
    structured(numpy, tanglewood, arguments.size)


if __name__ == "__main__":
    main()
