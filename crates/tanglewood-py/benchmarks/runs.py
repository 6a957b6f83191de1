"""Objectives over arcs, over runs and over trees with their runs summed out, compared on treebanks.

    python runs.py --table docs/runs.tsv --program target/release/tanglewood --work DIR NAME=TRAIN,DEV,TEST...
    python runs.py --table docs/runs.tsv

The first form trains a model for each seed, treebank, objective and system, parses TEST with each of the decoders that
share its scores, and adds one line for each to the table; what is in the table is not measured again. So a run that was
interrupted goes on, and several processes, machines or days can add to one table. Models and parsed files stay in DIR.
p of `eval --against` needs the trees of head selection in DIR; where they came later, it is added afterwards.

Both forms then print what is in the table, in Markdown: first each treebank, as means over its seeds: LAS, UAS, strict F1 of
crossing arcs, exact trees, expected calibration error of heads (`eval --calibration`) and minutes of processor time for training.
Then the objectives against `heads`: the mean difference of LAS over the treebanks that have both, with an interval by
bootstrap over treebanks, and p of a permutation test: the mean over treebanks is compared with those of all choices of signs of
the differences (of 100,000 random choices if there are more than 16 treebanks). A treebank's difference is the mean over the seeds
that both have. Last, p of `eval --against` for each treebank and seed, corrected by Holm's method over all of them.
"""

import argparse
import csv
import itertools
import json
import os
import random
import resource
import subprocess
import sys

# Objective, system, further options of `train`; the decoders that are measured with its scores.
RUNS = [
    ("heads", "any", "", ["exact", "mst"]),
    ("trees", "any", "", ["exact"]),
    ("hinge", "mh4+", "", ["exact"]),
    ("transition-likelihood", "mh4+", "", ["exact"]),
    ("transition-hinge", "mh4+", "", ["exact"]),
    ("transition-likelihood", "mh4", "", ["exact", "greedy", "beam:8"]),
    ("transition-hinge", "mh4", "", ["exact", "greedy", "beam:8"]),
    ("transition-likelihood", "all-s0s1", "", ["exact"]),
    ("transition-hinge", "all-s0s1", "", ["exact"]),
    ("transition-likelihood", "projective", "", ["exact"]),
    ("transition-hinge", "projective", "", ["exact"]),
    ("transition-likelihood", "mh4", "--direction either", ["exact"]),
]
BASELINE = ("heads", "any", "", "exact")
KEY = ["treebank", "seed", "objective", "system", "options", "decoder"]
FIELDS = KEY + ["LAS", "UAS", "crossing", "exact", "ECE", "p", "minutes", "epochs"]


def call(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


class Table:
    """Results by treebank, seed, objective, system, options and decoder, in a file to which lines are added. Of several
    lines for the same, the last one counts."""

    def __init__(self, path):
        self.path, self.rows = path, {}
        if os.path.exists(path):
            with open(path, encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file, delimiter="\t"):
                    self.rows[tuple(row[name] for name in KEY)] = row

    def add(self, row):
        row = {name: str(row.get(name, "")) for name in FIELDS}
        self.rows[tuple(row[name] for name in KEY)] = row
        lines = [] if os.path.exists(self.path) else ["\t".join(FIELDS)]
        lines.append("\t".join(row[name] for name in FIELDS))
        with open(self.path, "a", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


def minutes_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) / 60


def path_of(work, key, ending):
    """A file of a run, by its key without the decoder."""
    treebank, seed, objective, system, options = key
    return os.path.join(work, treebank, ".".join([objective, system, *options.replace("-", "").split(), seed]) + ending)


def parsed_by(work, key):
    """The file with the trees of a decoder."""
    return path_of(work, key[:5], f".{key[5].replace(':', '')}.conllu")


def compare(program, work, test, key):
    """p of `eval --against` head selection with the same seed; nothing if its trees are not there."""
    baseline = parsed_by(work, (*key[:2], *BASELINE))
    if key[5] != "exact" or key[2:] == BASELINE or not os.path.exists(baseline) or not os.path.exists(parsed_by(work, key)):
        return ""
    compared = json.loads(call([program, "eval", test, parsed_by(work, key), "--against", baseline, "--format", "json"]))
    return f"{compared['comparison']['LAS']['p']:.4f}"


def measure(program, work, table, treebank, files, seed, run, epochs, jobs):
    """Trains a model and parses with it, as far as the table lacks the results."""
    objective, system, options, decoders = run
    keys = {decoder: (treebank, str(seed), objective, system, options, decoder) for decoder in decoders}
    if all(key in table.rows for key in keys.values()):
        return
    train, dev, test = files
    model = path_of(work, (treebank, str(seed), objective, system, options), ".model")
    os.makedirs(os.path.dirname(model), exist_ok=True)
    minutes = model + ".minutes"
    # Training that was told to end writes a model, too, and leaves its checkpoint.
    if not os.path.exists(model) or os.path.exists(model + ".checkpoint"):
        command = [program, "train", train, "--dev", dev, "-o", model, "--objective", objective, "--seed", str(seed),
                   "--steps", "parse", "--epochs", str(epochs), "--jobs", str(jobs), *options.split()]
        command += ["--system", system] if system != "any" else []
        command += ["--resume"] if os.path.exists(model + ".checkpoint") else []
        before = minutes_of_children()
        subprocess.run(command, check=True)
        with open(minutes, "w") as file:
            file.write(f"{minutes_of_children() - before:.2f}")
    for decoder, key in keys.items():
        if key in table.rows:
            continue
        parsed = parsed_by(work, key)
        confident = decoder in ("exact", "mst")
        call([program, "parse", model, test, "-o", parsed, "--decoder", decoder, "--keep", "tags", "--jobs", str(jobs)]
             + (["--confidence"] if confident else []))
        report = json.loads(call([program, "eval", test, parsed, "--format", "json", "--bootstrap", "0"]))["systems"][0]
        error = report.get("calibration", {}).get("expected_error")
        row = dict(zip(KEY, key), epochs=epochs, minutes=open(minutes).read() if os.path.exists(minutes) else "")
        row.update({name: f"{100 * report['scores'][name]['f1']:.3f}" for name in ("LAS", "UAS")})
        row["crossing"] = f"{100 * (report['crossing']['strict']['f1'] or 0):.3f}"
        row["exact"] = f"{100 * report['scores']['exact_trees']['f1']:.3f}"
        row["ECE"] = "" if error is None else f"{error:.5f}"
        row["p"] = compare(program, work, test, key)
        table.add(row)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def holm(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    corrected, largest = [0.0] * len(values), 0.0
    for rank, at in enumerate(order):
        largest = max(largest, min(1.0, (len(values) - rank) * values[at]))
        corrected[at] = largest
    return corrected


def interval(differences, rounds=10000):
    source = random.Random(1)
    means = sorted(mean(source.choices(differences, k=len(differences))) for _ in range(rounds))
    return means[int(0.025 * rounds)], means[int(0.975 * rounds)]


def permutation_test(differences):
    """The share of all choices of signs whose mean is at least as far from zero; two-sided."""
    found, count = abs(sum(differences)) - 1e-9, len(differences)
    if count <= 16:
        signs = itertools.product((1, -1), repeat=count)
        sums = [abs(sum(sign * one for sign, one in zip(row, differences))) for row in signs]
        return sum(one >= found for one in sums) / len(sums)
    source, rounds = random.Random(1), 100_000
    larger = sum(abs(sum(source.choice((1, -1)) * one for one in differences)) >= found for _ in range(rounds))
    return (larger + 1) / (rounds + 1)


def shown(objective, system, options, decoder):
    return [f"`{objective}`", " ".join(filter(None, (system, options))), decoder]


def line(cells):
    print("| " + " | ".join(cells) + " |")


def print_tables(table):
    groups, order = {}, []
    for key, row in table.rows.items():
        kind = key[2:]
        groups.setdefault(kind, {}).setdefault(key[0], {})[key[1]] = row
        if key[0] not in order:
            order.append(key[0])
    known = [(o, s, x, d) for o, s, x, decoders in RUNS for d in decoders]
    kinds = sorted(groups, key=lambda kind: (known.index(kind) if kind in known else len(known), kind))
    line(["treebank", "seeds", "objective", "system", "decoder", "LAS", "UAS", "crossing F1", "exact trees", "ECE", "minutes"])
    line(["---"] * 5 + ["---:"] * 6)
    for treebank in order:
        for kind in kinds:
            rows = list(groups[kind].get(treebank, {}).values())
            if rows:
                def cell(name, digits):
                    values = [float(row[name]) for row in rows if row[name]]
                    return f"{mean(values):.{digits}f}" if values else "–"
                numbers = [cell("LAS", 2), cell("UAS", 2), cell("crossing", 1), cell("exact", 1), cell("ECE", 4), cell("minutes", 1)]
                line([treebank, str(len(rows)), *shown(*kind), *numbers])
    reference = groups.get(BASELINE, {})
    print()
    line(["objective", "system", "decoder", "treebanks", "runs", "LAS less that of `heads`", "95 % interval", "p"])
    line(["---"] * 3 + ["---:"] * 5)
    for kind in kinds:
        differences, runs = [], 0
        for treebank, rows in groups[kind].items():
            seeds = [seed for seed in rows if seed in reference.get(treebank, {})]
            if seeds and kind != BASELINE:
                runs += len(seeds)
                differences.append(mean(float(rows[s]["LAS"]) - float(reference[treebank][s]["LAS"]) for s in seeds))
        if differences:
            low, high = interval(differences)
            numbers = [str(len(differences)), str(runs), f"{mean(differences):+.2f}", f"{low:+.2f} to {high:+.2f}",
                       f"{permutation_test(differences):.4f}"]
            line([*shown(*kind), *numbers])
    tested = [(key, float(row["p"])) for key, row in table.rows.items() if row["p"]]
    corrected = dict(zip((key for key, _ in tested), holm([p for _, p in tested])))
    print()
    line(["objective", "system", "decoder", "p by treebank and seed, Holm"])
    line(["---"] * 4)
    for kind in kinds:
        found = [f"{key[0]} {key[1]}: {p:.3f}" for key, p in corrected.items() if key[2:] == kind]
        if found:
            line([*shown(*kind), ", ".join(found)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", nargs="*", metavar="NAME=TRAIN,DEV,TEST")
    parser.add_argument("--table", required=True, help="the table of results, to which new ones are added")
    parser.add_argument("--program", default="tanglewood")
    parser.add_argument("--work", help="folder for models and parsed files")
    parser.add_argument("--seeds", default="1,2,3", help="separated by commas")
    parser.add_argument("--only", help="objectives, separated by commas")
    parser.add_argument("--systems", help="systems of the objectives over runs, separated by commas")
    parser.add_argument("--epochs", type=int, default=50)
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.treebanks and not arguments.work:
        parser.error("--work is needed to measure treebanks")
    def wanted(name, names):
        return not names or name in names.split(",")
    runs = [run for run in RUNS if wanted(run[0], arguments.only)
            and (run[1] == "any" or wanted(run[1], arguments.systems))]
    for seed in map(int, arguments.seeds.split(",")):
        for treebank in arguments.treebanks:
            name, paths = treebank.split("=", 1)
            files = paths.split(",")
            if len(files) != 3:
                parser.error(f"{treebank}: expected NAME=TRAIN,DEV,TEST")
            for run in runs:
                table = Table(arguments.table)
                print(f"seed {seed}, {name}, {run[0]} {run[1]} {run[2]}", file=sys.stderr, flush=True)
                measure(arguments.program, arguments.work, table, name, files, seed, run, arguments.epochs, arguments.jobs)
    table = Table(arguments.table)
    for treebank in arguments.treebanks:
        name, test = treebank.split("=", 1)[0], treebank.rsplit(",", 1)[1]
        for key, row in list(table.rows.items()):
            p = "" if row["p"] or key[0] != name else compare(arguments.program, arguments.work, test, key)
            if p:
                table.add(row | {"p": p})
    print_tables(table)


if __name__ == "__main__":
    main()
