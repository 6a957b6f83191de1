"""From raw text to trees: Tanglewood beside UDPipe, trained on the same files on the same machine.

    python pipeline.py --program target/release/tanglewood --work DIR NAME=TRAIN,DEV,TEST...

Needs `ufal.udpipe` from PyPI. Models stay in DIR, so that a second run only measures. For each treebank it
prints the F1 scores of the CoNLL 2018 shared task from raw text and from the tokens of the treebank, the
time of training (processor time, all threads together), words per second of processor time on one thread, and the size
of the model. The text is what `tanglewood text` makes of the test file. Options of both trainings can be given; without
them all are at their defaults.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time

MEASURES = ["Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS",
            "CLAS", "MLAS", "BLEX"]


def udpipe_sentences(path):
    import ufal.udpipe as udpipe

    reader = udpipe.InputFormat.newConlluInputFormat()
    with open(path, encoding="utf-8") as file:
        reader.setText(file.read())
    sentences, error = udpipe.Sentences(), udpipe.ProcessingError()
    while True:
        sentence = udpipe.Sentence()
        if not reader.nextSentence(sentence, error):
            break
        sentences.append(sentence)
    if error.occurred():
        sys.exit(f"{path}: {error.message}")
    return sentences


def train_udpipe(train, dev, model, tokenizer="", tagger="", parser=""):
    """Options as UDPipe writes them, such as `epochs=20;dimension=64`."""
    import ufal.udpipe as udpipe

    error = udpipe.ProcessingError()
    trained = udpipe.Trainer.train(
        "morphodita_parsito", udpipe_sentences(train), udpipe_sentences(dev), tokenizer, tagger, parser, error
    )
    if error.occurred():
        sys.exit(f"{train}: {error.message}")
    with open(model, "wb") as file:
        file.write(trained if isinstance(trained, bytes) else trained.encode("latin-1"))


def run_udpipe(model, source, out, raw):
    """Writes CoNLL-U, and returns processor time without that of loading the model."""
    import ufal.udpipe as udpipe

    loaded = udpipe.Model.load(model)
    with open(source, encoding="utf-8") as file:
        text = file.read()
    pipeline = udpipe.Pipeline(loaded, "tokenize" if raw else "conllu", udpipe.Pipeline.DEFAULT,
                               udpipe.Pipeline.DEFAULT, "conllu")
    error = udpipe.ProcessingError()
    begun = time.process_time()
    parsed = pipeline.process(text, error)
    used = time.process_time() - begun
    if error.occurred():
        sys.exit(f"{source}: {error.message}")
    with open(out, "w", encoding="utf-8") as file:
        file.write(parsed)
    return used


def child_time(command, **options):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def forms_alone(gold, out):
    """The same tokens and words without anything else."""
    with open(gold, encoding="utf-8") as source, open(out, "w", encoding="utf-8") as target:
        for line in source:
            columns = line.rstrip("\n").split("\t")
            if len(columns) == 10:
                if "." in columns[0]:
                    continue
                columns = columns[:2] + ["_"] * 7 + columns[9:]
                line = "\t".join(columns) + "\n"
            target.write(line)


def scores(program, gold, system):
    report = subprocess.run(
        [program, "eval", gold, system, "--format", "json", "--bootstrap", "0"], capture_output=True, text=True
    )
    if report.returncode != 0:
        sys.exit(report.stderr)
    found = json.loads(report.stdout)["systems"][0]["scores"]
    return {name: 100 * found[name]["f1"] for name in MEASURES}


def words_of(path):
    with open(path, encoding="utf-8") as file:
        return sum(1 for line in file if line.split("\t", 1)[0].isdigit())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--program", default="target/release/tanglewood")
    parser.add_argument("--work", required=True, help="where models and outputs go")
    parser.add_argument("--only", choices=["tanglewood", "udpipe"], help="just one of the two")
    parser.add_argument("--train-options", default="", help="of tanglewood train, separated by spaces")
    parser.add_argument("--udpipe-tokenizer", default="", help="options such as epochs=20")
    parser.add_argument("--udpipe-tagger", default="", help="options such as iterations=5")
    parser.add_argument("--udpipe-parser", default="", help="options such as iterations=10")
    parser.add_argument("treebanks", nargs="+", metavar="NAME=TRAIN,DEV,TEST")
    arguments = parser.parse_args()
    program, work = arguments.program, arguments.work
    os.makedirs(work, exist_ok=True)
    print("| treebank | program | from |", " | ".join(MEASURES), "| training | words/s | MB |")
    print("|", " --- |" * (len(MEASURES) + 6))
    for treebank in arguments.treebanks:
        name, files = treebank.split("=", 1)
        train, dev, test = files.split(",")
        place = lambda end: os.path.join(work, f"{name}.{end}")
        with open(place("txt"), "wb") as file:
            subprocess.run([program, "text", test], check=True, stdout=file)
        forms_alone(test, place("forms.conllu"))
        words = words_of(test)
        for system in ["tanglewood", "udpipe"]:
            if arguments.only not in (None, system):
                continue
            model, note = place(system), place(f"{system}.seconds")
            if not os.path.exists(model):
                if system == "tanglewood":
                    options = arguments.train_options.split()
                    used = child_time([program, "train", train, "--dev", dev, "-o", model, *options])
                else:
                    begun = time.process_time()
                    of_udpipe = arguments.udpipe_tokenizer, arguments.udpipe_tagger, arguments.udpipe_parser
                    train_udpipe(train, dev, model, *of_udpipe)
                    used = time.process_time() - begun
                with open(note, "w", encoding="utf-8") as file:
                    file.write(str(used))
            with open(note, encoding="utf-8") as file:
                minutes = float(file.read()) / 60
            for source, end in [("text", "txt"), ("tokens", "forms.conllu")]:
                out, given = place(f"{system}.{source}.conllu"), place(end)
                if system == "udpipe":
                    used = run_udpipe(model, given, out, source == "text")
                else:
                    # A treebank may lack lemmas or tags.
                    about = subprocess.run([program, "info", model, "--format", "json"], check=True, capture_output=True)
                    known = [step for step in json.loads(about.stdout)["steps"] if step != "segment"]
                    steps = [] if source == "text" else ["--steps", ",".join(known)]
                    kind = "text" if source == "text" else "conllu"
                    command = [program, "parse", model, "--input", kind, *steps, "--jobs", "1", given, "-o", out]
                    empty = place("empty")
                    open(empty, "w").close()
                    loading = child_time([program, "parse", model, "--input", "text", empty, "-o", place("none")])
                    used = child_time(command) - loading
                found = scores(program, test, out)
                row = " | ".join(f"{found[measure]:.2f}" for measure in MEASURES)
                size = os.path.getsize(model) / 1e6
                print(f"| {name} | {system} | {source} | {row} | {minutes:.1f} min | {words / used:,.0f} | {size:.1f} |",
                      flush=True)


if __name__ == "__main__":
    main()
