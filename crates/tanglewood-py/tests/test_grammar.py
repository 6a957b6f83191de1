"""Generative models."""

import math

import pytest
import tanglewood


@pytest.fixture(scope="module")
def treebank():
    return tanglewood.sample_treebank()


@pytest.fixture(scope="module")
def grammar(treebank):
    return tanglewood.Grammar.fit(treebank, em=3)


@pytest.mark.parametrize("system", ["mh3", "mh4", "mh4+", "arc-standard"])
def test_no_iteration_lowers_the_likelihood(treebank, system):
    for data in [{"train": treebank}, {"raw": treebank}, {"train": treebank[:20], "raw": treebank[20:]}]:
        seen = []
        fitted = tanglewood.Grammar.fit(system=system, em=4, max_length=12, progress=seen.append, **data)
        likelihoods = [row["log_likelihood"] for row in seen]
        assert [row["iteration"] for row in seen] == [0, 1, 2, 3, 4]
        assert all(later >= before - 1e-6 for before, later in zip(likelihoods, likelihoods[1:]))
        assert fitted.log_likelihood == likelihoods[-1]


def test_fitting_stops_when_perplexity_no_longer_falls(treebank):
    seen = []
    train, dev = treebank[:40], treebank[40:]
    fitted = tanglewood.Grammar.fit(train, dev=dev, em=4, max_length=1000, progress=seen.append)
    lowest, last = [row["perplexity"] for row in seen]
    assert last >= lowest
    assert fitted.perplexity(dev) == pytest.approx(lowest)
    with pytest.raises(ValueError):
        tanglewood.Grammar.fit(treebank, dev=[])


def test_networks_take_the_place_of_multinomials(treebank, tmp_path):
    seen = []
    options = {"conditionals": "neural", "em": 2, "max_length": 12}
    fitted = tanglewood.Grammar.fit(treebank, progress=seen.append, **options)
    likelihoods = [row["log_likelihood"] for row in seen]
    assert likelihoods == sorted(likelihoods)
    fitted.save(tmp_path / "a.grammar")
    again = tanglewood.Grammar.load(tmp_path / "a.grammar")
    assert again.score(treebank) == fitted.score(treebank)
    with pytest.raises(ValueError, match="multinomial or neural"):
        tanglewood.Grammar.fit(treebank, conditionals="nonsense")


def test_threads_make_no_difference(treebank, tmp_path):
    for threads in (1, 2):
        tanglewood.Grammar.fit(treebank, em=2, threads=threads).save(tmp_path / f"{threads}.grammar")
    assert (tmp_path / "1.grammar").read_bytes() == (tmp_path / "2.grammar").read_bytes()


@pytest.mark.parametrize("decoder", ["run", "tree", "mbr"])
def test_trees_are_those_of_the_system(treebank, grammar, decoder):
    short = [sentence for sentence in treebank if len(sentence) <= 15]
    for before, after in zip(short, grammar.parse(short, decoder)):
        assert after.forms == before.forms and after.tree.has_single_root
        assert after.tree.covered_by("mh4", "ltr")


def test_scores_and_perplexity_belong_together(treebank, grammar, tmp_path):
    scores = grammar.score(treebank)
    words = sum(len(sentence) for sentence in treebank)
    assert grammar.perplexity(treebank) == pytest.approx(math.exp(-sum(scores) / words))
    grammar.save(tmp_path / "a.grammar")
    again = tanglewood.Grammar.load(tmp_path / "a.grammar")
    assert again.score(treebank) == scores
    assert (again.on, again.system, again.symbols) == (grammar.on, grammar.system, grammar.symbols)


def test_samples_are_sentences_and_repeat(grammar):
    drawn = grammar.sample(20, seed=3)
    assert drawn == grammar.sample(20, seed=3) and drawn != grammar.sample(20, seed=4)
    assert all(sentence.tree.has_single_root for sentence in drawn)
    assert all(log_prob < 0 for log_prob in grammar.score(drawn))


def test_bad_input_is_explained(treebank, grammar, tmp_path):
    with pytest.raises(ValueError, match="no sentence to learn from"):
        tanglewood.Grammar.fit()
    with pytest.raises(ValueError, match="no sentence to learn from"):
        tanglewood.Grammar.fit([])
    with pytest.raises(ValueError, match="no grammar can be made for `attardi:3`"):
        tanglewood.Grammar.fit(treebank, system="attardi:3")
    with pytest.raises(ValueError, match="expected upos, xpos or form"):
        tanglewood.Grammar.fit(treebank, on="lemma")
    with pytest.raises(ValueError, match="expected harmonic, uniform or random"):
        tanglewood.Grammar.fit(raw=treebank, start="best")
    with pytest.raises(ValueError, match="expected run, tree or mbr"):
        grammar.parse(treebank, "best")
    (tmp_path / "no.grammar").write_text("nothing")
    with pytest.raises(ValueError, match="no grammar"):
        tanglewood.Grammar.load(tmp_path / "no.grammar")
    unseen = tanglewood.Sentence("1\tx\t_\tNEVER\t_\t_\t_\t_\t_\t_\n\n")
    assert math.isfinite(grammar.score([unseen])[0])
