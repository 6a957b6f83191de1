// The view of a score matrix.

import { Editor } from "./editor.js";
import { complainAt, contentWith } from "./field-message.js";
import { show } from "./picture.js";
import * as server from "./server.js";
import { state, write } from "./state.js";
import { undo } from "./undo.js";

const get = (id) => document.getElementById(id);
/** A number of moderate length; those that are too large for one come as null. */
const short = (number) => (number === null ? "∞" : Number(number.toFixed(4)));
const FIELDS = ["words", "score-system", "score-direction", "k"];

export class ScoreView {
  constructor() {
    this.editor = new Editor("matrix");
    this.editor.field.addEventListener("input", () => this.change({ matrix: this.editor.value }, "matrix"));
    for (const id of FIELDS) {
      get(id).addEventListener("change", ({ target }) => {
        const value = id === "k" ? Number(target.value) || 1 : target.value.trim();
        this.change({ [id]: value }, id);
      });
    }
    get("multi-root").addEventListener("change", ({ target }) => this.change({ "multi-root": target.checked }, "multi-root"));
  }

  change(changes, kind) {
    Object.assign(state, changes);
    undo.note(kind);
    write(kind);
    return this.update();
  }

  async update() {
    this.editor.value = state.matrix;
    for (const id of FIELDS) get(id).value = state[id];
    get("multi-root").checked = state["multi-root"];
    try {
      const answer = await server.scores({
        matrix: state.matrix,
        words: state.words,
        system: state["score-system"],
        direction: state["score-direction"],
        k: state.k,
        multi_root: state["multi-root"],
      });
      if (answer === null) return;
      this.editor.content();
      contentWith(get("score-system"));
      get("score-view").classList.remove("stale");
      this.render(answer);
    } catch (refusal) {
      // What is shown belongs to other scores.
      get("score-view").classList.add("stale");
      if (refusal.field !== "system") this.editor.complain(refusal);
      else complainAt(get("score-system"), refusal, (system) => this.change({ "score-system": system }, "score-system"));
    }
  }

  render(answer) {
    const choose = (at) => {
      show(get("best"), answer.trees[at].svg, answer.from_right);
      [...get("trees").querySelectorAll("button")].forEach((button, other) => (button.ariaPressed = String(other === at)));
      this.heat(answer, answer.trees[at].heads);
    };
    const items = answer.trees.map((tree, at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = `score ${short(tree.score)}, heads ${tree.heads.join(" ")}`;
      button.addEventListener("click", () => choose(at));
      const item = document.createElement("li");
      item.append(button);
      return item;
    });
    get("trees").replaceChildren(...items);
    const { over, log_partition: total, entropy } = answer;
    get("sums").textContent = `Over ${over}: log of the sum ${short(total)}, entropy ${short(entropy)}. Rows are heads; the arcs of the tree above are framed.`;
    choose(0);
  }

  heat(answer, heads) {
    const cell = (name, text, attributes = {}) => Object.assign(document.createElement(name), { textContent: text, ...attributes });
    const title = document.createElement("tr");
    title.append(cell("th", "head"), ...answer.forms.map((form) => cell("th", form, { scope: "col", title: form })));
    const rows = answer.marginals.map((row, head) => {
      const line = document.createElement("tr");
      line.append(cell("th", head === 0 ? "ROOT" : answer.forms[head - 1], { scope: "row" }));
      row.slice(1).forEach((share, at) => {
        const place = cell("td", head === at + 1 ? "" : share.toFixed(2));
        place.style.setProperty("--share", share);
        if (heads[at] === head) place.className = "best";
        line.append(place);
      });
      return line;
    });
    get("heat").replaceChildren(title, ...rows);
  }
}
