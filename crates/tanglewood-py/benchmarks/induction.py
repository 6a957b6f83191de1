"""Trees from tags alone: grammars by EM beside baselines, in projective and other systems.

    python induction.py --program target/release/tanglewood --work DIR NAME=TRAIN,TEST...

As is usual for induction (Klein and Manning 2004), punctuation is taken out first, its dependents go to its head, and
what has more than `--max-length` words after that is left out. Grammars learn from the universal tags of TRAIN and never see a
head. The table has the share of words of TEST with the right head: for trees in which each word hangs from the
one before it or after it, for random trees, and for grammars of each system, with the harmonic start and the mean of
`--seeds` random starts. Results stay in DIR, so that a run that was interrupted goes on.
"""

import argparse
import json
import os
import random
import subprocess


def sentences(path):
    """Tags and heads, without punctuation."""
    rows = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            columns = line.rstrip("\n").split("\t")
            if len(columns) == 10 and columns[0].isdigit():
                rows.append((columns[3], int(columns[6]) if columns[6].isdigit() else 0))
            elif not line.strip() and rows:
                yield without_punctuation(rows)
                rows = []
    if rows:
        yield without_punctuation(rows)


def without_punctuation(rows):
    kept = [word for word, (tag, _) in enumerate(rows, 1) if tag != "PUNCT"]
    numbers = {word: number for number, word in enumerate(kept, 1)}
    heads = []
    for word in kept:
        head = rows[word - 1][1]
        while head and head not in numbers:
            head = rows[head - 1][1]
        heads.append(numbers.get(head, 0))
    # A root that was punctuation leaves several; all but the first go to the first.
    roots = [word for word, head in enumerate(heads, 1) if head == 0]
    for word in roots[1:]:
        heads[word - 1] = roots[0]
    return [rows[word - 1][0] for word in kept], heads


def write(path, data):
    with open(path, "w", encoding="utf-8") as file:
        for tags, heads in data:
            for word, (tag, head) in enumerate(zip(tags, heads), 1):
                file.write(f"{word}\t{tag}\t_\t{tag}\t_\t_\t{head}\t{'dep' if head else 'root'}\t_\t_\n")
            file.write("\n")


def accuracy(gold, found):
    right = sum(a == b for heads, other in zip(gold, found) for a, b in zip(heads, other))
    return 100 * right / sum(map(len, gold))


def random_tree(words, source):
    order = list(range(1, words + 1))
    source.shuffle(order)
    heads = [0] * words
    for at in range(1, words):
        heads[order[at] - 1] = order[source.randrange(at)]
    return heads


def heads_of(path):
    return [heads for _, heads in sentences(path)]


def measure(program, folder, train, test, system, start, seed, em):
    grammar = os.path.join(folder, f"{system}.{start}.{seed}.grammar")
    parsed = grammar + ".conllu"
    fit = [program, "grammar", "fit", "--raw", train, "-o", grammar, "--system", system, "--start", start, "--seed", str(seed),
           "--em", str(em), "--max-length", "1000", "--resume"]
    subprocess.run(fit, check=True, stderr=subprocess.DEVNULL)
    subprocess.run([program, "grammar", "parse", grammar, test, "-o", parsed], check=True)
    return heads_of(parsed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", nargs="+", metavar="NAME=TRAIN,TEST")
    parser.add_argument("--program", default="tanglewood")
    parser.add_argument("--work", required=True)
    parser.add_argument("--systems", default="mh3,mh4,mh4+")
    parser.add_argument("--max-length", type=int, default=10)
    parser.add_argument("--em", type=int, default=30)
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    systems = arguments.systems.split(",")
    columns = ["right", "left", "random trees"]
    columns += [f"{system}, {start}" for system in systems for start in ("harmonic", "random")]
    print("| treebank | sentences | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 2) + "|")
    for treebank in arguments.treebanks:
        name, paths = treebank.split("=", 1)
        folder = os.path.join(arguments.work, name)
        os.makedirs(folder, exist_ok=True)
        files = []
        for kind, path in zip(("train", "test"), paths.split(",")):
            data = [(tags, heads) for tags, heads in sentences(path) if 0 < len(tags) <= arguments.max_length]
            files.append(os.path.join(folder, f"{kind}.conllu"))
            write(files[-1], data)
        gold = heads_of(files[1])
        source = random.Random(1)
        # Each word hangs from the one before it, or from the one after it.
        right = [list(range(len(heads))) for heads in gold]
        left = [[*range(2, len(heads) + 1), 0] for heads in gold]
        drawn = [random_tree(len(heads), source) for heads in gold]
        cells = [accuracy(gold, trees) for trees in (right, left, drawn)]
        results_file = os.path.join(folder, "results.json")
        results = json.load(open(results_file)) if os.path.exists(results_file) else {}
        for system in systems:
            for start, seeds in (("harmonic", [1]), ("random", range(1, arguments.seeds + 1))):
                found = []
                for seed in seeds:
                    key = f"{system} {start} {seed} {arguments.em} {arguments.max_length}"
                    if key not in results:
                        trees = measure(arguments.program, folder, *files, system, start, seed, arguments.em)
                        results[key] = accuracy(gold, trees)
                        with open(results_file, "w") as file:
                            json.dump(results, file, indent=1)
                    found.append(results[key])
                cells.append(sum(found) / len(found))
        print(f"| {name} | {len(gold)} | " + " | ".join(f"{cell:.1f}" for cell in cells) + " |", flush=True)


if __name__ == "__main__":
    main()
