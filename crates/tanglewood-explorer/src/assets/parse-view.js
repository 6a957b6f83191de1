// The view of a model: what it makes of a sentence, how sure it is, and what it would say otherwise.

import { complainAt, contentWith } from "./field-message.js";
import { show } from "./picture.js";
import * as server from "./server.js";
import { state, write } from "./state.js";
import { nodeName } from "./text-direction.js";
import { undo } from "./undo.js";
import { WhatIf, arcsOf } from "./what-if.js";

const get = (id) => document.getElementById(id);
const FIELDS = ["parse-system", "parse-direction", "best-count"];
/** A probability in few digits, small ones included. */
const share = (probability) => (probability === null ? "none here" : probability >= 0.001 ? probability.toFixed(3) : probability.toExponential(1));

export class ParseView {
  /** `lookAt(view, changes)` goes to another view. */
  constructor(lookAt) {
    this.whatIf = new WhatIf((conditions) => this.change(conditions, "what if"));
    this.chosen = 0;
    get("typed").addEventListener("input", ({ target }) => {
      performance.mark("edit");
      this.change({ typed: target.value, "typed-place": 0, require: "", forbid: "" }, "typed");
    });
    for (const id of FIELDS) {
      get(id).addEventListener("change", ({ target }) => this.change({ [id]: id === "best-count" ? Number(target.value) || 1 : target.value.trim() }, id));
    }
    const step = (by) => this.change({ "typed-place": state["typed-place"] + by, require: "", forbid: "" }, "typed-place");
    get("previous-typed").addEventListener("click", () => step(-1));
    get("next-typed").addEventListener("click", () => step(1));
    get("to-tree").addEventListener("click", () => lookAt("tree", { text: this.answer.conllu, file: "", at: 0, sentence: 0, step: 0 }));
    get("to-scores").addEventListener("click", () =>
      lookAt("scores", { matrix: this.answer.matrix, words: this.answer.forms.join(" "), "score-system": state["parse-system"], "score-direction": state["parse-direction"], "multi-root": false }),
    );
    get("parsed").addEventListener("click", ({ target }) => {
      const word = target.closest("[data-word], [data-dependent]");
      if (word) this.whatIf.choose(Number(word.dataset.word ?? word.dataset.dependent));
    });
  }

  change(changes, kind) {
    Object.assign(state, changes);
    undo.note(kind);
    write(kind);
    return this.update();
  }

  async update() {
    if (get("typed").value !== state.typed) get("typed").value = state.typed;
    for (const id of FIELDS) get(id).value = state[id];
    try {
      const answer = await server.parse({
        text: state.typed,
        sentence: state["typed-place"],
        system: state["parse-system"],
        direction: state["parse-direction"],
        k: state["best-count"],
        require: arcsOf(state.require),
        forbid: arcsOf(state.forbid),
      });
      if (answer === null) return;
      get("typed-message").textContent = "";
      get("typed").removeAttribute("aria-invalid");
      contentWith(get("parse-system"));
      get("parse-view").classList.remove("stale");
      this.render(answer);
      if (performance.getEntriesByName("edit", "mark").length > 0) {
        await new Promise(requestAnimationFrame);
        performance.measure("edit to parse", "edit");
        performance.clearMarks("edit");
      }
    } catch (refusal) {
      get("parse-view").classList.add("stale");
      if (refusal.field === "system") return complainAt(get("parse-system"), refusal, (system) => this.change({ "parse-system": system }, "parse-system"));
      get("typed-message").textContent = refusal.message;
      get("typed").setAttribute("aria-invalid", "true");
    }
  }

  render(answer) {
    this.answer = answer;
    state["typed-place"] = answer.index;
    get("typed-group").hidden = answer.sentences < 2;
    get("typed-place").textContent = `Sentence ${answer.index + 1} of ${answer.sentences}`;
    get("previous-typed").disabled = answer.index === 0;
    get("next-typed").disabled = answer.index === answer.sentences - 1;
    get("readings").replaceChildren(...answer.trees.map((tree, at) => this.reading(tree, at)));
    const scores = answer.arcs_alone ? " by its scores of arcs alone" : "";
    get("parsed-hint").textContent = `The numbers at the arcs are their probabilities among ${answer.over}${scores}. Choose a word to see other heads.`;
    this.choose(0);
    this.showGold(answer);
  }

  /** Shows one of the best trees. */
  choose(at) {
    const tree = this.answer.trees[at];
    show(get("parsed"), tree.svg, this.answer.from_right);
    [...get("readings").querySelectorAll("button")].forEach((button, other) => (button.ariaPressed = String(other === at)));
    this.whatIf.show(this.answer, tree.heads, state);
  }

  reading({ probability, differences }, at) {
    const button = Object.assign(document.createElement("button"), { type: "button" });
    button.textContent = `probability ${share(probability)}`;
    button.addEventListener("click", () => this.choose(at));
    const item = document.createElement("li");
    item.append(button, this.differences(differences));
    return item;
  }

  /** Words that hang elsewhere or otherwise: what was, what is. */
  differences(differences) {
    const { forms } = this.answer;
    const list = document.createElement("ul");
    const lines = differences.map(({ word, from: [oldHead, oldRelation], to: [head, relation] }) => {
      const line = document.createElement("li");
      const old = document.createElement("del");
      old.textContent = `${oldRelation || "dep"} of ${nodeName(oldHead, forms)}`;
      const now = document.createElement("ins");
      now.textContent = `${relation || "dep"} of ${nodeName(head, forms)}`;
      line.append(`${nodeName(word, forms)}: `, old, " ", now);
      return line;
    });
    list.append(...lines);
    return list;
  }

  showGold({ gold, forms, from_right: fromRight }) {
    get("gold-part").hidden = gold === null;
    if (gold === null) return;
    show(get("gold"), gold.svg, fromRight);
    const same = gold.differences.length === 0 ? "The model says the same." : `${gold.same_heads} of ${forms.length} heads are the same.`;
    get("gold-summary").textContent = `${same} To the model its probability is ${share(gold.probability)}.`;
    get("gold-differences").replaceChildren(...this.differences(gold.differences).children);
  }
}
