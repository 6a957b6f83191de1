"""Trees in spaCy: a component for pipelines, and a tokeniser.

With ``pip install tanglewood[spacy]`` both are known to spaCy by name::

    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("tanglewood", config={"model": "en"})        # keeps spaCy's tokens

    nlp = tanglewood.spacy.blank("en")                        # finds sentences, tokens and words as the program does
    for token in nlp("What are you looking at?"):
        print(token.text, token.dep_, token.head.text)

The component sets heads, relations (``root`` is ``ROOT``, as everywhere in spaCy), tags, parts of speech, morphology and
lemmas. Sentences are those of the ``Doc``; if it has none, the model finds them. Crossing arcs stay as they are.

A token is a word, with two exceptions. White space is no word: it hangs from the token before it, or the next one at the
start of a sentence. A multiword token, such as German *zum* for *zu dem*, which the tokeniser of ``blank`` may find, is split
if its words are pieces of it; otherwise it is one token, which has head, relation, tags and lemma of the word that is
nearest to the root, the first of several. ``token._.words`` has all of them. Arcs to any of its words lead to the token, so
the tokens form a tree.

With ``confidence``, ``token._.arc_prob`` and ``token._.label_prob`` are the probabilities of head and relation.

A pipeline that is saved names its model, and does not contain it.
"""

import json
import pathlib
import unicodedata

import spacy
from spacy.attrs import DEP, HEAD, LEMMA, MORPH, POS, TAG
from spacy.language import Language
from spacy.parts_of_speech import IDS as POS_IDS
from spacy.tokens import Doc, Token
from spacy.util import minibatch, registry

import numpy

from . import Sentence
from .arrow import load

__all__ = ["TreeParser", "Tokenizer", "blank"]

#: What is known of a word besides its place in the tree.
COLUMNS = ("forms", "lemmas", "upos", "xpos", "feats")

for _name in ("words", "arc_prob", "label_prob"):
    if not Token.has_extension(_name):
        Token.set_extension(_name, default=None)


def blank(model="en", *, lang=None, **config):
    """A pipeline that finds sentences, tokens, words, tags, lemmas and trees as ``tanglewood parse`` does.

    ``lang`` is the language that spaCy takes it for: that of the model's name, or ``xx``. All else is the configuration of
    the component ``tanglewood``.
    """
    if lang is None:
        lang = model if isinstance(model, str) and 2 <= len(model) <= 3 and model.isalpha() else "xx"
    model = str(model)
    tokenizer = {"@tokenizers": "tanglewood.Tokenizer.v1", "model": model}
    nlp = spacy.blank(lang, config={"nlp": {"tokenizer": tokenizer}})
    nlp.add_pipe("tanglewood", config={"model": model, **config})
    return nlp


class _Reference:
    """What is kept of something that has a model: the model's name or path, and options."""

    def __init__(self, model, **options):
        self.model, self.options = str(model), options
        self.parser = load(self.model)

    def __getstate__(self):
        state = dict(vars(self))
        # It is read again from its file.
        del state["parser"]
        return state

    def __setstate__(self, state):
        vars(self).update(state)
        self.parser = load(self.model)

    def to_bytes(self, **_):
        """Name and options, as JSON."""
        return json.dumps({"model": self.model, **self.options}, sort_keys=True).encode()

    def from_bytes(self, data, **_):
        """Reads what ``to_bytes`` has written, and the model that it names."""
        options = json.loads(data)
        self.model = options.pop("model")
        self.options.update(options)
        self.parser = load(self.model)
        return self

    def to_disk(self, path, **_):
        """Name and options, as JSON, in a file."""
        pathlib.Path(path).write_bytes(self.to_bytes())

    def from_disk(self, path, **_):
        """Reads what ``to_disk`` has written, and the model that it names."""
        return self.from_bytes(pathlib.Path(path).read_bytes())


class Tokenizer(_Reference):
    """Text as a ``Doc`` with the tokens and sentences that the model finds."""

    def __init__(self, vocab, model="en"):
        super().__init__(model)
        self.vocab = vocab

    def __call__(self, text):
        words, spaces, starts, several = [], [], [], {}

        def gap(text_between):
            if words and text_between.startswith(" "):
                spaces[-1] = True
                text_between = text_between[1:]
            if text_between:
                words.append(text_between)
                spaces.append(False)
                starts.append(False)

        end = 0
        for sentence in self.parser.segment(text):
            forms = sentence.forms
            for at, token in enumerate(sentence.tokens):
                gap(text[end : token.start])
                surface, end = text[token.start : token.end], token.end
                parts = forms[slice(*token.words)]
                if len(parts) > 1 and "".join(parts) != surface:
                    several[len(words)] = parts
                    parts = [surface]
                elif len(parts) == 1:
                    parts = [surface]
                starts += [at == 0] + [False] * (len(parts) - 1)
                words += parts
                spaces += [False] * len(parts)
        gap(text[end:])
        if starts:
            # White space at the start belongs to the first sentence.
            first = starts.index(True) if True in starts else 0
            starts[first], starts[0] = False, True
        doc = Doc(self.vocab, words=words, spaces=spaces, sent_starts=starts)
        for at, forms in several.items():
            doc[at]._.words = [{"form": form} for form in forms]
        return doc


class TreeParser(_Reference):
    """The component ``tanglewood``: heads, relations, tags, morphology and lemmas of a ``Doc``, whose tokens are kept."""

    def __init__(self, nlp=None, name="tanglewood", model="en", *, confidence=False, decoder=None, system=None, threads=1):
        super().__init__(model, confidence=confidence, decoder=decoder, system=system, threads=threads)
        self.name = name

    def __call__(self, doc):
        return next(iter(self.pipe([doc], batch_size=1)))

    def pipe(self, stream, *, batch_size=64):
        """Parses documents, as many at once as ``batch_size`` says."""
        for docs in minibatch(stream, size=batch_size):
            docs = list(docs)
            found = [list(self._sentences(doc)) for doc in docs]
            inputs = [Sentence.from_words([form for form, _ in words]) for sentences in found for _, words in sentences if words]
            steps = [step for step in self.parser.steps if step != "segment"]
            parsed = iter(self.parser.parse(inputs, steps=steps, **self.options) if inputs else [])
            for doc, sentences in zip(docs, found):
                self._annotate(doc, [(tokens, words, next(parsed) if words else None) for tokens, words in sentences])
                yield doc

    def _sentences(self, doc):
        """The tokens of each sentence, and its words with the tokens that they are in."""
        for start, end in self._bounds(doc):
            words = []
            for token in doc[start:end]:
                if token._.words:
                    words += [(word["form"], token.i) for word in token._.words]
                elif not _is_gap(token.text):
                    words.append((token.text, token.i))
            yield range(start, end), words

    def _bounds(self, doc):
        if len(doc) == 0:
            return []
        if doc.has_annotation("SENT_START"):
            return [(sentence.start, sentence.end) for sentence in doc.sents]
        if "segment" not in self.parser.steps:
            return [(0, len(doc))]
        places = [sentence.tokens[0].start for sentence in self.parser.segment(doc.text)]
        ends = [token.idx + len(token) for token in doc]
        # A sentence begins with the token that has its first character, the first one with all that precedes.
        starts = sorted({0, *(int(numpy.searchsorted(ends, place, side="right")) for place in places[1:])} - {len(doc)})
        return list(zip(starts, starts[1:] + [len(doc)]))

    def _annotate(self, doc, sentences):
        if len(doc) == 0:
            return
        strings = doc.vocab.strings
        names = [HEAD, DEP, TAG, POS, LEMMA, MORPH]
        values = numpy.zeros((len(doc), len(names)), dtype="uint64")
        heads = numpy.arange(len(doc), dtype="int64")
        for tokens, words, sentence in sentences:
            if sentence is None:
                # Nothing but white space.
                heads[tokens.start : tokens.stop] = tokens.start
                self._hang_gaps(tokens, {tokens.start}, heads, values, strings)
                values[tokens.start, 1:5] = [strings.add("ROOT"), strings.add("_SP"), POS_IDS["SPACE"], 0]
                continue
            tree = sentence.tree.heads
            depth = _depths(tree)
            rows = list(zip(*(getattr(sentence, name) for name in COLUMNS)))
            labels, misc = sentence.labels, sentence.misc
            chosen = {}
            for at, (_, token) in enumerate(words):
                if token not in chosen or depth[at] < depth[chosen[token]]:
                    chosen[token] = at
            for token, at in chosen.items():
                form, lemma, upos, xpos, feats = rows[at]
                heads[token] = words[tree[at] - 1][1] if tree[at] else token
                label = "ROOT" if tree[at] == 0 else labels[at]
                values[token, 1] = strings.add(label)
                values[token, 2] = strings.add(_known(xpos))
                values[token, 3] = POS_IDS.get(_known(upos), 0)
                values[token, 4] = strings.add(lemma if lemma != "_" or form == "_" else "")
                values[token, 5] = doc.vocab.morphology.add(_known(feats))
                if self.options["confidence"]:
                    said = dict(item.partition("=")[::2] for item in misc[at].split("|"))
                    doc[token]._.arc_prob = _number(said.get("ArcProb"))
                    doc[token]._.label_prob = _number(said.get("LabelProb"))
                if doc[token]._.words:
                    of_token = [row for row, (_, other) in zip(rows, words) if other == token]
                    keys = ("form", "lemma", "upos", "xpos", "feats")
                    doc[token]._.words = [dict(zip(keys, row)) for row in of_token]
            self._hang_gaps(tokens, chosen, heads, values, strings)
        values[:, 0] = (heads - numpy.arange(len(doc))).astype("uint64")
        doc.from_array(names, values)

    @staticmethod
    def _hang_gaps(tokens, chosen, heads, values, strings):
        first = min(chosen)
        for token in tokens:
            if token not in chosen:
                heads[token] = first if token < first else token - 1 if token - 1 in chosen else heads[token - 1]
                values[token, 1:5] = [strings.add("dep"), strings.add("_SP"), POS_IDS["SPACE"], 0]


def _is_gap(text):
    """Whether the segmenter takes all of it for white space."""
    return all(char.isspace() or char == "\ufeff" or unicodedata.category(char) == "Cc" for char in text)


def _depths(heads):
    """How far each word is from the root."""
    depths = [0] * len(heads)
    for word in range(len(heads)):
        path = []
        at = word
        while depths[at] == 0:
            path.append(at)
            if heads[at] == 0:
                break
            at = heads[at] - 1
        for step, node in enumerate(reversed(path), start=depths[at] + 1):
            depths[node] = step
    return depths


def _known(value):
    return "" if value == "_" else value


def _number(text):
    return float(text) if text else None


@Language.factory(
    "tanglewood",
    default_config={"model": "en", "confidence": False, "decoder": None, "system": None, "threads": 1},
    assigns=["token.head", "token.dep", "token.tag", "token.pos", "token.morph", "token.lemma", "doc.sents"],
)
def make_component(nlp, name, model, confidence, decoder, system, threads):
    """The component, for spaCy's configuration."""
    return TreeParser(nlp, name, model, confidence=confidence, decoder=decoder, system=system, threads=threads)


@registry.tokenizers("tanglewood.Tokenizer.v1")
def make_tokenizer(model="en"):
    """The tokeniser, for spaCy's configuration."""
    return lambda nlp: Tokenizer(nlp.vocab, model)
