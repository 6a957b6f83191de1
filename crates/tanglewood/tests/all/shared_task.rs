//! The measures of the CoNLL 2018 shared task, written down as directly as possible and for whole files only:
//! a twin for tests.
//!
//! The definition is Zeman et al. 2018, section 5, with the details of the organisers' script.

use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub struct Word {
    /// Where its token is in the text of the whole file, in characters.
    pub span: (usize, usize),
    pub multiword: bool,
    pub form: String,
    pub lemma: String,
    pub upos: String,
    pub xpos: String,
    pub features: Vec<String>,
    pub relation: String,
    /// Place in the file's list of words.
    pub parent: Option<usize>,
}

#[derive(Clone, Debug, Default)]
pub struct File {
    pub characters: Vec<char>,
    pub tokens: Vec<(usize, usize)>,
    pub sentences: Vec<(usize, usize)>,
    pub words: Vec<Word>,
}

const CONTENT: &str = " nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos nummod acl amod conj fixed \
                       flat compound list parataxis orphan goeswith reparandum root dep ";
const FUNCTION: &str = " aux cop mark det clf case cc ";
const FEATURES: &str = " PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood Tense Aspect Voice \
                        Evident Polarity Person Polite ";

fn is_listed(name: &str, list: &str) -> bool {
    list.contains(&format!(" {name} "))
}

impl Word {
    pub fn is_content(&self) -> bool {
        is_listed(&self.relation, CONTENT)
    }

    fn is_function(&self) -> bool {
        is_listed(&self.relation, FUNCTION)
    }
}

fn without_spaces(form: &str) -> String {
    form.replace([' ', '\u{A0}', '\u{3000}'], "")
}

impl File {
    pub fn read(text: &str) -> File {
        let mut file = File::default();
        for block in text.split("\n\n").filter(|block| !block.trim().is_empty()) {
            let (start, first) = (file.characters.len(), file.words.len());
            let mut range = 0;
            for line in block.lines().filter(|line| !line.starts_with('#')) {
                let columns: Vec<&str> = line.split('\t').collect();
                if columns[0].contains('.') {
                    continue;
                }
                let id: usize = columns[0].split('-').next().unwrap().parse().unwrap();
                let is_range = columns[0].contains('-');
                if is_range || id > range {
                    let token: Vec<char> = without_spaces(columns[1]).chars().collect();
                    file.tokens.push((file.characters.len(), file.characters.len() + token.len()));
                    file.characters.extend(token);
                }
                if is_range {
                    range = columns[0].split('-').next_back().unwrap().parse().unwrap();
                    continue;
                }
                let multiword = id <= range;
                let head: usize = columns[6].parse().unwrap();
                let mut features: Vec<String> = columns[5].split('|').map(str::to_owned).collect();
                features.retain(|feature| is_listed(feature.split('=').next().unwrap(), FEATURES));
                features.sort();
                file.words.push(Word {
                    span: *file.tokens.last().unwrap(),
                    multiword,
                    form: if multiword { columns[1].to_owned() } else { without_spaces(columns[1]) },
                    lemma: columns[2].to_owned(),
                    upos: columns[3].to_owned(),
                    xpos: columns[4].to_owned(),
                    features,
                    relation: columns[7].split(':').next().unwrap().to_owned(),
                    parent: head.checked_sub(1).map(|head| first + head),
                });
            }
            file.sentences.push((start, file.characters.len()));
        }
        file
    }

    fn function_words(&self, word: usize) -> Vec<usize> {
        let words = 0..self.words.len();
        words.filter(|&w| self.words[w].parent == Some(word) && self.words[w].is_function()).collect()
    }
}

/// (gold, system, correct, aligned) of each measure by name.
pub type Scores = BTreeMap<&'static str, [u64; 4]>;

/// System word to gold word.
pub fn align(gold: &File, system: &File) -> BTreeMap<usize, usize> {
    let mut aligned = BTreeMap::new();
    let (g, s) = (&gold.words, &system.words);
    let (mut i, mut j) = (0, 0);
    while i < g.len() && j < s.len() {
        if !g[i].multiword && !s[j].multiword {
            if g[i].span == s[j].span {
                aligned.insert(j, i);
                i += 1;
                j += 1;
            } else if g[i].span.0 <= s[j].span.0 {
                i += 1;
            } else {
                j += 1;
            }
            continue;
        }
        let mut end;
        if g[i].multiword {
            end = g[i].span.1;
            if !s[j].multiword && s[j].span.0 < g[i].span.0 {
                j += 1;
            }
        } else {
            end = s[j].span.1;
            if g[i].span.0 < s[j].span.0 {
                i += 1;
            }
        }
        let (from_i, from_j) = (i, j);
        let beyond = |words: &[Word], at: usize, end: usize| match words.get(at) {
            None => true,
            Some(word) if word.multiword => word.span.0 >= end,
            Some(word) => word.span.1 > end,
        };
        while !beyond(g, i, end) || !beyond(s, j, end) {
            let word;
            if i < g.len() && (j == s.len() || g[i].span.0 <= s[j].span.0) {
                word = &g[i];
                i += 1;
            } else {
                word = &s[j];
                j += 1;
            }
            if word.multiword && word.span.1 > end {
                end = word.span.1;
            }
        }
        let a: Vec<String> = g[from_i..i].iter().map(|word| word.form.to_lowercase()).collect();
        let b: Vec<String> = s[from_j..j].iter().map(|word| word.form.to_lowercase()).collect();
        let (mut x, mut y) = (0, 0);
        while x < a.len() && y < b.len() {
            if a[x] == b[y] {
                aligned.insert(from_j + y, from_i + x);
                x += 1;
                y += 1;
            } else if common(&a[x..], &b[y..]) == common(&a[x + 1..], &b[y..]) {
                x += 1;
            } else {
                y += 1;
            }
        }
    }
    aligned
}

/// The length of a longest common subsequence.
fn common(a: &[String], b: &[String]) -> usize {
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, of_a) in a.iter().enumerate() {
        for (j, of_b) in b.iter().enumerate() {
            table[i + 1][j + 1] =
                if of_a == of_b { table[i][j] + 1 } else { table[i][j + 1].max(table[i + 1][j]) };
        }
    }
    table[a.len()][b.len()]
}

/// All measures; none if the characters differ.
pub fn scores(gold: &File, system: &File) -> Option<Scores> {
    if gold.characters != system.characters {
        return None;
    }
    let gold_of = align(gold, system);
    let mut scores = Scores::new();
    let both = |gold: &[(usize, usize)], system: &[(usize, usize)]| {
        let both = gold.iter().filter(|span| system.binary_search(span).is_ok()).count() as u64;
        [gold.len() as u64, system.len() as u64, both, both]
    };
    scores.insert("Tokens", both(&gold.tokens, &system.tokens));
    scores.insert("Sentences", both(&gold.sentences, &system.sentences));
    type Right<'a> = &'a dyn Fn(usize, usize) -> bool;
    let mut add = |name, only_content: bool, right: Right<'_>| {
        let counts = |word: &&Word| !only_content || word.is_content();
        let aligned: Vec<(usize, usize)> = gold_of
            .iter()
            .map(|(&s, &g)| (g, s))
            .filter(|&(g, _)| !only_content || gold.words[g].is_content())
            .collect();
        let correct = aligned.iter().filter(|&&(g, s)| right(g, s)).count() as u64;
        let totals = [&gold.words, &system.words].map(|words| words.iter().filter(counts).count() as u64);
        scores.insert(name, [totals[0], totals[1], correct, aligned.len() as u64]);
    };
    let (gw, sw) = (&gold.words, &system.words);
    let upos = |g: usize, s: usize| gw[g].upos == sw[s].upos;
    let xpos = |g: usize, s: usize| gw[g].xpos == sw[s].xpos;
    let features = |g: usize, s: usize| gw[g].features == sw[s].features;
    let lemma = |g: usize, s: usize| gw[g].lemma == "_" || gw[g].lemma == sw[s].lemma;
    let relation = |g: usize, s: usize| gw[g].relation == sw[s].relation;
    let head = |g: usize, s: usize| match sw[s].parent {
        None => gw[g].parent.is_none(),
        Some(parent) => gold_of.contains_key(&parent) && gw[g].parent == gold_of.get(&parent).copied(),
    };
    let arc = |g: usize, s: usize| head(g, s) && relation(g, s);
    let function_words = |g: usize, s: usize| {
        let (of_gold, of_system) = (gold.function_words(g), system.function_words(s));
        of_gold.len() == of_system.len()
            && of_gold
                .iter()
                .zip(&of_system)
                .all(|(&g, &s)| gold_of.get(&s) == Some(&g) && relation(g, s) && upos(g, s) && features(g, s))
    };
    add("Words", false, &|_, _| true);
    add("UPOS", false, &upos);
    add("XPOS", false, &xpos);
    add("UFeats", false, &features);
    add("AllTags", false, &|g, s| upos(g, s) && xpos(g, s) && features(g, s));
    add("Lemmas", false, &lemma);
    add("UAS", false, &head);
    add("LAS", false, &arc);
    add("CLAS", true, &arc);
    add("MLAS", true, &|g, s| arc(g, s) && upos(g, s) && features(g, s) && function_words(g, s));
    add("BLEX", true, &|g, s| arc(g, s) && lemma(g, s));
    add("relations", false, &relation);
    Some(scores)
}
