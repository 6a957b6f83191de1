// Relation and tag of the word that was chosen last, to be changed: by a menu, or by typing.

import { nodeName } from "./text-direction.js";

const get = (id) => document.getElementById(id);
/** Of Universal Dependencies. */
const RELATIONS = "acl acl:relcl advcl advmod amod appos aux aux:pass case cc ccomp clf compound compound:prt conj cop csubj csubj:pass dep det discourse dislocated expl fixed flat goeswith iobj list mark nmod nmod:poss nsubj nsubj:pass nummod obj obl obl:agent orphan parataxis punct reparandum root vocative xcomp";
const TAGS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X";
/** Fields, the letters that lead to them, and what they are of a sentence. */
const FIELDS = { relation: { key: "r", of: "relations" }, tag: { key: "t", of: "tags" } };

const options = (names) => names.split(" ").map((name) => new Option(name, name));

export class WordFields {
  /** `change(word, what)` is called with what is new about a word. */
  constructor(change) {
    this.change = change;
    this.word = 0;
    get("relations").append(...options(RELATIONS));
    get("tags").append(...options(TAGS));
    for (const id of Object.keys(FIELDS)) {
      get(id).addEventListener("change", ({ target }) => this.change(this.word, { [id]: target.value.trim() }));
      get(id).addEventListener("keydown", (event) => {
        if (event.key !== "Escape") return;
        this.fill();
        this.backToWord();
      });
    }
    get("tree").addEventListener("focusin", ({ target }) => this.choose(target));
    get("tree").addEventListener("keydown", (event) => this.key(event));
  }

  /** Follows a new answer; of another sentence no word is chosen yet. */
  show({ forms, relations, tags }) {
    const same = this.sentence?.forms.join(" ") === forms.join(" ");
    this.sentence = { forms, relations, tags };
    if (!same) this.word = 0;
    this.fill();
  }

  choose(target) {
    const word = target.closest?.("[data-word]");
    if (!word) return;
    this.word = Number(word.dataset.word);
    this.fill();
  }

  fill() {
    get("word-group").hidden = this.word === 0;
    if (this.word === 0) return;
    get("word-name").textContent = nodeName(this.word, this.sentence.forms);
    for (const [id, { of }] of Object.entries(FIELDS)) get(id).value = this.sentence[of][this.word - 1] ?? "";
  }

  key(event) {
    const id = Object.keys(FIELDS).find((name) => FIELDS[name].key === event.key);
    if (!id || !event.target.closest?.("[data-word]") || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    get(id).focus();
    get(id).select();
  }

  backToWord() {
    get("tree").querySelector(`[data-word="${this.word}"]`)?.focus({ preventScroll: true });
  }
}
