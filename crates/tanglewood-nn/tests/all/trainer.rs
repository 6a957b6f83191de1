use tanglewood::conllu::{Block, Sentence};
use tanglewood_nn::Dropout;
use tanglewood_nn::training::{Data, Epoch, Goal, Settings, Trainer, note_of};

use crate::sample;

fn settings(threads: usize) -> Settings {
    Settings { epochs: 6, batch_words: 6, threads, patience: 100, ..Settings::default() }
}

fn epoch(trainer: &mut Trainer) -> Epoch {
    while trainer.step(trainer.progress()).is_some() {}
    trainer.end_epoch()
}

fn trained(sentences: &[Sentence<'_>], settings: Settings) -> Trainer {
    let mut trainer =
        Trainer::new(Data::new(sentences, sentences), sample::options(), settings).expect("a treebank");
    while !epoch(&mut trainer).last {}
    trainer
}

#[test]
fn a_few_sentences_are_learned_by_heart() {
    let block = sample::block();
    let sentences: Vec<Sentence<'_>> = block.sentences().collect();
    for goal in Goal::ALL {
        let mut settings = Settings { goal, epochs: 200, dropout: Dropout::NONE, ..settings(1) };
        settings.schedule.rate = 0.02;
        settings.average = 0.9;
        let (_, accuracy) = trained(&sentences, settings).best();
        let accuracy = accuracy.expect("development data");
        assert_eq!((accuracy.words, accuracy.heads, accuracy.labelled), (15, 15, 15), "{goal:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_bits_for_any_number_of_threads() {
    let block = sample::block();
    let sentences: Vec<Sentence<'_>> = block.sentences().collect();
    let of_one = trained(&sentences, settings(1));
    for threads in [1, 2, 3, 4, 7] {
        let (first, second) =
            (trained(&sentences, settings(threads)), trained(&sentences, settings(threads)));
        assert_eq!(first.model().parameters(), second.model().parameters());
        assert_eq!(first.model().parameters(), of_one.model().parameters(), "{threads} threads");
    }
    let other = Settings { seed: 2, ..settings(1) };
    assert_ne!(
        trained(&sentences, settings(1)).model().parameters(),
        trained(&sentences, other).model().parameters()
    );
}

#[test]
fn silver_sentences_are_learned_from() {
    let (block, silver) = (sample::block(), sample::taught_block());
    let sentences: Vec<Sentence<'_>> = block.sentences().collect();
    let silver: Vec<Sentence<'_>> = silver.sentences().skip(1).collect();
    let heads = |silver| {
        let data = Data { train: &sentences[..1], silver, dev: &sentences };
        let mut settings = Settings { epochs: 200, dropout: Dropout::NONE, average: 0.9, ..settings(1) };
        settings.schedule.rate = 0.02;
        let mut trainer = Trainer::new(data, sample::options(), settings).expect("a treebank");
        while !epoch(&mut trainer).last {}
        trainer.best().1.expect("development data").heads
    };
    assert!(heads(&[]) < 15, "seven words are in the silver sentences alone");
    assert_eq!(heads(&silver), 15, "the more probable heads are learned");
}

#[test]
fn training_goes_on_as_if_it_had_never_stopped() {
    let block = sample::block();
    let sentences: Vec<Sentence<'_>> = block.sentences().collect();
    let whole = trained(&sentences, settings(2));
    for steps in [0, 1, 4] {
        let mut stopped = Trainer::new(Data::new(&sentences, &sentences), sample::options(), settings(2))
            .expect("a treebank");
        epoch(&mut stopped);
        for _ in 0..steps {
            stopped.step(stopped.progress());
        }
        let mut file = Vec::new();
        stopped.save(&mut file).expect("written");
        let mut resumed = Trainer::resume(&file[..], Data::new(&sentences, &sentences)).expect("read");
        while !epoch(&mut resumed).last {}
        assert_eq!(resumed.model().parameters(), whole.model().parameters());
        assert_eq!(resumed.best().0.parameters(), whole.best().0.parameters());
        assert_eq!(resumed.best().1, whole.best().1);
    }
}

#[test]
fn other_data_are_noticed() {
    let block = sample::block();
    let sentences: Vec<Sentence<'_>> = block.sentences().collect();
    let mut file = Vec::new();
    let trainer =
        Trainer::new(Data::new(&sentences, &[]), sample::options(), settings(1)).expect("a treebank");
    trainer.save(&mut file).expect("written");
    let error = Trainer::resume(&file[..], Data::new(&sentences[1..], &[])).expect_err("other data");
    assert!(error.to_string().contains("other training data"), "{error}");
}

#[test]
fn data_to_learn_nothing_from_are_refused() {
    let block = Block::of(b"\n\n".to_vec());
    let sentences: Vec<Sentence<'_>> = block.sentences().collect();
    let error = Trainer::new(Data::new(&sentences, &[]), sample::options(), settings(1)).expect_err("empty");
    assert!(error.to_string().contains("no sentence"), "{error}");

    let block = Block::of(b"1\ta\t_\t_\t_\t_\t1\tdep\t_\t_\n\n".to_vec());
    let sentences: Vec<Sentence<'_>> = block.sentences().collect();
    let error =
        Trainer::new(Data::new(&sentences, &[]), sample::options(), settings(1)).expect_err("a cycle");
    assert!(error.to_string().starts_with("training data: 1:"), "{error}");
}

#[test]
fn labels_of_the_development_data_may_be_unknown() {
    let block = sample::block();
    let sentences: Vec<Sentence<'_>> = block.sentences().collect();
    let mut trainer = Trainer::new(Data::new(&sentences[1..3], &sentences), sample::options(), settings(1))
        .expect("a treebank");
    let epoch = epoch(&mut trainer);
    assert_eq!(epoch.accuracy.words, 15);
    assert!(epoch.accuracy.labelled <= 7);
}

#[test]
fn it_stops_when_nothing_gets_better() {
    let block = sample::block();
    let sentences: Vec<Sentence<'_>> = block.sentences().collect();
    let mut settings = Settings { epochs: 100, patience: 2, ..settings(1) };
    settings.schedule.rate = 0.0;
    let trainer = trained(&sentences, settings);
    assert_eq!(trainer.position().epoch, 3);
}

#[test]
fn a_checkpoint_keeps_a_note() {
    let block = sample::block();
    let sentences: Vec<Sentence<'_>> = block.sentences().collect();
    let trainer =
        Trainer::new(Data::new(&sentences, &[]), sample::options(), settings(1)).expect("a treebank");
    let mut file = Vec::new();
    trainer.save_with_note(&mut file, "after lunch").expect("written");
    assert_eq!(note_of(&file[..]).expect("read"), "after lunch");
    Trainer::resume(&file[..], Data::new(&sentences, &[])).expect("the note is not in the way");
    assert!(note_of(&file[..file.len() - 1]).is_err());
}
