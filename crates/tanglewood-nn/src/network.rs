//! The layers put together: from encoded sentences to scores, and back from their gradients.

use tanglewood::inference::Random;

use crate::dropout::Mask;
use crate::encoding::Encoded;
use crate::input::{Dropout, Input};
use crate::layers::{
    Arcs, Bags, Embedding, Hidden, LabelTape, LabelledArcs, Labels, Lstm, LstmTape, Reader, ReaderTape,
    RunTables, TagSlopes, Tagged, Tagger, TaggerShape,
};
use crate::matrix::{Matrix, add};
use crate::options::Options;
use crate::parameters::{Gradients, Layout, Parameters};
use crate::real::Real;
use crate::tagset::Tagset;
use crate::vocabulary::Vocabulary;

/// Which of a word's bags is looked up in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The word itself.
    Words,
    /// Character n-grams of the word.
    Characters,
    /// Tags of the word.
    Tags,
    /// Pretrained vector of the word.
    Vectors,
}

impl Source {
    fn bags(self, input: &Input) -> &Bags {
        match self {
            Source::Words => &input.words,
            Source::Characters => &input.characters,
            Source::Tags => &input.tags,
            Source::Vectors => &input.vectors,
        }
    }
}

/// All layers, and where their parameters are.
#[derive(Clone, Debug)]
pub struct Network {
    layout: Layout,
    /// What is looked up, and in which table; side by side in this order.
    pub(crate) embeddings: Vec<(Source, Embedding)>,
    pub(crate) lstms: Vec<Lstm>,
    /// All read the embeddings, too. The first one reads what the first LSTM gives, and layers above read
    /// what it gives; the second one reads what the last LSTM gives, and has the last word.
    pub(crate) taggers: Option<[Tagger; 2]>,
    tagset: Tagset,
    pub(crate) hidden: Hidden,
    pub(crate) arcs: Arcs,
    pub(crate) labels: Labels,
    /// One for each direction in which transitions are scored.
    pub(crate) readers: Vec<Reader>,
    /// Columns of the last hidden layer before those for labels.
    pub(crate) arc_columns: usize,
    pub(crate) inputs: usize,
}

/// The scores of a sentence, or their derivatives.
#[derive(Clone, Debug, PartialEq)]
pub struct SentenceScores<T> {
    /// See [`Arcs::scores`].
    pub arcs: Matrix<T>,
    /// Scores of transitions, for each direction in which the network scores them.
    pub runs: Vec<RunTables<T>>,
}

impl<T: Real> SentenceScores<T> {
    /// All scores, or all derivatives.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.arcs.values_mut().iter_mut().chain(self.runs.iter_mut().flat_map(RunTables::values_mut))
    }

    /// Derivatives of a loss that does not depend on scores of transitions: zero for these.
    pub fn without_transitions(&mut self) {
        self.runs.iter_mut().flat_map(RunTables::values_mut).for_each(|value| *value = T::ZERO);
    }
}

/// The outcome of a forward pass.
#[derive(Clone, Debug)]
pub struct Forward<T> {
    /// The batch that was read.
    pub input: Input,
    /// Scores by rank of sentence.
    pub scores: Vec<SentenceScores<T>>,
    /// Output of the two taggers.
    pub tagged: Option<[Tagged<T>; 2]>,
    /// The vectors of words as dependents and heads, for arcs, labels and moves.
    words: Matrix<T>,
    queries: Matrix<T>,
    /// By reader.
    runs: Vec<ReaderTape<T>>,
}

/// Values of the forward pass that only the backward pass reads.
#[derive(Clone, Debug)]
pub struct Tape<T> {
    /// A mask for the input of each LSTM, and its own tape.
    lstms: Vec<(Option<Mask<T>>, LstmTape<T>)>,
    encoded: Matrix<T>,
    encoded_mask: Option<Mask<T>>,
    words_mask: Option<Mask<T>>,
}

impl Network {
    /// The network for these options.
    pub fn new(options: &Options, vocabulary: &Vocabulary) -> Network {
        let mut layout = Layout::default();
        let mut embeddings: Vec<(Source, Embedding)> = Vec::new();
        let mut embed = |name, source: Source, rows, columns, frozen| {
            if rows > 0 && columns > 0 {
                embeddings.push((source, Embedding::new(&mut layout, name, rows, columns, frozen)));
            }
        };
        embed("word", Source::Words, vocabulary.words.len(), options.word, false);
        embed("characters", Source::Characters, options.buckets, options.characters, false);
        embed("tags", Source::Tags, vocabulary.tag_count(), options.tags, false);
        embed("vectors", Source::Vectors, vocabulary.vectors.len(), options.vectors, true);
        let inputs: usize = embeddings.iter().map(|(_, embedding)| embedding.columns()).sum();
        let tagset = if options.tagging > 0 { Tagset::new(vocabulary) } else { Tagset::default() };
        let groups: Vec<_> = tagset.groups().iter().map(|group| group.classes.clone()).collect();
        let tagger = |layout: &mut Layout, name: &str, below: usize, scripts: usize, outputs: usize| {
            let (inputs, hidden, groups) = (below + inputs, options.tagging, groups.clone());
            Tagger::new(layout, name, TaggerShape { inputs, hidden, groups, scripts, outputs })
        };
        let (mut lstms, mut first, mut encoded) = (Vec::new(), None, inputs);
        for layer in 0..options.layers {
            lstms.push(Lstm::new(&mut layout, &format!("lstm{layer}"), encoded, options.hidden));
            encoded = 2 * options.hidden;
            if layer == 0 && options.tagging > 0 {
                first = Some(tagger(&mut layout, "first_tagger", encoded, 0, options.tags));
                encoded += options.tags;
            }
        }
        let taggers =
            first.map(|first| [first, tagger(&mut layout, "tagger", encoded, vocabulary.lemmas.learned, 0)]);
        let arc_columns = 2 * options.arc;
        let move_column = arc_columns + 2 * options.label;
        let roles = if options.scores_windows() { 3 } else { 2 };
        let of_reader = roles * options.transitions;
        let columns = move_column + options.readings().len() * of_reader;
        let hidden = Hidden::new(&mut layout, "hidden", encoded, columns);
        let arcs = Arcs::new(&mut layout, "arcs", options.arc);
        let labels = Labels::new(&mut layout, "labels", options.label, vocabulary.labels.len());
        let reader = |(at, direction)| {
            let (size, column) = (options.transitions, move_column + at * of_reader);
            Reader::new(&mut layout, direction, size, options.windows, column)
        };
        let readers = options.readings().into_iter().enumerate().map(reader).collect();
        Network {
            layout,
            embeddings,
            lstms,
            taggers,
            tagset,
            hidden,
            arcs,
            labels,
            readers,
            arc_columns,
            inputs,
        }
    }

    /// Layout of the parameters.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Classes that the taggers choose among.
    pub fn tagset(&self) -> &Tagset {
        &self.tagset
    }

    /// Scores of all arcs, and of transitions if the network has them.
    pub fn forward<T: Real>(&self, parameters: &Parameters<T>, sentences: &[&Encoded]) -> Forward<T> {
        self.run(parameters, sentences, &Dropout::NONE, &mut Random::new(0), false).0
    }

    /// The same scores with dropout, and what the backward pass needs.
    pub fn forward_to_learn<T: Real>(
        &self,
        parameters: &Parameters<T>,
        sentences: &[&Encoded],
        dropout: &Dropout,
        random: &mut Random,
    ) -> (Forward<T>, Tape<T>) {
        self.run(parameters, sentences, dropout, random, true)
    }

    fn run<T: Real>(
        &self,
        parameters: &Parameters<T>,
        sentences: &[&Encoded],
        dropout: &Dropout,
        random: &mut Random,
        train: bool,
    ) -> (Forward<T>, Tape<T>) {
        let input = Input::new(sentences, dropout, random, !train);
        let packing = &input.packing;
        let count = packing.sentences();
        let mut rows = self.embed(parameters, &input);
        let mut places = input.places.as_deref();
        let spread = |rows: &Matrix<T>| places.map_or_else(|| rows.clone(), |places| rows.gathered(places));
        let embedded = self.taggers.as_ref().map(|_| spread(&rows));
        if self.lstms.is_empty() {
            rows = spread(&rows);
        }
        let given = self.given(&input, sentences);
        let tag = |tagger: &Tagger, rows: &Matrix<T>, embedded: &Matrix<T>, random: &mut Random| {
            let masks = tagger.masks(count, (dropout.layer, dropout.hidden), random);
            tagger.forward(parameters, packing, rows.beside(embedded), masks, &given)
        };
        let mut first_tagged = None;
        let mut tapes = Vec::new();
        for (layer, lstm) in self.lstms.iter().enumerate() {
            let mask = Mask::new(count, rows.columns(), dropout.layer, random);
            if let Some(mask) = &mask {
                mask.apply_packed(packing, &mut rows);
            }
            let recurrent = Mask::new(count, lstm.outputs(), dropout.recurrent, random);
            let (output, tape) = lstm.forward(parameters, packing, (rows, places.take()), recurrent, train);
            rows = output;
            tapes.extend(tape.map(|tape| (mask, tape)));
            if layer == 0
                && let (Some([tagger, _]), Some(embedded)) = (&self.taggers, &embedded)
            {
                let (tags, tagged) = tag(tagger, &rows, embedded, random);
                rows = rows.beside(&tags);
                first_tagged = Some(tagged);
            }
        }
        let tagged = match (&self.taggers, first_tagged, &embedded) {
            (Some([_, tagger]), Some(first), Some(embedded)) => {
                Some([first, tag(tagger, &rows, embedded, random).1])
            }
            _ => None,
        };
        let mut encoded = packing.unpack(&rows);
        let encoded_mask = Mask::new(count, encoded.columns(), dropout.layer, random);
        if let Some(mask) = &encoded_mask {
            mask.apply_unpacked(packing, &mut encoded);
        }
        let mut words = self.hidden.forward(parameters, &encoded);
        let words_mask = Mask::new(count, words.columns(), dropout.hidden, random);
        if let Some(mask) = &words_mask {
            mask.apply_unpacked(packing, &mut words);
        }
        let queries = self.arcs.queries(parameters, &words);
        let arcs = (0..count).map(|rank| self.arcs.scores(parameters, &words, &queries, packing.rows(rank)));
        let mut scores: Vec<_> = arcs.map(|arcs| SentenceScores { arcs, runs: Vec::new() }).collect();
        let mut runs = Vec::new();
        for reader in &self.readers {
            let (tables, tape) = reader.forward(parameters, packing, &words);
            scores.iter_mut().zip(tables).for_each(|(scores, tables)| scores.runs.push(tables));
            runs.push(tape);
        }
        let tape = Tape { lstms: tapes, encoded, encoded_mask, words_mask };
        (Forward { input, scores, tagged, words, queries, runs }, tape)
    }

    /// The class of each word and group, where the input says so and it is not left out.
    fn given(&self, input: &Input, sentences: &[&Encoded]) -> Vec<Option<u32>> {
        if self.taggers.is_none() {
            return Vec::new();
        }
        let packing = &input.packing;
        if sentences.iter().all(|sentence| !sentence.has_tags()) {
            return vec![None; packing.words() * self.tagset.groups().len()];
        }
        let rows = packing.packed().zip(&input.seen);
        rows.flat_map(|((rank, time), &seen)| {
            self.tagset.classes_of(sentences[packing.sentence(rank)], time, seen)
        })
        .collect()
    }

    /// The scores of all scripts of lemmas by one of the taggers, for some words by their packed rows.
    pub fn scripts<T: Real>(
        &self,
        parameters: &Parameters<T>,
        tagger: usize,
        tagged: &Tagged<T>,
        rows: impl ExactSizeIterator<Item = usize>,
    ) -> Matrix<T> {
        match &self.taggers {
            Some(taggers) => taggers[tagger].scripts(parameters, tagged, rows),
            None => Matrix::zeros(rows.len(), 0),
        }
    }

    /// All inputs, side by side, for each word that is looked up.
    fn embed<T: Real>(&self, parameters: &Parameters<T>, input: &Input) -> Matrix<T> {
        let mut rows = Matrix::zeros(input.words.len(), self.inputs);
        let mut column = 0;
        for (source, embedding) in &self.embeddings {
            embedding.forward(parameters, source.bags(input), &mut rows, column);
            column += embedding.columns();
        }
        rows
    }

    /// Scores of labels: a row for each word, sentences by rank. `heads` has a head for each word, 0 for the
    /// root.
    pub fn labels<T: Real>(
        &self,
        parameters: &Parameters<T>,
        forward: &Forward<T>,
        heads: &[Vec<u32>],
    ) -> (Matrix<T>, LabelTape<T>) {
        let heads = head_rows(forward, heads);
        let arcs = LabelledArcs { words: &forward.words, column: self.arc_columns, heads: &heads };
        self.labels.forward(parameters, arcs)
    }

    /// Adds to the gradients of all parameters, given those of all scores of sentences, for these heads of
    /// labels, and of classes of tags and scripts of lemmas, if the network has them.
    pub fn backward<T: Real>(
        &self,
        parameters: &Parameters<T>,
        (forward, tape): (Forward<T>, Tape<T>),
        scores: Vec<SentenceScores<T>>,
        (heads, labels, label_tape): (&[Vec<u32>], &Matrix<T>, &LabelTape<T>),
        of_tags: Option<[TagSlopes<T>; 2]>,
        gradients: &mut Gradients<T>,
    ) {
        let heads = head_rows(&forward, heads);
        let Forward { input, words, queries, runs: run_tapes, tagged, .. } = forward;
        let (arcs, mut of_runs): (Vec<_>, Vec<_>) =
            scores.into_iter().map(|scores| (scores.arcs, scores.runs.into_iter())).unzip();
        let packing = &input.packing;
        let mut of_words = Matrix::zeros(words.rows(), words.columns());
        self.arcs.backward(parameters, packing, (&words, &queries), &arcs, &mut of_words, gradients);
        for (reader, tape) in self.readers.iter().zip(&run_tapes) {
            let tables = of_runs.iter_mut().filter_map(Iterator::next).collect();
            reader.backward(parameters, packing, (&words, tape), tables, &mut of_words, gradients);
        }
        let labelled = LabelledArcs { words: &words, column: self.arc_columns, heads: &heads };
        self.labels.backward(parameters, labelled, label_tape, labels, &mut of_words, gradients);
        if let Some(mask) = &tape.words_mask {
            mask.apply_unpacked(packing, &mut of_words);
        }
        let mut of_encoded = self.hidden.backward(parameters, &tape.encoded, &words, of_words, gradients);
        if let Some(mask) = &tape.encoded_mask {
            mask.apply_unpacked(packing, &mut of_encoded);
        }
        let mut of_rows = packing.pack(&of_encoded);
        let mut of_embedded = Matrix::zeros(of_rows.rows(), self.inputs);
        let mut first = None;
        if let (Some([_, tagger]), Some([first_tagged, tagged]), Some([of_first, of_tags])) =
            (&self.taggers, tagged, of_tags)
        {
            let nothing = Matrix::zeros(of_rows.rows(), 0);
            let of_read = tagger.backward(parameters, packing, tagged, (of_tags, nothing), gradients);
            let (below, embedded) = of_read.split(of_rows.columns());
            add(of_rows.values_mut(), below.values());
            add(of_embedded.values_mut(), embedded.values());
            first = Some((first_tagged, of_first));
        }
        for (layer, (lstm, (mask, of_lstm))) in self.lstms.iter().zip(tape.lstms).enumerate().rev() {
            if layer == 0
                && let (Some([tagger, _]), Some((tagged, of_tags))) = (&self.taggers, first.take())
            {
                let (of_output, of_outputs) = of_rows.split(lstm.outputs());
                let of_read = tagger.backward(parameters, packing, tagged, (of_tags, of_outputs), gradients);
                let (below, embedded) = of_read.split(of_output.columns());
                of_rows = of_output;
                add(of_rows.values_mut(), below.values());
                add(of_embedded.values_mut(), embedded.values());
            }
            of_rows = lstm.backward(parameters, packing, of_lstm, of_rows, gradients);
            if let Some(mask) = &mask {
                mask.apply_packed(packing, &mut of_rows);
            }
        }
        add(of_rows.values_mut(), of_embedded.values());
        let mut column = 0;
        for (source, embedding) in &self.embeddings {
            embedding.backward(source.bags(&input), &of_rows, column, gradients);
            column += embedding.columns();
        }
    }
}

/// The row of each word's head, if that is not the root.
fn head_rows<T: Real>(forward: &Forward<T>, heads: &[Vec<u32>]) -> Vec<Option<usize>> {
    let packing = &forward.input.packing;
    let starts = (0..packing.sentences()).map(|rank| packing.rows(rank).start);
    starts
        .zip(heads)
        .flat_map(|(start, heads)| {
            heads.iter().map(move |&head| (head as usize).checked_sub(1).map(|word| start + word))
        })
        .collect()
}
