"""Objectives over arcs, over runs and over trees with their runs summed out, compared on treebanks.

    python runs.py --program target/release/tanglewood --work DIR NAME=TRAIN,DEV,TEST...

Trains a model for each treebank, objective, system and seed, parses TEST with each of the decoders that share its scores, and
prints a table: LAS, UAS, strict F1 of crossing arcs, exact trees, expected calibration error of heads (`parse --confidence`, 10 bins), and
minutes of training, as means over seeds. Then, for each objective against `heads`: the mean difference of LAS over treebanks
with an interval by bootstrap over treebanks, and p of `eval --against` for each treebank, corrected by Holm's method. Every result stays in DIR, so that a run that
was interrupted goes on, and more treebanks or seeds only add what is missing.
"""

import argparse
import json
import os
import random
import subprocess
import time

# Objective and system; the decoders that are measured with its scores.
RUNS = [
    ("heads", None, ["mst", "exact"]),
    ("transition-hinge", "projective", ["exact"]),
    ("transition-hinge", "mh4", ["exact", "greedy", "beam:8"]),
    ("transition-hinge", "mh4+", ["exact"]),
    ("transition-hinge", "all-s0s1", ["exact"]),
    ("transition-likelihood", "projective", ["exact"]),
    ("transition-likelihood", "mh4", ["exact", "greedy", "beam:8"]),
    ("transition-likelihood", "mh4+", ["exact"]),
    ("transition-likelihood", "all-s0s1", ["exact"]),
]


def call(command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def calibration(gold, parsed, bins=10):
    """Expected calibration error: the mean distance of confidence and accuracy in bins, by words."""
    totals = [[0, 0.0, 0] for _ in range(bins)]
    with open(gold, encoding="utf-8") as left, open(parsed, encoding="utf-8") as right:
        for a, b in zip(left, right):
            a, b = a.rstrip("\n").split("\t"), b.rstrip("\n").split("\t")
            if len(a) != 10 or not a[0].isdigit():
                continue
            found = [item for item in b[9].split("|") if item.startswith("ArcProb=")]
            if found:
                confidence = float(found[0].split("=")[1])
                total = totals[min(int(confidence * bins), bins - 1)]
                total[0] += 1
                total[1] += confidence
                total[2] += a[6] == b[6]
    words = sum(count for count, _, _ in totals)
    return sum(abs(confidence - right) for _, confidence, right in totals) / words if words else None


def measured(program, work, files, objective, system, seed, decoders, options):
    train, dev, test = files
    name = f"{objective}.{system or 'any'}.{seed}"
    model = os.path.join(work, name + ".model")
    results_file = os.path.join(work, name + ".json")
    results = json.load(open(results_file)) if os.path.exists(results_file) else {}
    def save():
        with open(results_file, "w") as file:
            json.dump(results, file, indent=1)
    if not os.path.exists(model):
        began = time.time()
        command = [program, "train", train, "--dev", dev, "-o", model, "--objective", objective, "--seed", str(seed),
                   "--steps", "parse"] + (["--system", system] if system else []) + options
        if os.path.exists(model + ".checkpoint"):
            command.append("--resume")
        subprocess.run(command, check=True)
        results["minutes"] = (time.time() - began) / 60
        save()
    for decoder in decoders:
        if decoder in results:
            continue
        parsed = os.path.join(work, f"{name}.{decoder.replace(':', '')}.conllu")
        command = [program, "parse", model, test, "-o", parsed, "--decoder", decoder, "--keep", "tags"]
        confident = decoder in ("exact", "mst")
        call(command + (["--confidence"] if confident else []))
        scores = json.loads(call([program, "eval", test, parsed, "--format", "json", "--bootstrap", "0"]))["systems"][0]
        results[decoder] = {
            "parsed": parsed,
            "LAS": 100 * scores["scores"]["LAS"]["f1"],
            "UAS": 100 * scores["scores"]["UAS"]["f1"],
            "crossing": 100 * (scores["crossing"]["strict"]["f1"] or 0),
            "exact": 100 * scores["scores"]["exact_trees"]["f1"],
            "calibration": calibration(test, parsed) if confident else None,
        }
        save()
    return results


def p_value(program, test, one, other):
    report = json.loads(call([program, "eval", test, one, "--against", other, "--format", "json", "--bootstrap", "1000"]))
    return report["comparison"]["LAS"]["p"]


def holm(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    corrected, largest = [0.0] * len(values), 0.0
    for rank, at in enumerate(order):
        largest = max(largest, min(1.0, (len(values) - rank) * values[at]))
        corrected[at] = largest
    return corrected


def interval(differences, rounds=10000):
    source = random.Random(1)
    means = sorted(sum(source.choices(differences, k=len(differences))) / len(differences) for _ in range(rounds))
    return means[int(0.025 * rounds)], means[int(0.975 * rounds)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", nargs="+", metavar="NAME=TRAIN,DEV,TEST")
    parser.add_argument("--program", default="tanglewood")
    parser.add_argument("--work", required=True)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", help="objectives, separated by commas")
    parser.add_argument("--systems", help="systems of the objectives over runs, separated by commas")
    parser.add_argument("--options", default="", help="more options of `tanglewood train`, such as '--size small --epochs 5'")
    arguments = parser.parse_args()
    def wanted(name, names):
        return name is None or not names or name in names.split(",")
    runs = [run for run in RUNS if wanted(run[0], arguments.only) and wanted(run[1], arguments.systems)]
    seeds = range(1, arguments.seeds + 1)
    means, tests = {}, {}
    print("| treebank | objective | system | decoder | LAS | UAS | crossing F1 | exact trees | calibration error | minutes |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for treebank in arguments.treebanks:
        name, paths = treebank.split("=", 1)
        files = paths.split(",")
        work = os.path.join(arguments.work, name)
        os.makedirs(work, exist_ok=True)
        baseline = None
        for objective, system, decoders in runs:
            found = [measured(arguments.program, work, files, objective, system, seed, decoders, arguments.options.split())
                     for seed in seeds]
            for decoder in decoders:
                row = [result[decoder] for result in found]
                def mean(key):
                    values = [one[key] for one in row if one[key] is not None]
                    return sum(values) / len(values) if values else None
                shown = [f"{mean(key):.2f}" for key in ("LAS", "UAS", "crossing", "exact")]
                error = mean("calibration")
                minutes = sum(result.get("minutes", 0) for result in found) / len(found)
                cells = [name, f"`{objective}`", system or "any", decoder, *shown, "–" if error is None else f"{error:.4f}", f"{minutes:.1f}"]
                print("| " + " | ".join(cells) + " |", flush=True)
                means.setdefault((objective, system, decoder), {})[name] = mean("LAS")
                if baseline is None and objective == "heads" and decoder == "exact":
                    baseline = row
                elif baseline and objective != "heads" and decoder == "exact":
                    p = p_value(arguments.program, files[2], row[0]["parsed"], baseline[0]["parsed"])
                    tests.setdefault((objective, system), {})[name] = p
    reference = means.get(("heads", None, "exact"))
    if not reference:
        return
    print("\n| objective | system | mean difference of LAS to heads | 95 % interval | p by treebank, seed 1, Holm |")
    print("|---|---|---|---|---|")
    names = [(key, name) for key, found in tests.items() for name in found]
    corrected = dict(zip(names, holm([tests[key][name] for key, name in names])))
    for (objective, system), found in tests.items():
        differences = [means[objective, system, "exact"][name] - reference[name] for name in found]
        low, high = interval(differences)
        shown = ", ".join(f"{name} {corrected[(objective, system), name]:.3f}" for name in found)
        print(f"| `{objective}` | {system} | {sum(differences) / len(differences):+.2f} | {low:+.2f} to {high:+.2f} | {shown} |")


if __name__ == "__main__":
    main()
