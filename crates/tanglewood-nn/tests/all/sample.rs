//! A few sentences with crossing arcs, ranges, empty nodes and missing tags.

use tanglewood::Direction;
use tanglewood::conllu::{Block, Sentence};
use tanglewood_nn::Options;
use tanglewood_nn::Vocabulary;
use tanglewood_nn::internals::encoding::Example;

/// FORM, UPOS, FEATS, HEAD, DEPREL.
type Word = (&'static str, &'static str, &'static str, usize, &'static str);

const ROWS: &[&[Word]] = &[
    &[
        ("A", "DET", "Definite=Ind|PronType=Art", 2, "det"),
        ("hearing", "NOUN", "Number=Sing", 4, "nsubj:pass"),
        ("is", "AUX", "Mood=Ind|Tense=Pres", 4, "aux:pass"),
        ("scheduled", "VERB", "VerbForm=Part", 0, "root"),
        ("today", "NOUN", "_", 4, "obl"),
        ("on", "ADP", "_", 8, "case"),
        ("the", "DET", "Definite=Def|PronType=Art", 8, "det"),
        ("issue", "NOUN", "Number=Sing", 2, "nmod"),
    ],
    &[("Hi", "INTJ", "_", 0, "root"), ("!", "_", "_", 1, "punct")],
    &[("Yes", "_", "_", 0, "root")],
    &[
        ("The", "DET", "Definite=Def|PronType=Art", 2, "det"),
        ("issue", "NOUN", "Number=Sing", 3, "nsubj"),
        ("is", "AUX", "Mood=Ind|Tense=Pres", 0, "root"),
        ("2.5", "NUM", "NumType=Card", 3, "obj"),
    ],
];

/// The sentences as CoNLL-U.
pub fn block() -> Block {
    with_misc(|_, _, _| "_".to_owned())
}

/// The sentences with distributions over the heads and the UPOS of each word, in which the right head is not
/// the only one.
pub fn taught_block() -> Block {
    const UPOS: &str = "Upos=NOUN:0.6,DET:0.4";
    with_misc(|id, words, head| match (0..=words).find(|&other| other != id && other != head) {
        Some(other) => format!("SpaceAfter=No|Heads={head}:0.7,{other}:0.3|{UPOS}"),
        None => format!("Heads={head}:1|{UPOS}"),
    })
}

/// The sentences read from right to left: their words the other way round, with the same heads.
pub fn mirrored_block() -> Block {
    let mut text = String::new();
    for sentence in ROWS {
        for (at, (form, upos, feats, head, deprel)) in sentence.iter().rev().enumerate() {
            let head = Direction::Rtl.place(sentence.len(), *head);
            text.push_str(&format!("{}\t{form}\t_\t{upos}\t_\t{feats}\t{head}\t{deprel}\t_\t_\n", at + 1));
        }
        text.push('\n');
    }
    Block::of(text.into_bytes())
}

/// The sentences with something in MISC, by the word's number, the number of words, and the head.
fn with_misc(misc: impl Fn(usize, usize, usize) -> String) -> Block {
    let mut text = String::new();
    for sentence in ROWS {
        text.push_str("1-2\tRange\t_\t_\t_\t_\t_\t_\t_\t_\n");
        for (at, (form, upos, feats, head, deprel)) in sentence.iter().enumerate() {
            let id = at + 1;
            let lemma = if *form == "is" { "be".to_owned() } else { form.to_lowercase() };
            let misc = misc(id, sentence.len(), *head);
            let row = format!("{id}\t{form}\t{lemma}\t{upos}\t_\t{feats}\t{head}\t{deprel}\t_\t{misc}\n");
            text.push_str(&row);
        }
        text.push_str(&format!("{}.1\tempty\t_\t_\t_\t_\t_\t_\t_\t_\n\n", sentence.len()));
    }
    // A range of two words does not fit a sentence of one.
    Block::of(text.replace("1-2\tRange\t_\t_\t_\t_\t_\t_\t_\t_\n1\tYes", "1\tYes").into_bytes())
}

/// A small network's options.
pub fn options() -> Options {
    Options {
        min_count: 1,
        word: 6,
        characters: 4,
        buckets: 64,
        tags: 5,
        hidden: 5,
        arc: 6,
        label: 4,
        ..Options::default()
    }
}

/// The sentences with their trees.
pub fn examples(options: &Options) -> (Vocabulary, Vec<Example>) {
    examples_of(&block(), options)
}

/// The sentences of a block with their trees.
pub fn examples_of(block: &Block, options: &Options) -> (Vocabulary, Vec<Example>) {
    let sentences: Vec<Sentence<'_>> = block.sentences().collect();
    let vocabulary = Vocabulary::of(sentences.iter().copied(), [], options);
    let examples = examples_by(&vocabulary, block, options);
    (vocabulary, examples)
}

/// The sentences of a block with their trees, in the words of another one.
pub fn examples_by(vocabulary: &Vocabulary, block: &Block, options: &Options) -> Vec<Example> {
    let example = |sentence: Sentence<'_>| Example::new(&sentence, vocabulary, options).expect("a tree");
    block.sentences().map(example).collect()
}
