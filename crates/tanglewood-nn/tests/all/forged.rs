//! Files that are whole, with the right checksum, and were not written by us.

use serde_json::{Value, json};
use tanglewood::Direction;
use tanglewood::conllu::Sentence;
use tanglewood_nn::training::{Data, Goal, Settings, Trainer};
use tanglewood_nn::{About, Model, Options};

use crate::sample;

/// Bytes before the header.
const PREFIX: usize = 48;

/// A model that was never trained.
fn model() -> Vec<u8> {
    let block = sample::block();
    let sentences: Vec<Sentence<'_>> = block.sentences().collect();
    let data = Data::new(&sentences, &[]);
    let trainer = Trainer::new(data, sample::options(), Settings::default()).expect("a treebank");
    let mut file = Vec::new();
    trainer.model().write(&About::default(), &mut file).expect("written");
    file
}

/// Training that has not begun.
fn checkpoint() -> Vec<u8> {
    let block = sample::block();
    let sentences: Vec<Sentence<'_>> = block.sentences().collect();
    let data = Data::new(&sentences, &[]);
    let trainer = Trainer::new(data, sample::options(), Settings::default()).expect("a treebank");
    let mut file = Vec::new();
    trainer.save(&mut file).expect("written");
    file
}

/// The file with another header and other numbers, and what has to fit to them.
fn forged(file: &[u8], header: impl FnOnce(&mut Value), numbers: impl FnOnce(&mut [u8])) -> Vec<u8> {
    let length = u64::from_le_bytes(file[24..32].try_into().expect("eight bytes")) as usize;
    let (old, rest) = file[PREFIX..].split_at(length);
    let mut value: Value = serde_json::from_slice(old).expect("JSON");
    header(&mut value);
    let new = serde_json::to_vec(&value).expect("JSON");
    let mut rest = rest.to_vec();
    // The numbers begin after the length of their own header, and that header.
    let inner = u64::from_le_bytes(rest[..8].try_into().expect("eight bytes")) as usize;
    numbers(&mut rest[8 + inner..]);
    let mut forged = file[..PREFIX].to_vec();
    forged[24..32].copy_from_slice(&(new.len() as u64).to_le_bytes());
    let [of_header, of_numbers] = [&new, &rest].map(|part| checksum(&[part]).to_le_bytes());
    forged[40..48].copy_from_slice(&checksum(&[&of_header, &of_numbers]).to_le_bytes());
    forged.extend_from_slice(&new);
    forged.extend_from_slice(&rest);
    forged
}

fn checksum(parts: &[&[u8]]) -> u64 {
    let mut sum = 0x9E37_79B9_7F4A_7C15u64;
    for part in parts {
        let words = part.chunks(8).map(|word| {
            let mut bytes = [0; 8];
            bytes[..word.len()].copy_from_slice(word);
            u64::from_le_bytes(bytes)
        });
        // Whole words, then what is left, which may be nothing.
        let empty = part.len().is_multiple_of(8).then_some(0);
        for word in words.chain(empty).chain([part.len() as u64]) {
            sum = (sum ^ word).wrapping_mul(0xD6E8_FEB8_6659_FD93);
            sum ^= sum >> 32;
        }
    }
    sum
}

/// The file as versions 1 and 2 had it: names as lists, one checksum, and all of it compressed at once, if it was.
fn of_before(file: &[u8], version: u8, compressed: bool) -> Vec<u8> {
    let length = u64::from_le_bytes(file[24..32].try_into().expect("eight bytes")) as usize;
    let (header, numbers) = file[PREFIX..].split_at(length);
    let mut header: Value = serde_json::from_slice(header).expect("JSON");
    let list = |names: &mut Value| {
        *names = names.as_str().expect("a text").split_terminator('\u{7f}').collect();
    };
    let vocabulary = &mut header["vocabulary"];
    list(&mut vocabulary["words"]);
    list(&mut vocabulary["labels"]);
    vocabulary["tags"].as_array_mut().expect("three columns").iter_mut().for_each(list);
    let header = serde_json::to_vec(&header).expect("JSON");
    let mut old = file[..PREFIX].to_vec();
    old[16..24].copy_from_slice(&[version, 0, 0, 0, u8::from(compressed), 0, 0, 0]);
    old[24..32].copy_from_slice(&(header.len() as u64).to_le_bytes());
    old[40..48].copy_from_slice(&checksum(&[&header, numbers]).to_le_bytes());
    let rest = [&header, numbers].concat();
    old.extend(if compressed { zstd::encode_all(&rest[..], 1).expect("compressed") } else { rest });
    old
}

/// Gives the first of the names another one.
fn rename(names: &mut Value, name: &str) {
    let (_, others) = names.as_str().and_then(|text| text.split_once('\u{7f}')).expect("a name");
    *names = json!(format!("{name}\u{7f}{others}"));
}

fn refusal(file: &[u8]) -> String {
    Model::read(file).expect_err("forged").to_string()
}

#[test]
fn files_of_all_versions_are_read() {
    let new = model();
    for (version, compressed) in [(1, false), (2, false), (2, true)] {
        let (old, about) = Model::read(&of_before(&new, version, compressed)[..]).expect("a model");
        let mut written = Vec::new();
        old.write(&about, &mut written).expect("written");
        assert!(written == new, "version {version}, compressed: {compressed}");
    }
}

#[test]
fn a_forged_file_that_says_the_same_is_read() {
    Model::read(&forged(&model(), |_| {}, |_| {})[..]).expect("nothing was changed");
}

#[test]
fn versions_and_compressions_that_never_were_are_refused() {
    for (version, compression) in [(0u32, 0u32), (0, 1), (1, 1), (1, 7), (2, 2), (2, u32::MAX), (3, 2)] {
        let mut file = model();
        file[16..20].copy_from_slice(&version.to_le_bytes());
        file[20..24].copy_from_slice(&compression.to_le_bytes());
        let expected = format!("its format version is {version}, and its compression {compression};");
        assert!(refusal(&file).contains(&expected), "{}", refusal(&file));
    }
}

#[test]
fn names_that_do_not_fit_into_a_column_are_refused() {
    for name in ["a\tb", "a\nb", ""] {
        let file = forged(&model(), |header| rename(&mut header["vocabulary"]["labels"], name), |_| {});
        assert!(refusal(&file).contains("is no label"), "{}", refusal(&file));
        let file = forged(&model(), |header| rename(&mut header["vocabulary"]["tags"][0], name), |_| {});
        assert!(refusal(&file).contains("is no tag"), "{}", refusal(&file));
    }
}

#[test]
fn a_direction_that_is_not_known_is_refused() {
    let file = forged(&model(), |header| header["options"]["direction"] = json!("inwards"), |_| {});
    let message = refusal(&file);
    assert!(message.contains("`inwards` is not a direction; expected ltr, rtl or either"), "{message}");
}

/// What the header says and what numbers there are belong together.
#[test]
fn scores_for_one_direction_are_not_taken_for_those_of_the_other() {
    let block = sample::block();
    let sentences: Vec<Sentence<'_>> = block.sentences().collect();
    let settings = Settings { goal: Goal::TransitionLikelihood, ..Settings::default() };
    for (direction, other) in [(Direction::Ltr, "rtl"), (Direction::Rtl, "ltr"), (Direction::Rtl, "either")] {
        let options = Options { direction, ..sample::options() };
        let trainer =
            Trainer::new(Data::new(&sentences, &[]), options, settings.clone()).expect("a treebank");
        let mut file = Vec::new();
        trainer.model().write(&About::default(), &mut file).expect("written");
        Model::read(&file[..]).expect("as it was written");
        refusal(&forged(&file, |header| header["options"]["direction"] = json!(other), |_| {}));
    }
}

#[test]
fn numbers_that_are_none_are_refused() {
    for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let fill = |bytes: &mut [u8]| {
            bytes.chunks_exact_mut(4).for_each(|bytes| bytes.copy_from_slice(&number.to_le_bytes()));
        };
        let message = refusal(&forged(&model(), |_| {}, fill));
        assert!(message.contains(&format!("there is {number} among the numbers of")), "{message}");
    }
}

#[test]
fn a_forged_checkpoint_is_refused() {
    let block = sample::block();
    let sentences: Vec<Sentence<'_>> = block.sentences().collect();
    let whole = checkpoint();
    let resumed = |file: &[u8]| Trainer::resume(file, Data::new(&sentences, &[]));
    // The number of threads is not part of the file; what says otherwise makes no difference.
    let threads = forged(&whole, |header| header["settings"]["threads"] = json!(u64::MAX), |_| {});
    let mut trainer = resumed(&threads).expect("as before");
    while trainer.step(0.5).is_some() {}
    trainer.end_epoch();

    type Change = fn(&mut Value);
    let changes: [Change; 9] = [
        |header| header["position"]["epoch"] = json!(u64::MAX),
        |header| header["position"]["batch"] = json!(u64::MAX),
        |header| header["position"]["words"] = json!(u64::MAX),
        |header| header["position"]["losses"]["words"] = json!(u64::MAX),
        |header| header["steps"] = json!(u64::MAX),
        |header| header["settings"]["clip"] = json!(-1.0),
        |header| header["settings"]["dropout"]["layer"] = json!(2.0),
        // Tables of 256 gigabytes, which are not in the file.
        |header| {
            header["options"]["buckets"] = json!(1 << 24);
            header["options"]["characters"] = json!(1 << 12);
        },
        |header| rename(&mut header["vocabulary"]["labels"], "a\nb"),
    ];
    for change in changes {
        let mut shown = json!(null);
        let file = forged(
            &whole,
            |header| {
                change(header);
                shown = header.clone()
            },
            |_| {},
        );
        let error = resumed(&file).map(|_| shown).expect_err("forged").to_string();
        assert!(error.contains("does not make sense"), "{error}");
    }
}
