//! Generative models.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tanglewood::conllu::Column;
use tanglewood::grammar::{
    Conditionals, Corpus, Decoder, GrammarError, HeldOut, Observed, PartExpectations, Sample, Settings,
    Start, Symbol, Symbols,
};

use crate::arguments::Whole;
use crate::evaluation::Text;
use crate::interrupt::Interrupt;
use crate::sentence::{self, Sentence};
use crate::{files, pool, question};

/// The note with the column that a grammar is about.
const ON: &str = "on";

/// A generative model: tags or words, and their trees, as runs of a transition system that generates them.
///
/// >>> import tanglewood
/// >>> treebank = tanglewood.sample_treebank()
/// >>> grammar = tanglewood.Grammar.fit(treebank, system="mh4", em=3)
/// >>> grammar
/// <Grammar of upos in mh4: 14 symbols>
/// >>> parsed = grammar.parse(treebank[:2], decoder="mbr")
/// >>> parsed[0].forms == treebank[0].forms
/// True
/// >>> all(log_prob < 0 for log_prob in grammar.score(treebank))
/// True
/// >>> len(grammar.sample(3, seed=7))
/// 3
#[pyclass(frozen, module = "tanglewood")]
pub struct Grammar {
    grammar: tanglewood::grammar::Grammar,
    on: &'static str,
    column: Column,
}

#[pymethods]
impl Grammar {
    /// Fits a grammar to sentences with trees, ``train``, to sentences whose trees are ignored, ``raw``, or
    /// to both. Each is a path or a list of sentences. With ``dev``, sentences whose trees are ignored, EM
    /// stops when their perplexity no longer falls, and the best grammar is kept.
    ///
    /// ``conditionals`` is what gives the probabilities: ``"multinomial"``, with back-off, or ``"neural"``,
    /// small networks. ``on`` is what is generated: ``"upos"``, ``"xpos"`` or ``"form"``. What occurs fewer
    /// than ``min_count`` times is one unknown symbol; without it that is 2 for forms and 1 for tags.
    /// Sentences of more than ``max_length`` words are left out. ``em`` is the number of iterations of EM, 0
    /// for relative frequencies alone. ``start`` is what is first believed of trees if none is given:
    /// ``"harmonic"``, ``"uniform"`` or ``"random"``, by ``seed``. ``progress`` is called with a dict for
    /// each iteration: iteration, log_likelihood, and perplexity if there is ``dev``. The log-likelihood
    /// never falls. Results do not depend on ``threads``.
    #[staticmethod]
    #[pyo3(signature = (train=None, *, raw=None, dev=None, system="mh4", conditionals="multinomial", em=Whole::new(20), on="upos", min_count=None, max_length=Whole::new(40), start="harmonic", seed=Whole::new(1), single_root=true, threads=None, progress=None), text_signature = "(train=None, *, raw=None, dev=None, system='mh4', conditionals='multinomial', em=20, on='upos', min_count=None, max_length=40, start='harmonic', seed=1, single_root=True, threads=None, progress=None)")]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn fit<'py>(
        py: Python<'py>,
        train: Option<Text<'py>>,
        raw: Option<Text<'py>>,
        dev: Option<Text<'py>>,
        system: &str,
        conditionals: &str,
        em: Whole,
        on: &str,
        min_count: Option<Whole>,
        max_length: Whole,
        start: &str,
        seed: Whole,
        single_root: bool,
        threads: Option<Whole>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Grammar> {
        let (on, column) = column(on).map_err(PyValueError::new_err)?;
        let (em, seed, max_length) = (em.size_of("em")?, seed.of("seed")?, max_length.size_of("max_length")?);
        let min_count = min_count.map(|count| count.size_of("min_count")).transpose()?;
        let start = match start {
            "harmonic" => Start::Harmonic,
            "uniform" => Start::Uniform,
            "random" => Start::Random(seed),
            other => {
                let message = format!("`{other}` is not a start; expected harmonic, uniform or random");
                return Err(PyValueError::new_err(message));
            }
        };
        let conditionals = match conditionals {
            "multinomial" => Conditionals::Multinomial,
            "neural" => Conditionals::Neural { seed },
            other => {
                let message = format!("conditionals is `{other}`; expected multinomial or neural");
                return Err(PyValueError::new_err(message));
            }
        };
        let settings =
            Settings::new(question::system(system)?).single_root(single_root).with_conditionals(conditionals);
        let read = |text: Option<Text<'py>>, with_trees: bool| -> PyResult<Vec<Observed>> {
            let mut observed = Vec::new();
            for sentence in text.map(|text| text.sentences(py)).transpose()?.into_iter().flatten() {
                let words = sentence.checked_column(column).map_err(PyValueError::new_err)?;
                if words.len() > max_length {
                    continue;
                }
                let tree = match with_trees {
                    true => Some(sentence.checked_tree().map_err(PyValueError::new_err)?),
                    false => None,
                };
                let labels = sentence.column(Column::Deprel);
                observed.push(Observed { words, tree: tree.map(|tree| (tree, labels)) });
            }
            Ok(observed)
        };
        let has_dev = dev.is_some();
        let observed = [read(train, true)?, read(raw, false)?].concat();
        let held_out = read(dev, false)?;
        let least = min_count.unwrap_or(if on == "form" { 2 } else { 1 });
        let threads = pool::threads(threads)?;
        let interrupt = Interrupt::new();
        // After an interrupt nobody asks for the sums any more.
        let workers = |count: usize, work: &(dyn Fn(usize) -> PartExpectations + Sync)| {
            pool::map(count, threads, &interrupt, work).unwrap_or_default()
        };
        let corpus = py.detach(|| Corpus::new(&observed, &settings, least)).map_err(failed)?;
        let first = py.detach(|| corpus.first(&settings, start, &workers));
        interrupt.check()?;
        let mut grammar = first.map_err(failed)?;
        grammar.set_note(ON, on);
        let held_out =
            has_dev.then(|| HeldOut::new(&held_out, corpus.symbols())).transpose().map_err(failed)?;
        // The grammar of the iteration before, and its perplexity.
        let mut before: Option<(tanglewood::grammar::Grammar, f64)> = None;
        for iteration in 0..=em {
            let expected = py.detach(|| corpus.expectations(&grammar, &workers));
            interrupt.check()?;
            let expected = expected.map_err(failed)?;
            let perplexity =
                py.detach(|| held_out.as_ref().map(|held_out| held_out.perplexity(&grammar, &workers)));
            interrupt.check()?;
            let perplexity = perplexity.transpose().map_err(failed)?;
            grammar.set_note("iterations", &iteration.to_string());
            grammar.set_note("log-likelihood", &format!("{:?}", expected.log_likelihood));
            if let Some(progress) = &progress {
                let row = PyDict::new(py);
                row.set_item("iteration", iteration)?;
                row.set_item("log_likelihood", expected.log_likelihood)?;
                if let Some(perplexity) = perplexity {
                    row.set_item("perplexity", perplexity)?;
                }
                progress.call1((row,))?;
            }
            if let (Some((_, lowest)), Some(perplexity)) = (&before, perplexity)
                && perplexity >= *lowest
            {
                break;
            }
            before = perplexity.map(|perplexity| (grammar.clone(), perplexity));
            if iteration < em {
                grammar = py.detach(|| grammar.updated(&expected));
            }
        }
        let grammar = before.map_or(grammar, |(best, _)| best);
        Ok(Grammar { grammar, on, column })
    }

    /// Reads a grammar that ``save``, or the program's ``grammar fit``, has written.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Grammar> {
        let bytes = files::read(py, &path)?;
        let grammar = py.detach(|| Grammar::of_text(&bytes));
        grammar.map_err(|error| PyValueError::new_err(format!("{}: {error}", path.display())))
    }

    /// Writes the grammar to a file, which appears only when it is complete.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let text = self.grammar.to_text();
        files::write(&path, |out| out.write_all(text.as_bytes()).map_err(|error| error.to_string()))
    }

    /// Copies of sentences, or of those in a file, with the trees that the grammar finds.
    ///
    /// ``decoder`` is ``"run"`` for the tree of the most probable run, ``"tree"`` for the most probable tree
    /// over all its runs, which is looked for among those of random runs by ``seed``, or ``"mbr"`` for the
    /// one with most heads right, by expectation.
    #[pyo3(signature = (sentences, decoder="mbr", *, seed=Whole::new(1), threads=None), text_signature = "($self, sentences, decoder='mbr', *, seed=1, threads=None)")]
    fn parse<'py>(
        &self,
        py: Python<'py>,
        sentences: Text<'py>,
        decoder: &str,
        seed: Whole,
        threads: Option<Whole>,
    ) -> PyResult<Vec<Sentence>> {
        let seed = seed.of("seed")?;
        let decoder = match decoder {
            "run" => Decoder::Run,
            "tree" => Decoder::Tree,
            "mbr" => Decoder::Mbr,
            other => {
                let message = format!("`{other}` is not a decoder; expected run, tree or mbr");
                return Err(PyValueError::new_err(message));
            }
        };
        self.each(py, sentences, threads, |sentence, words| {
            let tree = self.grammar.parse(words, decoder, seed).map_err(|error| error.to_string())?.tree;
            let labels: Vec<String> =
                self.grammar.labels().of_tree(words, &tree).into_iter().map(str::to_owned).collect();
            sentence.edited(&tree, Some(&labels))
        })
    }

    /// The natural logarithm of the probability of each sentence, over all its trees and runs.
    #[pyo3(signature = (sentences, *, threads=None))]
    fn score<'py>(
        &self,
        py: Python<'py>,
        sentences: Text<'py>,
        threads: Option<Whole>,
    ) -> PyResult<Vec<f64>> {
        self.each(py, sentences, threads, |_, words| {
            self.grammar.log_probability(words).map_err(|error| error.to_string())
        })
    }

    /// The perplexity per word of sentences: exp(−sum of logarithms / words).
    #[pyo3(signature = (sentences, *, threads=None))]
    fn perplexity<'py>(
        &self,
        py: Python<'py>,
        sentences: Text<'py>,
        threads: Option<Whole>,
    ) -> PyResult<f64> {
        let scored = self.each(py, sentences, threads, |_, words| {
            let log = self.grammar.log_probability(words).map_err(|error| error.to_string())?;
            Ok((log, words.len()))
        })?;
        let (log, words) =
            scored.into_iter().fold((0.0, 0), |(log, words), (one, more)| (log + one, words + more));
        if words == 0 {
            return Err(PyValueError::new_err("no sentences; expected at least one"));
        }
        Ok((-log / words as f64).exp())
    }

    /// Sentences with trees, drawn at random; the same seed gives the same. Those of more than ``max_length``
    /// words are not drawn.
    #[pyo3(signature = (count=Whole::new(10), seed=Whole::new(1), *, max_length=Whole::new(200)), text_signature = "($self, count=10, seed=1, *, max_length=200)")]
    fn sample(
        &self,
        py: Python<'_>,
        count: Whole,
        seed: Whole,
        max_length: Whole,
    ) -> PyResult<Vec<Sentence>> {
        let mut sampler = self.grammar.sample(seed.of("seed")?, max_length.size_of("max_length")?);
        let (count, interrupt) = (count.size_of("count")?, Interrupt::new());
        let drawn = py.detach(|| {
            let wanted = (0..count).take_while(|_| !interrupt.is_heard());
            wanted.map(|_| sampler.draw()).collect::<Result<Vec<Sample>, _>>()
        });
        interrupt.check()?;
        let mut text = String::new();
        for (number, Sample { words, tree }) in drawn.map_err(failed)?.iter().enumerate() {
            text.push_str(&format!("# sent_id = sample-{}\n", number + 1));
            let labels = self.grammar.labels().of_tree(words, tree);
            for (at, (&word, label)) in words.iter().zip(labels).enumerate() {
                let name = self.grammar.symbols().name(word);
                let [upos, xpos] = match self.column {
                    Column::Upos if word == Symbols::UNKNOWN => ["X", "_"],
                    Column::Upos => [name, "_"],
                    Column::Xpos => ["_", name],
                    _ => ["_", "_"],
                };
                let (id, head) = (at + 1, tree.head(at + 1));
                text.push_str(&format!("{id}\t{name}\t_\t{upos}\t{xpos}\t_\t{head}\t{label}\t_\t_\n"));
            }
            text.push('\n');
        }
        Ok(sentence::cut(text.as_bytes()))
    }

    /// The column that is generated.
    #[getter]
    fn on(&self) -> &'static str {
        self.on
    }

    /// The name of the system.
    #[getter]
    fn system(&self) -> String {
        self.grammar.settings().system().name().to_owned()
    }

    /// The tags or words that are known.
    #[getter]
    fn symbols(&self) -> Vec<String> {
        self.grammar.symbols().known().map(str::to_owned).collect()
    }

    /// The log-likelihood of what it was fitted to.
    #[getter]
    fn log_likelihood(&self) -> Option<f64> {
        self.grammar.note("log-likelihood").and_then(|log| log.parse().ok())
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("_of_text")?, (slf.get().grammar.to_text(),)))
    }

    /// A grammar from what ``save`` writes; for copies in other processes.
    #[staticmethod]
    fn _of_text(text: &str) -> PyResult<Grammar> {
        Grammar::of_text(text.as_bytes()).map_err(PyValueError::new_err)
    }

    fn __repr__(&self) -> String {
        let symbols = self.grammar.symbols().known().len();
        format!("<Grammar of {} in {}: {symbols} symbols>", self.on, self.system())
    }
}

impl Grammar {
    fn of_text(text: &[u8]) -> Result<Grammar, String> {
        let grammar = tanglewood::grammar::Grammar::from_text(text).map_err(|error| error.to_string())?;
        let on = grammar.note(ON).ok_or("it does not say which column it is about")?;
        let (on, column) = column(on)?;
        Ok(Grammar { grammar, on, column })
    }

    /// An answer for each sentence, in order; the first error with the sentence it is about.
    fn each<T: Send>(
        &self,
        py: Python<'_>,
        sentences: Text<'_>,
        threads: Option<Whole>,
        answer: impl Fn(&Sentence, &[Symbol]) -> Result<T, String> + Sync,
    ) -> PyResult<Vec<T>> {
        let sentences = sentences.sentences(py)?;
        let threads = pool::threads(threads)?;
        let interrupt = Interrupt::new();
        let answers = py.detach(|| {
            pool::map(sentences.len(), threads, &interrupt, |at| {
                let words = sentences[at].checked_column(self.column)?;
                let words: Vec<Symbol> =
                    words.iter().map(|word| self.grammar.symbols().number(word)).collect();
                answer(&sentences[at], &words).map_err(|error| format!("sentence {at}: {error}"))
            })
        });
        interrupt.check()?;
        answers.into_iter().flatten().collect::<Result<_, _>>().map_err(PyValueError::new_err)
    }
}

/// A column by name.
fn column(name: &str) -> Result<(&'static str, Column), String> {
    match name {
        "upos" => Ok(("upos", Column::Upos)),
        "xpos" => Ok(("xpos", Column::Xpos)),
        "form" => Ok(("form", Column::Form)),
        other => Err(format!("on is `{other}`; expected upos, xpos or form")),
    }
}

fn failed(error: GrammarError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
