// The view of a tree.

import { showCoverage } from "./coverage.js";
import { makeDraggable } from "./dragging.js";
import { Editor } from "./editor.js";
import { examples } from "./examples.js";
import { show } from "./picture.js";
import { ask } from "./server.js";
import { state, write } from "./state.js";
import { Stepping } from "./stepping.js";

const get = (id) => document.getElementById(id);
const HINT = get("tree-hint").textContent;

export class TreeView {
  constructor() {
    this.editor = new Editor("text");
    this.stepping = new Stepping((step) => this.goTo(step));
    this.editor.field.addEventListener("input", () => this.change({ text: this.editor.value, step: 0 }));
    get("example").replaceChildren(new Option("choose one", ""), ...examples.map(({ name }, at) => new Option(name, at)));
    get("example").addEventListener("change", ({ target }) => {
      if (target.value !== "") this.change({ text: examples[target.value].text, sentence: 0, step: 0 });
    });
    get("parse").addEventListener("click", () => this.update({ parse: true }));
    get("sentence").addEventListener("change", ({ target }) => this.change({ sentence: Number(target.value), step: 0 }));
    get("system").addEventListener("change", ({ target }) => this.change({ system: target.value.trim(), step: 0 }));
    get("direction").addEventListener("change", ({ target }) => this.change({ direction: target.value, step: 0 }));
  }

  /** Something has been changed by hand. */
  change(changes) {
    performance.mark("edit");
    Object.assign(state, changes);
    write();
    return this.update();
  }

  question(more) {
    const { text, sentence, system, direction, step } = state;
    return { text, sentence, system, direction, step, ...more };
  }

  /** Shows what the state says, with something more to be done first. */
  update(more = {}) {
    this.pending = this.load(more);
    return this.pending;
  }

  async load(more) {
    this.editor.value = state.text;
    get("system").value = state.system;
    get("direction").value = state.direction;
    try {
      const answer = await ask("api/tree", this.question(more));
      if (answer === null) return;
      if (answer.text !== null) {
        state.text = answer.text;
        this.editor.value = answer.text;
      }
      state.sentence = answer.index;
      if (answer.warning) this.editor.complain(answer.warning);
      else this.editor.content();
      get("tree-view").classList.remove("stale");
      write();
      await this.render(answer);
    } catch (refusal) {
      this.editor.complain(refusal);
      // What is shown belongs to an earlier text, unless it was only a change of a head that was refused.
      if (!more.edit) get("tree-view").classList.add("stale");
    }
  }

  async render(answer) {
    this.answer = answer;
    const picture = show(get("tree"), answer.tree);
    const say = (text) => (get("tree-hint").textContent = text || HINT);
    say("");
    makeDraggable(picture, answer.forms, answer.heads, (word, head) => this.edit(word, head), say);
    const pairs = answer.crossings === 1 ? "1 pair of arcs crosses" : `${answer.crossings} pairs of arcs cross`;
    get("summary").textContent = answer.crossings === 0 ? "No arcs cross: the tree is projective." : `${pairs}: the tree is non-projective.`;
    showCoverage(get("coverage").tBodies[0], answer.coverage, state, (system, direction) => this.look(system, direction));
    const sentences = answer.sentences.map((name, at) => new Option(name, at, false, at === answer.index));
    get("sentence").replaceChildren(...sentences);
    get("sentence-label").hidden = sentences.length < 2;
    // The derivation can wait until the rest is painted.
    await new Promise(requestAnimationFrame);
    if (performance.getEntriesByName("edit", "mark").length > 0) performance.measure("edit to coverage", "edit");
    performance.clearMarks("edit");
    await new Promise((done) => setTimeout(done));
    if (this.answer !== answer) return;
    if (this.diagram !== answer.run.diagram) show(get("diagram"), (this.diagram = answer.run.diagram));
    this.stepping.showRun(answer.run, answer.forms);
    this.renderStep(answer);
  }

  renderStep(answer) {
    state.step = answer.step;
    show(get("configuration"), answer.configuration);
    show(get("progress"), answer.progress);
    this.stepping.showStep(answer.step);
  }

  /** A new head for a word. */
  edit(word, head) {
    performance.mark("edit");
    return this.update({ edit: { word, head }, step: 0 }).then(() => {
      get("tree").querySelector(`[data-word="${word}"]`)?.focus({ preventScroll: true });
    });
  }

  /** A system and a direction to look at: how it builds the tree, or where it gets stuck. */
  async look(system, direction) {
    await this.change({ system, direction, step: 0 });
    if (!this.stepping.run.covered) await this.goTo(this.stepping.length);
  }

  async goTo(wanted) {
    // Steps of a derivation that is about to be replaced are no good.
    await this.pending;
    const step = Math.min(wanted, this.stepping.length);
    if (step === this.stepping.step) return;
    state.step = step;
    this.stepping.step = step;
    write();
    try {
      const answer = await ask("api/tree", this.question({ step_only: true }), "step");
      if (answer !== null) this.renderStep(answer);
    } catch (refusal) {
      this.editor.complain(refusal);
    }
  }
}
