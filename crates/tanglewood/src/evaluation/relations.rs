//! What the shared task takes for content, for function, and for universal.

/// What a word does in its sentence, by its relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Content,
    Function,
    /// Punctuation, and whatever is no universal relation.
    Other,
}

/// A relation without its subtype: `acl` for `acl:relcl`.
pub(super) fn universal(relation: &str) -> &str {
    relation.split_once(':').map_or(relation, |(universal, _)| universal)
}

/// The role of a relation without subtype.
pub(super) fn role(relation: &str) -> Role {
    match relation {
        "aux" | "case" | "cc" | "clf" | "cop" | "det" | "mark" => Role::Function,
        "acl" | "advcl" | "advmod" | "amod" | "appos" | "ccomp" | "compound" | "conj" | "csubj" | "dep"
        | "discourse" | "dislocated" | "expl" | "fixed" | "flat" | "goeswith" | "iobj" | "list" | "nmod"
        | "nsubj" | "nummod" | "obj" | "obl" | "orphan" | "parataxis" | "reparandum" | "root"
        | "vocative" | "xcomp" => Role::Content,
        _ => Role::Other,
    }
}

/// The universal ones among features, in one order.
pub(super) fn universal_features(features: &str) -> Vec<&str> {
    let name = |feature: &str| feature.split_once('=').map_or(feature.len(), |(name, _)| name.len());
    let mut universal: Vec<&str> =
        features.split('|').filter(|feature| is_universal_feature(&feature[..name(feature)])).collect();
    universal.sort_unstable();
    universal
}

fn is_universal_feature(name: &str) -> bool {
    matches!(
        name,
        "Abbr"
            | "Animacy"
            | "Aspect"
            | "Case"
            | "Definite"
            | "Degree"
            | "Evident"
            | "Foreign"
            | "Gender"
            | "Mood"
            | "NumType"
            | "Number"
            | "Person"
            | "Polarity"
            | "Polite"
            | "Poss"
            | "PronType"
            | "Reflex"
            | "Tense"
            | "VerbForm"
            | "Voice"
    )
}

/// True for the spaces that may or may not be inside tokens: Unicode's category Zs.
pub(super) fn is_space(character: char) -> bool {
    matches!(
        character,
        ' ' | '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}'
    )
}
