use tanglewood::conllu::{Block, Sentence};
use tanglewood_nn::training::{Data, Settings, Trainer};
use tanglewood_nn::{About, Dropout, Encoded, Model, Options, Step, WordTags};

use crate::sample;

fn options() -> Options {
    Options { tagging: 8, lemmas: true, xpos: true, ..sample::options() }
}

/// A model that knows the sample by heart, without and with tags.
fn model() -> Model {
    let block = sample::block();
    let sentences: Vec<Sentence<'_>> = block.sentences().collect();
    let mut settings =
        Settings { epochs: 120, batch_words: 6, patience: 200, average: 0.9, ..Settings::default() };
    settings.schedule.rate = 0.02;
    settings.dropout = Dropout { all_tags: 0.5, ..Dropout::NONE };
    let mut trainer =
        Trainer::new(Data::new(&sentences, &sentences), options(), settings).expect("a treebank");
    loop {
        while trainer.step(trainer.progress()).is_some() {}
        if trainer.end_epoch().last {
            break;
        }
    }
    let (model, accuracy) = trainer.best();
    let accuracy = accuracy.expect("development data");
    // Two words of the sample have no UPOS, and no word has XPOS.
    assert_eq!((accuracy.words, accuracy.labelled), (15, 15));
    assert_eq!((accuracy.columns[0], accuracy.columns[1], accuracy.columns[3]), (Some(13), None, Some(15)));
    model
}

fn tags(model: &Model, encoded: &Encoded) -> Vec<WordTags> {
    model.scores(&[encoded]).tags(0, encoded)
}

#[test]
fn tags_and_lemmas_are_learned_and_survive_a_file() {
    let model = model();
    assert_eq!(model.steps(), [Step::Tag, Step::Lemma, Step::Parse]);
    let block = sample::block();
    let first = block.sentences().next().expect("a sentence");
    let encoded = model.encode(&first);
    let found = tags(&model, &encoded);
    let is = &found[2];
    assert_eq!((is.upos.as_deref(), is.xpos.as_deref()), (Some("AUX"), None));
    assert_eq!((is.feats.as_deref(), is.lemma.as_deref()), (Some("Mood=Ind|Tense=Pres"), Some("be")));
    assert_eq!(found[5].feats.as_deref(), Some("_"));

    let mut file = Vec::new();
    model.write(&About::default(), &mut file).expect("written");
    let (read, _) = Model::read(&file[..]).expect("read");
    assert_eq!(read.encode(&first), encoded);
    assert_eq!(tags(&read, &encoded), found);
}

#[test]
fn tags_of_the_input_matter_only_if_they_are_kept() {
    let model = model();
    let row = |id: u32, upos: &str, feats: &str| format!("{id}\tissue\t_\t{upos}\t_\t{feats}\t_\t_\t_\t_\n");
    let tagged = Block::of((row(1, "VERB", "_") + &row(2, "DET", "Mood=Ind") + "\n").into_bytes());
    let plain = Block::of((row(1, "_", "_") + &row(2, "_", "_") + "\n").into_bytes());
    let sentence = |block: &'static Block| block.sentences().next().expect("a sentence");
    let (tagged, plain) = (sentence(Box::leak(Box::new(tagged))), sentence(Box::leak(Box::new(plain))));
    assert_eq!(model.encode(&tagged), model.encode(&plain));
    assert_eq!(model.encode_keeping_tags(&plain), model.encode(&plain));

    let kept = tags(&model, &model.encode_keeping_tags(&tagged));
    let of =
        |word: &WordTags| (word.upos.clone().unwrap_or_default(), word.feats.clone().unwrap_or_default());
    assert_eq!(of(&kept[0]), ("VERB".to_owned(), "_".to_owned()));
    assert_eq!(of(&kept[1]), ("DET".to_owned(), "Mood=Ind".to_owned()));
}

#[test]
fn words_alone_are_tagged_alike_in_any_company() {
    let model = model();
    let block = sample::block();
    let encoded: Vec<Encoded> = block.sentences().map(|sentence| model.encode(&sentence)).collect();
    let together: Vec<&Encoded> = encoded.iter().collect();
    let scores = model.scores(&together);
    for (at, encoded) in encoded.iter().enumerate() {
        assert_eq!(scores.tags(at, encoded), tags(&model, encoded));
    }
}

#[test]
fn a_treebank_without_tags_and_lemmas_teaches_trees_alone() {
    let row = |id: u32, head: u32| format!("{id}\tw{id}\t_\t_\t_\t_\t{head}\tdep\t_\t_\n");
    let block = Block::of((row(1, 2) + &row(2, 0) + "\n").into_bytes());
    let sentences: Vec<Sentence<'_>> = block.sentences().collect();
    let settings = Settings { epochs: 1, ..Settings::default() };
    let mut trainer =
        Trainer::new(Data::new(&sentences, &sentences), options(), settings).expect("a treebank");
    while trainer.step(0.5).is_some() {}
    let epoch = trainer.end_epoch();
    assert_eq!(epoch.accuracy.columns, [None; 4]);
    let (model, _) = trainer.best();
    assert_eq!(model.steps(), [Step::Parse]);
    let encoded = model.encode(&sentences[0]);
    assert_eq!(tags(&model, &encoded), [WordTags::default(), WordTags::default()]);
}
