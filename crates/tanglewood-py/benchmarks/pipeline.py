"""From raw text to trees: Tanglewood beside UDPipe and spaCy, trained on the same files on the same machine.

    python pipeline.py --program target/release/tanglewood --work DIR NAME=TRAIN,DEV,TEST...
    python pipeline.py --program target/release/tanglewood --work DIR --model en --with udpipe,spacy en=TRAIN,DEV,TEST

Needs `ufal.udpipe` from PyPI, and `spacy` if it is asked for. Models stay in DIR, so that a second run only measures.
With `--model`, Tanglewood does not learn from the treebank but uses a model that is there. spaCy is trained as its own
`init config --optimize efficiency` says, without pretrained vectors; its language is that of the NAME, up to an
underscore. For each treebank it prints the F1 scores of the CoNLL 2018 shared task from raw text and from the tokens of the treebank, the
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


def train_spacy(train, dev, model, language):
    """By spaCy's own command and its own defaults."""
    spacy = [sys.executable, "-m", "spacy"]
    run = lambda *command: subprocess.run([*spacy, *command], check=True)
    folder = model + ".training"
    os.makedirs(folder, exist_ok=True)
    for part, path in [("train", train), ("dev", dev)]:
        run("convert", path, folder, "--converter", "conllu", "--n-sents", "10")
        made = os.path.splitext(os.path.basename(path))[0] + ".spacy"
        os.replace(os.path.join(folder, made), os.path.join(folder, part + ".spacy"))
    config = os.path.join(folder, "config.cfg")
    pipeline = "tagger,morphologizer,trainable_lemmatizer,parser"
    run("init", "config", config, "--lang", language, "--pipeline", pipeline, "--optimize", "efficiency", "--force")
    paths = (f"--paths.{part}={os.path.join(folder, part)}.spacy" for part in ("train", "dev"))
    run("train", config, "--output", folder, *paths)
    os.replace(os.path.join(folder, "model-best"), model)


def run_spacy(model, source, out, raw):
    """As `run_udpipe`."""
    import spacy

    spacy.require_cpu()
    pipe = spacy.load(model)
    if raw:
        with open(source, encoding="utf-8") as file:
            given = [paragraph for paragraph in file.read().split("\n\n") if paragraph.strip()]
    else:
        given = []
        for sentence in words_by_sentence(source):
            doc = spacy.tokens.Doc(pipe.vocab, words=sentence)
            for token in doc:
                token.is_sent_start = token.i == 0
            given.append(doc)
    begun = time.process_time()
    parsed = list(pipe.pipe(given))
    used = time.process_time() - begun
    with open(out, "w", encoding="utf-8") as file:
        for doc in parsed:
            for sentence in doc.sents if raw else [doc[:]]:
                file.write(spacy_rows(sentence))
    return used


def words_by_sentence(path):
    sentences = [[]]
    with open(path, encoding="utf-8") as file:
        for line in file:
            columns = line.split("\t")
            if columns[0].isdigit():
                sentences[-1].append(columns[1])
            elif not line.strip():
                sentences.append([])
    return [sentence for sentence in sentences if sentence]


def spacy_rows(sentence):
    """A sentence in CoNLL-U. Tokens of white space are left out; what hangs from one, or from a second root, hangs from
    the first root."""
    tokens = [token for token in sentence if not token.is_space]
    if not tokens:
        return ""
    numbers = {token.i: number for number, token in enumerate(tokens, 1)}
    is_root = lambda token: token.head.i == token.i
    root = next(filter(is_root, tokens), tokens[0])
    rows = []
    for token in tokens:
        head = 0 if token is root else numbers.get(token.head.i, numbers[root.i])
        head = numbers[root.i] if head == numbers[token.i] else head
        label = "root" if token is root else token.dep_ or "dep"
        rows.append([numbers[token.i], token.text, token.lemma_ or "_", token.pos_ or "_", token.tag_ or "_",
                     str(token.morph) or "_", head, label, "_", "_"])
    return "".join("\t".join(map(str, row)) + "\n" for row in rows) + "\n"


def size_of(path):
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(path) for name in names)


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
    parser.add_argument("--with", dest="others", default="udpipe", help="udpipe, spacy, or both, separated by a comma")
    parser.add_argument("--model", help="of Tanglewood: a name or a file, instead of training one")
    parser.add_argument("--only", choices=["tanglewood", "udpipe", "spacy"], help="just one of them")
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
        for system in ["tanglewood", *arguments.others.split(",")]:
            if arguments.only not in (None, system):
                continue
            model, note = place(system), place(f"{system}.seconds")
            given_model = arguments.model if system == "tanglewood" else None
            model = given_model or model
            if not given_model and not os.path.exists(model):
                if system == "tanglewood":
                    options = arguments.train_options.split()
                    used = child_time([program, "train", train, "--dev", dev, "-o", model, *options])
                elif system == "spacy":
                    before = resource.getrusage(resource.RUSAGE_CHILDREN)
                    train_spacy(train, dev, model, name.split("_")[0])
                    after = resource.getrusage(resource.RUSAGE_CHILDREN)
                    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                else:
                    begun = time.process_time()
                    of_udpipe = arguments.udpipe_tokenizer, arguments.udpipe_tagger, arguments.udpipe_parser
                    train_udpipe(train, dev, model, *of_udpipe)
                    used = time.process_time() - begun
                with open(note, "w", encoding="utf-8") as file:
                    file.write(str(used))
            training = "–"
            if not given_model:
                with open(note, encoding="utf-8") as file:
                    training = f"{float(file.read()) / 60:.1f} min"
            for source, end in [("text", "txt"), ("tokens", "forms.conllu")]:
                out, given = place(f"{system}.{source}.conllu"), place(end)
                if system == "udpipe":
                    used = run_udpipe(model, given, out, source == "text")
                elif system == "spacy":
                    used = run_spacy(model, given, out, source == "text")
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
                size = f"{size_of(model) / 1e6:.1f}" if os.path.exists(model) else "–"
                print(f"| {name} | {system} | {source} | {row} | {training} | {words / used:,.0f} | {size} |", flush=True)


if __name__ == "__main__":
    main()
