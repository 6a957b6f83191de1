//! Text in, sentences out.

use std::io::Read;
use std::sync::OnceLock;

use tanglewood::conllu::{Block, Sentences};
use tanglewood::inference::Random;
use tanglewood::sample::TREEBANK;
use tanglewood::text::{Following, TextRebuilder, TextSentence, TextWriter};
use tanglewood_nn::segmentation::internals::{
    CharacterBuffer, HashFilter, WordsAround, word_hash, words_around,
};
use tanglewood_nn::segmentation::{
    SegmentationScore, Segmenter, SegmenterError, SegmenterOptions, SegmenterSettings, Thresholds,
};

fn small() -> SegmenterSettings {
    let options = SegmenterOptions {
        character_buckets: 1 << 12,
        character_embedding: 8,
        character_hidden: 16,
        token_buckets: 1 << 10,
        token_embedding: 8,
        token_hidden: 16,
    };
    SegmenterSettings { options, epochs: 3, rate: 1e-2, ..SegmenterSettings::default() }
}

fn train(conllu: &str, settings: &SegmenterSettings) -> Segmenter {
    let block = Block::of(conllu.as_bytes().to_vec());
    let sentences: Vec<_> = block.sentences().collect();
    Segmenter::train(&sentences, &sentences, settings, |_| true).unwrap()
}

/// Trained on the sample treebank.
fn segmenter() -> &'static Segmenter {
    static SEGMENTER: OnceLock<Segmenter> = OnceLock::new();
    SEGMENTER.get_or_init(|| train(TREEBANK, &small()))
}

fn segment(segmenter: &Segmenter, text: &[u8]) -> Vec<TextSentence> {
    segmenter.segment(text).collect::<Result<_, _>>().unwrap()
}

/// Segments some bytes, which have to come back.
fn segment_whole(text: &[u8]) -> Vec<TextSentence> {
    let sentences = segment(segmenter(), text);
    let bytes: Vec<u8> = sentences.iter().flat_map(|sentence| sentence.bytes().to_vec()).collect();
    assert!(bytes == text, "the text comes back");
    let mut writer = TextWriter::new(Vec::new());
    sentences.iter().for_each(|sentence| writer.push(sentence.clone()).unwrap());
    let conllu = writer.finish().unwrap();
    let mut rebuilder = TextRebuilder::new(Vec::new());
    Sentences::of(&conllu).for_each(|sentence| rebuilder.push(&sentence).unwrap());
    assert!(rebuilder.finish().unwrap() == text, "also by way of CoNLL-U");
    sentences
}

fn forms(sentence: &TextSentence) -> Vec<String> {
    let form = |span: std::ops::Range<usize>| String::from_utf8_lossy(&sentence.bytes()[span]).into_owned();
    sentence.tokens().iter().map(|token| form(token.span.clone())).collect()
}

fn random_text(random: &mut Random, length: usize) -> Vec<u8> {
    let pieces: [&[u8]; 20] = [
        b"a",
        b"The",
        b"dog",
        b"it's",
        b" ",
        b" ",
        b"  ",
        b"\n",
        b"\n\n",
        b"\r\n",
        b".",
        b"!",
        b"\t",
        b"\0",
        b"\xEF\xBB\xBF",
        "字".as_bytes(),
        "é".as_bytes(),
        b"\xC3",
        b"\xFF",
        b"\xF0\x9F",
    ];
    (0..length).flat_map(|_| pieces[(random.uniform() * 20.0) as usize]).copied().collect()
}

#[test]
fn the_sample_is_learned() {
    let settings = SegmenterSettings { epochs: 8, ..small() };
    let segmenter = train(TREEBANK, &settings);
    let sentences = segment(&segmenter, b"She saw the dog that barked. They left.\n");
    assert_eq!(sentences.len(), 2);
    assert_eq!(forms(&sentences[1]), ["They", "left", "."]);
}

#[test]
fn any_bytes_come_back() {
    let mut random = Random::new(1);
    for length in 0..200 {
        segment_whole(&random_text(&mut random, length));
    }
}

#[test]
fn tokens_have_no_blanks_at_their_ends() {
    let text = random_text(&mut Random::new(2), 5000);
    for sentence in segment_whole(&text) {
        for form in forms(&sentence) {
            assert_eq!(form.trim(), form);
            assert!(!form.is_empty());
        }
    }
}

/// A reader that gives one byte at a time, and is interrupted now and then.
struct Slow<'a>(&'a [u8], bool);

impl Read for Slow<'_> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        let length = to.len().min(self.0.len()).min(1);
        to[..length].copy_from_slice(&self.0[..length]);
        self.0 = &self.0[length..];
        Ok(length)
    }
}

#[test]
fn where_a_text_is_cut_makes_no_difference() {
    let segmenter = segmenter();
    let mut text = random_text(&mut Random::new(3), 3000);
    text.extend_from_slice("Tangled words are here. They are short! ".repeat(100).as_bytes());
    let whole = segment(segmenter, &text);
    for (characters, tokens) in [(1, 1), (2, 3), (7, 50), (100, 10), (1 << 20, 1 << 20)] {
        let pieces: Vec<_> =
            segmenter.segment_in_pieces(&text[..], characters, tokens).collect::<Result<_, _>>().unwrap();
        assert!(pieces == whole, "{characters} characters and {tokens} tokens at a time");
    }
    let slowly: Vec<_> = segmenter.segment(Slow(&text, false)).collect::<Result<_, _>>().unwrap();
    assert!(slowly == whole);
}

/// Gives no more than it has, and then fails the test.
struct Waiting<'a>(&'a [u8]);

impl Read for Waiting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        assert!(!self.0.is_empty(), "it reads on although all that matters is there");
        self.0.read(buffer)
    }
}

#[test]
fn a_sentence_is_certain_as_soon_as_all_that_matters_is_there() {
    let segmenter = segmenter();
    let (tokens, characters) = segmenter.lookahead();
    let text = "First.\n\n".to_owned() + &"w ".repeat(tokens) + &"z".repeat(characters);
    let mut sentences = segmenter.segment(Waiting(text.as_bytes()));
    let first = sentences.next().unwrap().unwrap();
    assert_eq!(first.bytes(), b"First.\n\n");
    assert_eq!(sentences.following(), Following::Sentence);
}

#[test]
fn what_follows_a_sentence_is_known() {
    let gap = " ".repeat(1 << 15);
    for text in ["One.\n\nTwo.\n\nThree.\n", &format!("One.{gap}Two.{gap}\n\nThree."), &gap, ""] {
        let mut slowly = segmenter().segment(Slow(text.as_bytes(), false));
        let mut writer = TextWriter::new(Vec::new());
        while let Some(sentence) = slowly.next() {
            writer.push_before(&sentence.unwrap(), slowly.following()).unwrap();
        }
        let at_once = writer.finish().unwrap();
        let mut writer = TextWriter::new(Vec::new());
        segment(segmenter(), text.as_bytes()).into_iter().for_each(|next| writer.push(next).unwrap());
        assert_eq!(at_once, writer.finish().unwrap());
    }
}

#[test]
fn a_text_may_end_without_the_end_of_a_line() {
    let mut random = Random::new(5);
    let texts = (0..200).map(|length| random_text(&mut random, length % 40));
    for text in texts.chain([TREEBANK.as_bytes().trim_ascii_end().to_vec(), b"A new novel.".to_vec()]) {
        // Spaces alone are a sentence without tokens.
        let of = |text: &[u8]| {
            let sentences = segment_whole(text);
            sentences.iter().map(forms).filter(|forms| !forms.is_empty()).collect::<Vec<_>>()
        };
        let text = text.trim_ascii_end();
        assert_eq!(of(text), of(&[text, b"\n"].concat()), "{:?}", String::from_utf8_lossy(text));
    }
}

#[test]
fn a_source_that_fails_ends_the_text() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("gone"))
        }
    }
    let mut sentences = segmenter().segment((&b"Some words"[..]).chain(Failing));
    assert!(sentences.next().unwrap().is_err());
    assert!(sentences.next().is_none());
}

#[test]
fn nothing_and_spaces_have_no_tokens() {
    assert!(segment_whole(b"").is_empty());
    for text in [" ", "\n", "\u{FEFF}", "\0\0", "\u{A0}\u{3000}\r\n\r\n"] {
        let sentences = segment_whole(text.as_bytes());
        assert_eq!(sentences.len(), 1);
        assert!(sentences[0].tokens().is_empty());
    }
}

#[test]
fn memory_is_bounded() {
    let longest = |text: &[u8]| segment_whole(text).iter().map(|sentence| sentence.bytes().len()).max();
    let line = [b'a'; 1 << 20];
    assert!(longest(&line) < Some(1 << 18), "a line without a space");
    assert!(longest(&[b' '; 1 << 20]) < Some(1 << 18), "only spaces");
    assert!(longest(b"a\n\n".repeat(5).as_slice()) < Some(10), "a blank line ends a sentence");
    let words = "word ".repeat(100_000);
    let sentences = segment_whole(words.as_bytes());
    assert!(sentences.iter().all(|sentence| sentence.tokens().len() <= 1000), "no punctuation");
    let mut gap = vec![b' '; 100_000];
    gap.extend_from_slice(b"word");
    assert!(longest(&gap) < Some(1 << 18), "a long gap at the start");
}

#[test]
fn a_script_that_was_never_seen_is_cut_at_spaces() {
    let sentences = segment_whole("ᚠᚢᚦ ᚨᚱᚲ\n\nᚷᚹ".as_bytes());
    assert_eq!(sentences.len(), 2);
    assert_eq!(forms(&sentences[1]).concat(), "ᚷᚹ");
    assert_eq!(forms(&sentences[0]).concat(), "ᚠᚢᚦᚨᚱᚲ");
}

#[test]
fn files_come_back_and_damage_is_noticed() {
    let segmenter = segmenter();
    let mut file = Vec::new();
    segmenter.write(&mut file).unwrap();
    let again = Segmenter::read(&file[..]).unwrap();
    let text = random_text(&mut Random::new(4), 1000);
    assert!(segment(&again, &text) == segment(segmenter, &text));
    assert!(Segmenter::read(&file[..file.len() - 1]).is_err());
    let middle = file.len() / 2;
    file[middle] ^= 1;
    assert!(Segmenter::read(&file[..]).is_err());
}

#[test]
fn the_same_seed_gives_the_same_segmenter() {
    let settings = SegmenterSettings { epochs: 1, ..small() };
    let bytes = |segmenter: &Segmenter| {
        let mut file = Vec::new();
        segmenter.write(&mut file).unwrap();
        file
    };
    assert!(bytes(&train(TREEBANK, &settings)) == bytes(&train(TREEBANK, &settings)));
}

/// Sentences with a form that is two words in one of three of them, for no reason that can be seen.
fn ambiguous() -> String {
    let row = |id: &str, form: &str| format!("{id}\t{form}\t_\t_\t_\t_\t_\t_\t_\t_\n");
    let single = row("1", "its") + &row("2", "size") + "\n";
    let multiword = row("1-2", "its") + &row("1", "it") + &row("2", "s") + &row("3", "size") + "\n";
    [single.clone(), single, multiword].concat().repeat(20)
}

#[test]
fn a_threshold_decides_how_likely_a_multiword_token_has_to_be() {
    let multiwords = |multiword: f32| {
        let thresholds = Some(Thresholds { multiword, ..Thresholds::default() });
        let segmenter = train(&ambiguous(), &SegmenterSettings { thresholds, ..small() });
        let sentences = segment(&segmenter, &b"its size its size its size\n"[..]);
        sentences.iter().flat_map(TextSentence::tokens).filter(|token| token.words == ["it", "s"]).count()
    };
    assert_eq!([-100.0, 100.0].map(multiwords), [3, 0]);
}

#[test]
fn thresholds_are_the_best_on_the_development_data_or_those_that_are_given() {
    for conllu in [TREEBANK, &ambiguous()] {
        let block = Block::of(conllu.as_bytes().to_vec());
        let sentences: Vec<_> = block.sentences().collect();
        let scores = |thresholds: Option<Thresholds>| {
            let mut scores: Vec<SegmentationScore> = Vec::new();
            let settings = SegmenterSettings { thresholds, ..small() };
            let segmenter = Segmenter::train(&sentences, &sentences, &settings, |epoch| {
                scores.push(epoch.score);
                true
            });
            let mut file = Vec::new();
            segmenter.unwrap().write(&mut file).unwrap();
            (scores, Segmenter::read(&file[..]).unwrap().thresholds())
        };
        let (chosen, _) = scores(None);
        for given in [Thresholds::default(), Thresholds { sentence: -1.5, multiword: 2.0 }] {
            let (scores, kept) = scores(Some(given));
            assert_eq!(kept, given);
            for (chosen, other) in chosen.iter().zip(scores) {
                assert!(chosen.words >= other.words && chosen.sentences >= other.sentences);
            }
        }
    }
}

#[test]
fn nothing_to_learn_from_is_an_error() {
    let settings = small();
    let result = Segmenter::train(&[], &[], &settings, |_| true);
    assert_eq!(result.err(), Some(SegmenterError::NoTokens));
    let options = SegmenterOptions { token_hidden: 0, ..settings.options.clone() };
    let result = Segmenter::train(&[], &[], &SegmenterSettings { options, ..settings }, |_| true);
    assert!(matches!(result, Err(SegmenterError::Options(_))));
}

#[test]
fn characters_are_decoded_like_the_whole() {
    let mut random = Random::new(5);
    for _ in 0..200 {
        let text = random_text(&mut random, 20);
        let mut whole = CharacterBuffer::default();
        whole.fill(&mut &text[..], usize::MAX).unwrap();
        let mut slow = CharacterBuffer::default();
        slow.fill(&mut Slow(&text, false), usize::MAX).unwrap();
        assert_eq!(slow.characters(), whole.characters());
        assert_eq!(slow.lengths(), whole.lengths());
        let length: usize = whole.lengths().iter().map(|&length| usize::from(length)).sum();
        assert_eq!(length, text.len());
    }
}

#[test]
fn known_words_are_found_wherever_they_fit() {
    let known = ["the", "he", "cat", "at", "éa"];
    let counts = known.iter().map(|word| (word_hash(word.chars()), 2)).chain([(word_hash("ca".chars()), 1)]);
    let filter = HashFilter::of_counts(counts.collect(), 2);
    let text: Vec<char> = "TheCat at Éa".chars().collect();
    let found = words_around(&text, &filter);
    // By definition: every stretch without blanks that is known.
    let mut expected = vec![WordsAround::default(); text.len()];
    for start in 0..text.len() {
        for end in start + 1..=text.len() {
            let word: String = text[start..end].iter().collect::<String>().to_lowercase();
            if known.contains(&&*word) {
                let length = (end - start) as u8;
                let longest = |value: &mut u8| *value = length.max(*value);
                longest(&mut expected[end - 1].ending);
                start.checked_sub(1).into_iter().for_each(|before| longest(&mut expected[before].starting));
                expected[start..end - 1].iter_mut().for_each(|inside| longest(&mut inside.across));
            }
        }
    }
    assert_eq!(found, expected);
}
