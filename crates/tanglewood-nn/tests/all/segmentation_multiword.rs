//! Words of multiword tokens.

use tanglewood_nn::segmentation::internals::{Multiwords, TokenPart, parts_of};

fn words(words: &str) -> Vec<String> {
    words.split(' ').map(str::to_owned).collect()
}

fn parts(form: &str, of: &str) -> Vec<(usize, String)> {
    let part = |part: TokenPart| (part.length, part.words.join(" "));
    parts_of(form, &words(of)).into_iter().map(part).collect()
}

fn learned(tokens: &[(&str, &str)]) -> Multiwords {
    let tokens: Vec<(String, Vec<String>)> = tokens
        .iter()
        .map(|(form, of)| (form.to_string(), if of.is_empty() { Vec::new() } else { words(of) }))
        .collect();
    Multiwords::learn(tokens.iter().map(|(form, words)| (form.as_str(), &words[..])))
}

fn split(multiwords: &Multiwords, form: &str, likely: bool, ends: &[usize]) -> String {
    let form: Vec<char> = form.chars().collect();
    multiwords.split(&form, likely, ends).join(" ")
}

#[test]
fn parts_look_like_their_words() {
    assert_eq!(parts("don't", "do n't"), [(2, String::new()), (3, String::new())]);
    assert_eq!(parts("Don't", "Do n't"), [(2, String::new()), (3, String::new())]);
    assert_eq!(parts("da", "de a"), [(1, "de".to_owned()), (1, String::new())]);
    assert_eq!(parts("pelo", "por o"), [(3, "por".to_owned()), (1, String::new())]);
    assert_eq!(parts("à", "a a"), [(1, "a a".to_owned())]);
    // The article that is not written joins the preposition before it.
    assert_eq!(parts("בבית", "ב ה בית"), [(1, "ב ה".to_owned()), (3, String::new())]);
    assert_eq!(parts("im", "in dem").iter().map(|part| part.0).sum::<usize>(), 2);
}

#[test]
fn known_tokens_are_looked_up_and_keep_their_case() {
    let multiwords = learned(&[("don't", "do n't"), ("don't", "do n't"), ("da", "de a"), ("da", "de a")]);
    assert_eq!(split(&multiwords, "don't", false, &[]), "do n't");
    assert_eq!(split(&multiwords, "Don't", false, &[]), "Do n't");
    assert_eq!(split(&multiwords, "DON'T", false, &[]), "DO N'T");
    assert_eq!(split(&multiwords, "Da", false, &[]), "De a");
    assert_eq!(split(&multiwords, "DA", false, &[]), "DE A");
    assert_eq!(split(&multiwords, "dog", false, &[]), "");
}

#[test]
fn where_a_form_is_ambiguous_the_context_decides() {
    let multiwords = learned(&[("nos", "em os"), ("nos", "em os"), ("nos", "")]);
    assert_eq!(split(&multiwords, "nos", true, &[]), "em os");
    assert_eq!(split(&multiwords, "nos", false, &[]), "");
}

#[test]
fn unknown_tokens_are_split_where_the_network_says_and_edited_by_rules() {
    let multiwords = learned(&[
        ("Ann's", "Ann 's"),
        ("Bob's", "Bob 's"),
        ("fazê-lo", "fazer lo"),
        ("dizê-lo", "dizer lo"),
        ("amá-la", "amar la"),
    ]);
    assert_eq!(split(&multiwords, "Cid's", true, &[3]), "Cid 's");
    assert_eq!(split(&multiwords, "Cid's", false, &[3]), "");
    assert_eq!(split(&multiwords, "trazê-lo", true, &[6]), "trazer lo");
    assert_eq!(split(&multiwords, "Levá-la", true, &[5]), "Levar la");
    // Nothing to split at: not a multiword token after all.
    assert_eq!(split(&multiwords, "Cid", true, &[]), "");
}

#[test]
fn any_form_can_be_split() {
    let multiwords = learned(&[("à", "a a"), ("İi", "i i"), ("", "x y"), ("ab", "abcdef ")]);
    for form in ["", "à", "İ", "İi", "ab", "😀", "a b"] {
        for ends in [&[][..], &[0], &[1], &[1, 2, 3], &[9]] {
            split(&multiwords, form, true, ends);
            split(&multiwords, form, false, ends);
        }
    }
}
