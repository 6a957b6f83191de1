//! Malformed input and what is to be said about it.
//!
//! `*` begins a case with its name. Then the input, line by line:
//! - `w` a sentence of rows `id:head`, with the relation `root` where the head is 0, and its blank line;
//! - `|` a line of which spaces become tabs, `·` becomes a space, `∅` nothing, `\r`, `\0` and `\xHH` bytes;
//! - `+` the same without newline at its end.
//!
//! Last the messages, each with `>`.

pub const TABLE: &str = r"
* no tab at all
| word
> 1:1: 1 column, `word`; expected 10 columns with tabs between them
* spaces for tabs
| 1·w·w·X·_·_·0·root·_·_
> 1:1: 1 column, `1 w w X _ _ 0 root _ _`; expected 10 columns with tabs, not spaces, between them
* 9 columns
| 1 w w X _ _ 0 root _
> 1:1: 9 columns; expected 10 columns with tabs between them
* 11 columns
| 1 w w X _ _ 0 root _ _ _
> 1:1: 11 columns; expected 10 columns with tabs between them
* a tab at the end
| 1 w w X _ _ 0 root _ _ ∅
> 1:1: 11 columns; expected 10 columns with tabs between them
* a line of spaces instead of an empty one
| 1 w w X _ _ 0 root _ _
| ··
w 1:0
> 2:1: a line of white space; expected an empty line or 10 columns
> 3:1: id 1 after 1; expected 2, or a blank line before a new sentence
* a line of spaces and tabs
| 1 w w X _ _ 0 root _ _
| · ·
> 2:1: a line of white space; expected an empty line or 10 columns
* control characters, zero width space and right-to-left override in an excerpt
| a\x07\x1b[31m\0b\xe2\x80\x8b\xe2\x80\xaec\xc2\x85
> 1:1: 1 column, `a\u{7}\u{1b}[31m\0b\u{200b}\u{202e}c\u{85}`; expected 10 columns with tabs between them
* empty columns
| 1 ∅ w ∅ _ _ 0 ∅ _ ∅
> 1:3: nothing in column FORM; expected text, or `_` for none
> 1:6: nothing in column UPOS; expected text, or `_` for none
> 1:13: nothing in column DEPREL; expected text, or `_` for none
> 1:16: nothing in column MISC; expected text, or `_` for none
* an empty HEAD
| 1 w w X _ _ ∅ root _ _
> 1:13: nothing in column HEAD; expected the number of a word, or 0 for the root
* an empty ID
| ∅ w w X _ _ 0 root _ _
> 1:1: nothing in column ID; expected a word (3), a range (3-4) or an empty node (3.1)
* nothing but tabs
| ∅ ∅ ∅ ∅ ∅ ∅ ∅ ∅ ∅ ∅
> 1:1: nothing in column ID; expected a word (3), a range (3-4) or an empty node (3.1)
> 1:2: nothing in column FORM; expected text, or `_` for none
> 1:3: nothing in column LEMMA; expected text, or `_` for none
> 1:4: nothing in column UPOS; expected text, or `_` for none
> 1:5: nothing in column XPOS; expected text, or `_` for none
> 1:6: nothing in column FEATS; expected text, or `_` for none
> 1:7: nothing in column HEAD; expected text, or `_` for none
> 1:8: nothing in column DEPREL; expected text, or `_` for none
> 1:9: nothing in column DEPS; expected text, or `_` for none
> 1:10: nothing in column MISC; expected text, or `_` for none
* spaces where they may be
| 1 New·York New·York X _ _ 0 root _ Gloss=big·city
* spaces where they may not be
| 1 w w X·Y _ A=b·c 0 root _ _
> 1:8: a space in column UPOS; expected spaces only in FORM, LEMMA and MISC
> 1:16: a space in column FEATS; expected spaces only in FORM, LEMMA and MISC
* a space after the head
| 1 w w X _ _ 0· root _ _
> 1:13: head `0 `; expected the number of a word, or 0 for the root
> 1:14: a space in column HEAD; expected spaces only in FORM, LEMMA and MISC
* a comment in the middle
| 1 w w X _ _ 0 root _ _
| #·here
> 2:1: a comment after the first token; expected comments before the first token
* comments only
| #·text·=·Hi
| #·more
> 1:1: a sentence without words; expected at least one line with a word
* not UTF-8 in a comment
| #·caf\xe9
w 1:0
> 1:6: byte 0xe9; expected UTF-8 text
* not UTF-8 in comments without words
| #·a
| #·\xff
| #·\xfe\xff
> 1:1: a sentence without words; expected at least one line with a word
> 2:3: byte 0xff; expected UTF-8 text
> 3:3: byte 0xfe; expected UTF-8 text
* not UTF-8 in a word
| 1 na\xefve w X _ _ 0 root _ _
> 1:5: byte 0xef; expected UTF-8 text
* columns are counted in characters
| 1 äö😀\xff w X _ _ x root _ _
> 1:6: byte 0xff; expected UTF-8 text
> 1:16: head `x`; expected the number of a word, or 0 for the root
* not UTF-8 to the right of a bad id
| x \xff w X _ _ 0 root _ _
> 1:1: id `x`; expected a word (3), a range (3-4) or an empty node (3.1)
> 1:3: byte 0xff; expected UTF-8 text
* a character cut off by the end of the file
w 1:0
+ #·\xf0\x9f\x98
> 3:1: a sentence without words; expected at least one line with a word
> 3:3: byte 0xf0; expected UTF-8 text
* NUL in a word
| 1 w\0 w X _ _ 0 root _ _
* NUL in an id
| 1\0 w w X _ _ 0 root _ _
> 1:1: id `1\0`; expected a word (3), a range (3-4) or an empty node (3.1)
* nothing at all
* blank lines
| ∅
| \r
| ∅
* CRLF and no newline at the end
| 1 w w X _ _ 0 root _ _\r
+ 2 w w X _ _ 1 dep _ _
* CRLF and a problem
| 1 w w X _ _ 0 root _ _\r
| 2 w w X _ _ 5 dep _ _\r
| \r
> 2:13: head 5; expected a number from 0 to 2, the last word
* CRLF in some lines
| 1 w w X _ _ 0 root _ _
| 2 w w X _ _ 1 dep _ ∅\r
> 2:21: nothing in column MISC; expected text, or `_` for none
* a carriage return inside a word
| 1 w\rw w X _ _ 0 root _ _
> 1:4: a carriage return; expected carriage returns only at the end of lines
* a line that ends with two carriage returns
| 1 w w X _ _ 0 root _ _\r\r
> 1:23: a carriage return; expected carriage returns only at the end of lines
* CR without LF
| 1 w w X _ _ 0 root _ _\r2 w w X _ _ 1 dep _ _\r
> 1:1: 19 columns; expected 10 columns with tabs between them
* byte-order mark
| \xef\xbb\xbf1 w w X _ _ 0 root _ _
* byte-order mark on a line of its own
| \xef\xbb\xbf\r
w 1:0
* byte-order mark and nothing else
+ \xef\xbb\xbf
* columns do not count the byte-order mark
| \xef\xbb\xbf1 w w X _ _ x root _ _
> 1:13: head `x`; expected the number of a word, or 0 for the root
* byte-order mark in the middle
w 1:0
| \xef\xbb\xbf1 w w X _ _ 0 root _ _
> 3:1: id `\u{feff}1`; expected a word (3), a range (3-4) or an empty node (3.1)
* two byte-order marks
| \xef\xbb\xbf\xef\xbb\xbf#·text
w 1:0
> 1:1: 1 column, `\u{feff}# text`; expected 10 columns with tabs, not spaces, between them

* letters for an id
w a:0
> 1:1: id `a`; expected a word (3), a range (3-4) or an empty node (3.1)
* id 0
w 0:0
> 1:1: id `0`; expected 1
* an id with leading zeros
w 1:0 02:1
> 2:1: id `02`; expected 2
* a negative id
w -1:0
> 1:1: id `-1`; expected a word (3), a range (3-4) or an empty node (3.1)
* a range without end
w 1-:_ 1:0
> 1:1: id `1-`; expected a word (3), a range (3-4) or an empty node (3.1)
* a range from 0
w 0-1:_ 1:0
> 1:1: id `0-1`; expected a word (3), a range (3-4) or an empty node (3.1)
* an empty node of no word
w 1:0 .1:_
> 2:1: id `.1`; expected a word (3), a range (3-4) or an empty node (3.1)
* empty node 1.0
w 1:0 1.0:_
> 2:1: id `1.0`; expected a word (3), a range (3-4) or an empty node (3.1)
* a dash that is no hyphen
w 1–2:_ 1:0 2:1
> 1:1: id `1–2`; expected a word (3), a range (3-4) or an empty node (3.1)
* an id too large for a number
w 1:0 99999999999999999999:1
> 2:1: id `99999999999999999999`; expected 2
* the largest id
w 1:0 999999999:1
> 2:1: id 999999999 after 1; expected 2
* the first word missing
w 2:0
> 1:1: id 2 at the start; expected 1
* a word missing
w 1:0 3:1 4:1
> 2:1: id 3 after 1; expected 2
* a word twice
w 1:0 2:1 2:1 3:1
> 3:1: id 2 after 2; expected 3
* words out of order
w 1:0 3:1 2:1 4:1
> 2:1: id 3 after 1; expected 2
> 3:1: id 2 after 3; expected 4
> 4:1: id 4 after 2; expected 3
* no blank line between sentences
w 1:0 2:1 3-4:_ 3:1 4:1 1:0 2-3:_ 2:1 3:1
> 6:1: id 1 after 4; expected 5, or a blank line before a new sentence
* no blank line before a sentence that begins with a range
w 1-2:_ 1:0 2:1 1-2:_ 1:0 2:1
> 4:1: id 1-2 after 2; expected 3, or a blank line before a new sentence
> 5:1: id 1 after 2; expected 3, or a blank line before a new sentence
* a bad id and the next one
w 1:0 x:1 3:1
> 2:1: id `x`; expected a word (3), a range (3-4) or an empty node (3.1)
> 3:1: id 3 after 1; expected 2
* ranges as they should be
w 1-2:_ 1:0 2:1 3:1 4-6:_ 4:1 5:1 6:1
* a reversed range
w 2-1:_ 1:0 2:1
> 1:1: range 2-1; expected a last word after the first
* a range of one word
w 1-1:_ 1:0
> 1:1: range 1-1 of one word; expected a range of at least two words, or none
* a range backwards
w 1:0 2-1:_ 2:1
> 2:1: range 2-1; expected a last word after the first
* a UPOS that is none
| 1 w w NN _ _ 0 root _ _
> 1:7: UPOS `NN`; expected one of ADJ, ADP, ADV, AUX, CCONJ, DET, INTJ, NOUN, NUM, PART, PRON, PROPN, PUNCT, SCONJ, SYM, VERB, X, or `_`
* FEATS that are none
| 1 w w X _ foo 0 root _ _
> 1:11: feature `foo`; expected Name=Value with letters and digits, the first a capital or a digit, and | between several
* several FEATS, of which some are none
| 1 w w X _ Case=Nom|number=Sing||Gender[psor]=Masc,Fem|Gender[=x|X= 0 root _ _
> 1:20: feature `number=Sing`; expected Name=Value with letters and digits, the first a capital or a digit, and | between several
> 1:32: nothing in column FEATS; expected Name=Value with letters and digits, the first a capital or a digit, and | between several
> 1:55: feature `Gender[=x`; expected Name=Value with letters and digits, the first a capital or a digit, and | between several
> 1:65: feature `X=`; expected Name=Value with letters and digits, the first a capital or a digit, and | between several
* a feature twice and features out of order
| 1 w w X _ Case=Nom|Case=Acc|Aspect=Imp 0 root _ _
> 1:20: feature `Case` after `Case`; expected features in the order of their names, each once
> 1:29: feature `Aspect` after `Case`; expected features in the order of their names, each once
* overlapping ranges
w 1-2:_ 1:0 2-3:_ 2:1 3:1
> 3:1: range 2-3 overlapping the range that ends at 2; expected ranges that do not overlap
* a range within a range
w 1-4:_ 1:0 2-3:_ 2:1 3:1 4-5:_ 4:1 5:1
> 3:1: range 2-3 overlapping the range that ends at 4; expected ranges that do not overlap
> 6:1: range 4-5 overlapping the range that ends at 4; expected ranges that do not overlap
* the same range twice
w 1-2:_ 1-2:_ 1:0 2:1
> 2:1: range 1-2 overlapping the range that ends at 2; expected ranges that do not overlap
* a range beyond the sentence
w 1:0 2-4:_ 2:1 3:1
> 2:1: range 2-4; expected an end of at most 3, the last word
* a range after its words
w 1:0 2:1 1-2:_
> 3:1: id 1-2 after 2; expected 3, or a blank line before a new sentence
* a range after its words and after another range
w 1:0 2:1 3:1 4-5:_ 4:1 5:1 2-3:_
> 7:1: id 2-3 after 5; expected 6
* a range too early
w 2-3:_ 1:0 2:1 3:1
> 1:1: id 2-3 at the start; expected 1
* a range only
w 1-2:_
> 1:1: a sentence without words; expected at least one line with a word
* empty nodes as they should be
w 0.1:_ 0.2:_ 1:0 1.1:_ 2-3:_ 2:1 3:1 3.1:_ 3.2:_
* empty nodes in the wrong order
w 1:0 1.2:_ 1.1:_
> 2:1: id 1.2 after 1; expected 1.1 or 2
> 3:1: id 1.1 after 1.2; expected 1.3 or 2
* empty nodes left out
w 0.2:_ 1:0 1.1:_ 1.3:_
> 1:1: id 0.2 at the start; expected 0.1 or 1
> 4:1: id 1.3 after 1.1; expected 1.2 or 2
* an empty node twice
w 1:0 1.1:_ 1.1:_
> 3:1: id 1.1 after 1.1; expected 1.2 or 2
* empty nodes before their word
w 1:0 2.1:_ 2.2:_ 2:1
> 2:1: id 2.1 after 1; expected 1.1 or 2
> 3:1: id 2.2 after 1; expected 1.1 or 2
* an empty node of a word long past
w 1:0 2:1 1.1:_
> 3:1: id 1.1 after 2; expected 2.1 or 3
* a word missing after an empty node
w 1:0 1.1:_ 3:1 3.1:_
> 3:1: id 3 after 1.1; expected 2
* an empty node only
w 0.1:_
> 1:1: a sentence without words; expected at least one line with a word

* letters for a head
w 1:x
> 1:13: head `x`; expected the number of a word, or 0 for the root
* no head
w 1:0 2:_
> 2:13: no head, `_`; expected the number of a word, or 0 for the root
* a negative head
w 1:-1
> 1:13: head `-1`; expected the number of a word, or 0 for the root
* heads with leading zeros
w 1:00 2:01
> 1:13: head `00`; expected a number without leading zeros
> 2:13: head `01`; expected a number without leading zeros
* an empty node as head
w 1:0 1.1:_ 2:1.1
> 3:13: head `1.1`; expected the number of a word, or 0 for the root
* a head too large for a number
w 1:0 2:4294967297
> 2:13: head `4294967297`; expected the number of a word, or 0 for the root
* heads beyond the sentence
w 1:3 2:0 3:2 4:999999999 5:6
> 4:13: head 999999999; expected a number from 0 to 5, the last word
> 5:13: head 6; expected a number from 0 to 5, the last word
* a head and a range beyond the sentence
w 1:0 2:9 3-4:_ 3:1
> 2:13: head 9; expected a number from 0 to 3, the last word
> 3:1: range 3-4; expected an end of at most 3, the last word
* a word that is its own head
w 1:0 2:2
> 2:13: the heads form a cycle: 2 → 2; expected every path of heads to end at 0
* a cycle of two
w 1:0 2:3 3:2
> 2:13: the heads form a cycle: 2 → 3 → 2; expected every path of heads to end at 0
* a cycle of three, and another
w 1:0 2:4 3:2 4:3 5:6 6:5
> 2:13: the heads form a cycle: 2 → 4 → 3 → 2; expected every path of heads to end at 0
* a cycle of ten
w 1:10 2:1 3:2 4:3 5:4 6:5 7:6 8:7 9:8 10:9 11:0
> 1:13: the heads form a cycle: 1 → 10 → 9 → 8 → 7 → 6 → 5 → 4 → … → 1; expected every path of heads to end at 0
* no root
w 1:2 2:1
> 1:13: a sentence in which no word has head 0; expected one root
> 1:13: the heads form a cycle: 1 → 2 → 1; expected every path of heads to end at 0
* two roots
w 1:0 2:0
> 2:13: words 1 and 2 both with head 0; expected one root
* four roots
w 1:2 2:0 3:0 4:0 5:0
> 3:13: 4 words with head 0 (2, 3, …); expected one root
* two roots and a cycle
w 1:0 2:2 3:0
> 2:13: the heads form a cycle: 2 → 2; expected every path of heads to end at 0
> 3:13: words 1 and 3 both with head 0; expected one root
* root in the wrong place
| 1 w w X _ _ 0 root _ _
| 2 w w X _ _ 1 root _ _
> 2:15: relation `root` at a word with head 1; expected `root` only where the head is 0
* another relation at the root
| 1 w w X _ _ 0 dep _ _
> 1:15: relation `dep` at a word with head 0; expected `root` where the head is 0
* no relation at the root
| 1 w w X _ _ 0 _ _ _
> 1:15: relation `_` at a word with head 0; expected `root` where the head is 0
* a subtype of root
| 1 w w X _ _ 0 root:main _ _
* HEAD and DEPREL of a range
| 1-2 w _ _ _ _ 1 dep _ _
w 1:0 2:1
> 1:15: HEAD `1` at a range; expected `_`
> 1:17: DEPREL `dep` at a range; expected `_`
* HEAD and DEPREL of an empty node
w 1:0 1.1:1
> 2:15: HEAD `1` at an empty node; expected `_`
> 2:17: DEPREL `dep` at an empty node; expected `_`
* an empty HEAD of an empty node
w 1:0 1.1:
> 2:15: nothing in column HEAD; expected text, or `_` for none
> 2:16: DEPREL `dep` at an empty node; expected `_`
* enhanced dependencies as they should be
| 1 w w X _ _ 0 root 0:root|1.1:x:y _
| 1.1 w w X _ _ _ _ 1:dep _
* enhanced dependencies without relation
| 1 w w X _ _ 0 root 0 _
> 1:20: enhanced dependencies `0`; expected head:relation, with | between several
* an enhanced dependency with an empty relation
| 1 w w X _ _ 0 root 0:|1:x _
> 1:20: enhanced dependencies `0:|1:x`; expected head:relation, with | between several
* enhanced dependencies that end too soon
| 1 w w X _ _ 0 root 0:root| _
> 1:20: enhanced dependencies `0:root|`; expected head:relation, with | between several
* a range as enhanced head
| 1 w w X _ _ 0 root 1-2:dep _
> 1:20: enhanced dependencies `1-2:dep`; expected head:relation, with | between several
* an enhanced head beyond the sentence
| 1 w w X _ _ 0 root 2:dep|0:root _
> 1:20: enhanced head 2; expected a word or empty node of this sentence
* an empty node that is missing
| 1 w w X _ _ 0 root 0:root|1.1:dep _
> 1:20: enhanced head 1.1; expected a word or empty node of this sentence

* several problems in several sentences
| #·the·first
w 1:x 2:0 3:y
w 1:0
| ∅
| #·the·third
w 1:0 2:4 4:1
| \r
w 1:2 2:2 3:0 4:0
> 2:13: head `x`; expected the number of a word, or 0 for the root
> 4:13: head `y`; expected the number of a word, or 0 for the root
> 12:1: id 4 after 2; expected 3
> 16:13: the heads form a cycle: 2 → 2; expected every path of heads to end at 0
> 18:13: words 3 and 4 both with head 0; expected one root
";
