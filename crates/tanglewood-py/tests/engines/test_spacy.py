"""spaCy: the program's trees in a ``Doc``, and everything that spaCy does with pipelines."""

import json
import pickle
import subprocess

import pytest
import tanglewood

spacy = pytest.importorskip("spacy")

import tanglewood.spacy
from spacy import displacy
from spacy.language import Language
from spacy.tokens import Doc

TEXTS = [
    "What are you looking at? I don't know.",
    "A review has just appeared of her new novel.\n\n  Nobody's read it, though.",
    "",
    "   ",
    "\ufeffOne \U0001F600 more\u00a0time.\r\nGot it?",
]


@pytest.fixture(scope="module")
def nlp():
    return tanglewood.spacy.blank("en", confidence=True)


def program_sentences(program, tmp_path, text):
    path = tmp_path / "text.txt"
    path.write_bytes(text.encode())
    options = ["--input", "text", "--output", "json", "--confidence"]
    done = subprocess.run([program, "parse", "en", path, *options], capture_output=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def tree_of(sentence):
    """Forms, heads within the sentence, and relations, without white space."""
    tokens = [token for token in sentence if token.pos_ != "SPACE"]
    place = {token.i: at for at, token in enumerate(tokens, start=1)}
    heads = [0 if token.head.i == token.i else place[token.head.i] for token in tokens]
    labels = ["root" if token.dep_ == "ROOT" else token.dep_ for token in tokens]
    return [token.text for token in tokens], heads, labels


@pytest.mark.parametrize("text", TEXTS)
def test_trees_tags_and_lemmas_are_those_of_the_program(nlp, program, tmp_path, text):
    doc = nlp(text)
    assert doc.text == text
    expected = program_sentences(program, tmp_path, text)
    found = [sentence for sentence in doc.sents if any(token.pos_ != "SPACE" for token in sentence)]
    assert len(found) == len(expected)
    for sentence, wanted in zip(found, expected):
        assert tree_of(sentence) == (wanted["forms"], wanted["heads"], wanted["deprels"])
        words = [token for token in sentence if token.pos_ != "SPACE"]
        assert [token.pos_ for token in words] == wanted["upos"]
        assert [token.tag_ or "_" for token in words] == wanted["xpos"]
        assert [str(token.morph) or "_" for token in words] == wanted["feats"]
        assert [token.lemma_ for token in words] == wanted["lemmas"]
        assert [token._.arc_prob for token in words] == pytest.approx(wanted["arc_probs"], abs=1e-4)
        assert [token._.label_prob for token in words] == pytest.approx(wanted["label_probs"], abs=1e-4)


def test_crossing_arcs_survive_and_are_drawn(nlp):
    # A preposition without its noun: the arc to the question word crosses that to the root.
    texts = ["What are you looking at?", "Who did you talk to?", "Which house does he live in?", "What is it about?"]
    crossing = 0
    for doc in nlp.pipe(texts):
        for sentence in doc.sents:
            forms, heads, _ = tree_of(sentence)
            tree = tanglewood.Tree(heads)
            assert tree.has_single_root
            crossing += len(tree.crossing_arcs())
            drawn = displacy.render(sentence, style="dep", jupyter=False, options={"collapse_punct": False})
            assert drawn.count('class="displacy-arc"') == len(forms) - 1
    assert crossing > 0


def test_tokens_of_a_doc_are_kept(program, tmp_path):
    nlp = spacy.blank("en")
    nlp.add_pipe("tanglewood")
    text = "What are you looking at? Nothing at all."
    before = [token.text for token in nlp.make_doc(text)]
    doc = nlp(text)
    assert [token.text for token in doc] == before
    expected = program_sentences(program, tmp_path, text)
    assert [tree_of(sentence)[1:] for sentence in doc.sents] == [(line["heads"], line["deprels"]) for line in expected]
    # Sentences of others are kept, too.
    doc = Doc(nlp.vocab, words=["Nothing", "at", "all"], sent_starts=[True, True, False])
    assert [sentence.text for sentence in nlp.get_pipe("tanglewood")(doc).sents] == ["Nothing", "at all"]


def test_multiword_tokens_follow_the_rule(tmp_path):
    """A model of German *im* = *in dem*: learned from a few sentences, so that it is found for sure."""
    rows = [
        ("1", "Er", "er", "PRON", "2", "nsubj", "_"),
        ("2", "sitzt", "sitzen", "VERB", "0", "root", "_"),
        ("3-4", "im", "_", "_", "_", "_", "_"),
        ("3", "in", "in", "ADP", "5", "case", "_"),
        ("4", "dem", "der", "DET", "5", "det", "_"),
        ("5", "Haus", "Haus", "NOUN", "2", "obl", "SpaceAfter=No"),
        ("6", ".", ".", "PUNCT", "2", "punct", "_"),
    ]
    lines = [f"{i}\t{f}\t{l}\t{u}\t_\t_\t{h}\t{d}\t_\t{m}\n" for i, f, l, u, h, d, m in rows]
    treebank = [tanglewood.Sentence("# text = Er sitzt im Haus.\n" + "".join(lines) + "\n")] * 60
    path = tmp_path / "im.model"
    tanglewood.Parser.train(treebank, epochs=8, hidden=24).save(path)
    nlp = tanglewood.spacy.blank(path, lang="de")
    doc = nlp("Er sitzt im Haus.")
    assert [token.text for token in doc] == ["Er", "sitzt", "im", "Haus", "."]
    token = doc[2]
    assert [word["form"] for word in token._.words] == ["in", "dem"]
    # The word nearest to the root, the first of two.
    words = tanglewood.Parser.load(path).parse("Er sitzt im Haus.")[0]
    depths = tanglewood.spacy._depths(words.tree.heads)
    nearest = min([2, 3], key=lambda at: depths[at])
    assert token.lemma_ == words.lemmas[nearest]
    assert doc.has_annotation("DEP") and len(list(doc.sents)) == 1
    assert [word["lemma"] for word in token._.words] == words.lemmas[2:4]
    # The words of a token may stand on both sides of another word's arc: still a tree.
    assert tanglewood.Tree(tree_of(next(doc.sents))[1]).has_single_root


def test_a_token_of_several_words_never_makes_a_cycle(random):
    for _ in range(200):
        words = int(random.integers(2, 9))
        heads = tanglewood.sample(random.normal(size=(words + 1, words + 1)), 1, seed=int(random.integers(1 << 30)), system="any")[0]
        depths = tanglewood.spacy._depths(list(heads))
        for word, head in enumerate(heads):
            assert depths[word] == (1 if head == 0 else depths[head - 1] + 1)


def test_pipelines_are_saved_by_reference_to_the_model(nlp, tmp_path):
    nlp.to_disk(tmp_path / "pipeline")
    sizes = [path.stat().st_size for path in (tmp_path / "pipeline").rglob("*") if path.is_file()]
    assert sum(sizes) < 1_000_000
    component = nlp.get_pipe("tanglewood")
    assert pickle.loads(pickle.dumps(component)).options == component.options
    assert len(pickle.dumps(component)) < 1000
    for again in [spacy.load(tmp_path / "pipeline"), type(nlp).from_config(nlp.config)]:
        assert again.pipe_names == ["tanglewood"]
        assert again(TEXTS[1]).to_json() == nlp(TEXTS[1]).to_json()
    other = tanglewood.spacy.blank("en").from_bytes(nlp.to_bytes())
    assert other(TEXTS[0]).to_json() == nlp(TEXTS[0]).to_json()
    path = tmp_path / "gone.model"
    nlp.get_pipe("tanglewood").parser.save(path)
    gone = tanglewood.spacy.blank(path)
    gone.to_disk(tmp_path / "gone")
    path.unlink()
    with pytest.raises(OSError, match="gone.model"):
        spacy.load(tmp_path / "gone")


def test_documents_are_the_same_one_by_one_in_batches_and_in_processes(nlp):
    texts = TEXTS * 6
    expected = [nlp(text).to_json() for text in texts]
    for batch_size in [1, 7, 100]:
        assert [doc.to_json() for doc in nlp.pipe(texts, batch_size=batch_size)] == expected
    assert [doc.to_json() for doc in nlp.pipe(texts, n_process=2, batch_size=4)] == expected
    docs = [doc for doc, _ in nlp.pipe([(text, at) for at, text in enumerate(texts)], as_tuples=True)]
    assert [doc.to_json() for doc in docs] == expected


def test_a_doc_with_trees_survives_serialisation(nlp):
    doc = nlp(TEXTS[0])
    again = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert again.to_json() == doc.to_json()
    assert [token._.arc_prob for token in again] == [token._.arc_prob for token in doc]
