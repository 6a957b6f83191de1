use snapbox::str;

use crate::harness::Folder;

#[test]
fn the_tour_shows_a_table_a_derivation_a_parser_and_where_to_go_next() {
    let folder = Folder::new();
    folder
        .run(["tour"])
        .success()
        .stdout_eq(str![[r#"
1. Which crossing trees can which system build?

61 of 84 sentences are non-projective: 72.62 %; 33.24 % of arcs cross
Of the non-projective ones, covered:

language  sentences  non-projective       attardi      all-deg1           all
de               11     8   72.73 %   7   87.50 %   8  100.00 %   8  100.00 %
gsw               1     1  100.00 %   1  100.00 %   1  100.00 %   1  100.00 %
nl                5     4   80.00 %   2   50.00 %   3   75.00 %   4  100.00 %
en               11     8   72.73 %   5   62.50 %   5   62.50 %   5   62.50 %
cs                5     4   80.00 %   4  100.00 %   4  100.00 %   4  100.00 %
pl                4     3   75.00 %   3  100.00 %   3  100.00 %   3  100.00 %
ru                3     2   66.67 %   2  100.00 %   2  100.00 %   2  100.00 %
sl                2     1   50.00 %   1  100.00 %   1  100.00 %   1  100.00 %
hr                2     1   50.00 %   0    0.00 %   1  100.00 %   1  100.00 %
la                7     6   85.71 %   3   50.00 %   3   50.00 %   6  100.00 %
grc               4     3   75.00 %   3  100.00 %   3  100.00 %   3  100.00 %
pt                3     2   66.67 %   2  100.00 %   2  100.00 %   2  100.00 %
es                4     3   75.00 %   3  100.00 %   3  100.00 %   3  100.00 %
it                3     2   66.67 %   2  100.00 %   2  100.00 %   2  100.00 %
fr                5     3   60.00 %   3  100.00 %   3  100.00 %   3  100.00 %
hu                3     2   66.67 %   2  100.00 %   2  100.00 %   2  100.00 %
tr                3     2   66.67 %   2  100.00 %   2  100.00 %   2  100.00 %
fi                3     2   66.67 %   2  100.00 %   2  100.00 %   2  100.00 %
hi                2     1   50.00 %   1  100.00 %   1  100.00 %   1  100.00 %
sv                2     2  100.00 %   2  100.00 %   2  100.00 %   2  100.00 %
ja                1     1  100.00 %   1  100.00 %   1  100.00 %   1  100.00 %
TOTAL            84    61   72.62 %  51   83.61 %  54   88.52 %  58   95.08 %

language      all-s0s1
de         8  100.00 %
gsw        1  100.00 %
nl         3   75.00 %
en         5   62.50 %
cs         4  100.00 %
pl         3  100.00 %
ru         2  100.00 %
sl         1  100.00 %
hr         1  100.00 %
la         3   50.00 %
grc        3  100.00 %
pt         2  100.00 %
es         3  100.00 %
it         2  100.00 %
fr         3  100.00 %
hu         2  100.00 %
tr         2  100.00 %
fi         2  100.00 %
hi         1  100.00 %
sv         2  100.00 %
ja         1  100.00 %
TOTAL     54   88.52 %

2. How does a system build a tree with crossing arcs?

  Ich habe gestern einen Mann getroffen, der sieben Sprachen spricht.
  “Yesterday I met a man who speaks seven languages.”, with an extraposed
  relative clause

  5 pairs of arcs cross; all-s0s1 builds it like this:
  (s0 is the top of the stack, b0 the next word; a step head>dependent removes
  the dependent)

  step  transition  arc                  stack (top last)     buffer
  0                                                           ROOT Ich …
  1     shift                            ROOT                 Ich habe …
  2     shift                            ROOT Ich             habe gestern …
  3     shift                            … Ich habe           gestern einen …
  4     shift                            … habe gestern       einen Mann …
  5     shift                            … gestern einen      Mann getroffen …
  6     b0>s0       Mann → einen         … habe gestern       Mann getroffen …
  7     shift                            … gestern Mann       getroffen , …
  8     b0>s1       getroffen → gestern  … habe Mann          getroffen , …
  9     b0>s1       getroffen → habe     … Ich Mann           getroffen , …
  10    b0>s1       getroffen → Ich      ROOT Mann            getroffen , …
  11    shift                            … Mann getroffen     , der …
  12    shift                            … getroffen ,        der sieben …
  13    shift                            … , der              sieben Sprachen …
  14    shift                            … der sieben         Sprachen spricht …
  15    b0>s0       Sprachen → sieben    … , der              Sprachen spricht …
  16    shift                            … der Sprachen       spricht .
  17    b0>s0       spricht → Sprachen   … , der              spricht .
  18    b0>s0       spricht → der        … getroffen ,        spricht .
  19    b0>s0       spricht → ,          … Mann getroffen     spricht .
  20    shift                            … getroffen spricht  .
  21    s2>s0       Mann → spricht       … Mann getroffen     .
  22    s0>s1       getroffen → Mann     ROOT getroffen       .
  23    shift                            … getroffen .
  24    s1>s0       getroffen → .        ROOT getroffen
  25    s1>s0       ROOT → getroffen     ROOT

3. What does a parser make of a sentence?

  What are you looking at?
  2 pairs of arcs cross.

  word     tag    head     relation  probability of the arc
  What     PRON   looking  obl                         1.00
  are      AUX    looking  aux                         1.00
  you      PRON   looking  nsubj                       1.00
  looking  VERB   ROOT     root                        1.00
  at       ADP    What     case                        1.00
  ?        PUNCT  looking  punct                       1.00

  By the model en, trained on en_ewt-ud-train.conllu, which is built in.

4. Your turn

  echo 'A sentence of yours.' | tanglewood parse
      its words, tags, lemmas and tree
  tanglewood coverage treebank.conllu
      the table above for your own treebank
  tanglewood systems
      every system, with its inventory and the cost of exact inference
  tanglewood oracle treebank.conllu --system all --sentence 0
      the derivation of a sentence
  tanglewood filter treebank.conllu --nonprojective
      the sentences with crossing arcs
  tanglewood check treebank.conllu
      what is wrong with a file, line by line
  tanglewood train train.conllu --dev dev.conllu -o my.model
      a parser of your own
  tanglewood parse my.model text.txt
      and what it says
  tanglewood draw treebank.conllu -o trees.html
      its trees, drawn

5. To look at

  tanglewood-tour/report.html: the table as a page, with what is not covered
  tanglewood-tour/tree.svg: the tree of the derivation
  Open them with a browser: a double click, or `xdg-open` (Linux), `open`
  (macOS), `start` (Windows).
  `tanglewood serve` lets you change the tree, and step through derivations, in
  a browser.

"#]])
        .stderr_eq("");
    let output = folder.run(["tour"]).success().get_output().stdout.clone();
    for line in String::from_utf8(output).unwrap().lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let report = String::from_utf8(folder.read("tanglewood-tour/report.html")).unwrap();
    assert!(report.contains("61 of 84 sentences are non-projective"));
    let drawing = String::from_utf8(folder.read("tanglewood-tour/tree.svg")).unwrap();
    assert!(drawing.contains(">getroffen</text>"));
}

#[test]
fn a_folder_that_cannot_be_written_to_does_not_spoil_the_tour() {
    // A file where the folder should be.
    let folder = Folder::with("tanglewood-tour", "");
    let output = folder.run(["tour"]).success().get_output().stdout.clone();
    assert!(String::from_utf8(output).unwrap().contains("No pictures: "));
}
