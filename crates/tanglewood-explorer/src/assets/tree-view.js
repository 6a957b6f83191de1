// The view of a tree.

import { Comparison } from "./comparison.js";
import { showCoverage } from "./coverage.js";
import { DeductionItems } from "./deduction.js";
import { makeDraggable } from "./dragging.js";
import { Editor } from "./editor.js";
import { examples } from "./examples.js";
import { complainAt, contentWith } from "./field-message.js";
import { linkParts } from "./linking.js";
import { showPart } from "./parts.js";
import { show } from "./picture.js";
import { markProgress, progressAt } from "./progress.js";
import { offerSaving } from "./saving.js";
import { reveal } from "./scrolling.js";
import * as server from "./server.js";
import { rewrite, state, write } from "./state.js";
import { Stepping } from "./stepping.js";
import { undo } from "./undo.js";
import { WordFields } from "./word-fields.js";

const get = (id) => document.getElementById(id);
const HINT = get("tree-hint").textContent;

export class TreeView {
  /** `lookAt(view, changes)` goes to another view. */
  constructor(lookAt) {
    this.editor = new Editor("text");
    this.stepping = new Stepping((step) => this.goTo(step));
    this.comparison = new Comparison((step) => this.goTo(step));
    this.editor.field.addEventListener("input", () => this.type());
    get("example").replaceChildren(new Option("choose one", ""), ...examples.map(({ name }, at) => new Option(name, at)));
    get("example").addEventListener("change", ({ target }) => {
      if (target.value === "") return;
      this.change({ text: examples[target.value].text, file: "", at: 0, sentence: 0, step: 0 }, "example");
      target.value = "";
    });
    get("parse").addEventListener("click", () => this.changeByServer({ parse: true }, "parse"));
    get("ask-model").addEventListener("click", () => lookAt("parse", { typed: this.answer?.conllu ?? state.text, "typed-place": 0, require: "", forbid: "" }));
    this.wordFields = new WordFields((word, change) => this.edit(word, change));
    this.deduction = new DeductionItems((step) => this.goTo(step), () => this.update());
    get("sentence").addEventListener("change", ({ target }) => this.chooseSentence(Number(target.value)));
    get("previous-sentence").addEventListener("click", () => this.chooseSentence(state.sentence - 1));
    get("next-sentence").addEventListener("click", () => this.chooseSentence(state.sentence + 1));
    get("system").addEventListener("change", ({ target }) => this.change({ system: target.value.trim(), step: 0 }, "system"));
    get("direction").addEventListener("change", ({ target }) => this.change({ direction: target.value, step: 0 }, "system"));
    document.addEventListener("keydown", (event) => this.key(event));
    offerSaving(() => this.question(), (refusal) => this.refused(refusal));
    linkParts(() => this.answer?.crossing_pairs ?? []);
    new ResizeObserver(() => this.revealActive()).observe(get("tree"));
  }

  /** Something is typed, or pasted: browsers may say so line by line, and once for all of it is enough. */
  type() {
    performance.mark("edit");
    Object.assign(state, { text: this.editor.value, step: 0 });
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.change({}, "text"));
  }

  /** Something has been changed by hand. */
  change(changes, kind) {
    if (kind !== "text") performance.mark("edit");
    Object.assign(state, changes);
    undo.note(kind);
    write(kind);
    return this.update();
  }

  /** Something that the server works out changes the text. */
  changeByServer(more, kind) {
    performance.mark("edit");
    return this.update(more, kind);
  }

  chooseSentence(sentence) {
    if (sentence < 0 || sentence >= get("sentence").options.length) return;
    this.change({ sentence, step: 0 }, "sentence");
  }

  key(event) {
    const typing = event.target.closest?.("input, textarea, select, [data-own-keys]");
    if (typing || event.ctrlKey || event.altKey || event.metaKey || get("tree-view").hidden || state.file) return;
    const step = { n: 1, p: -1 }[event.key];
    if (step) this.chooseSentence(state.sentence + step);
  }

  question(more) {
    const { text, sentence, system, direction, step } = state;
    return { text, sentence, system, direction, step, deduction: this.deduction.isOpen, ...more };
  }

  /** Shows what the state says, with something more to be done first. */
  update(more = {}, kind = null) {
    this.pending = this.load(more, kind);
    return this.pending;
  }

  async load(more, kind) {
    this.editor.value = state.text;
    get("system").value = state.system;
    get("direction").value = state.direction;
    try {
      const answer = await server.tree(this.question(more));
      if (answer === null) return;
      if (answer.text !== null) {
        state.text = answer.text;
        this.editor.value = answer.text;
      }
      state.sentence = answer.index;
      if (kind) {
        undo.note(kind);
        write(kind);
      }
      rewrite();
      if (answer.warning) this.editor.complain(answer.warning);
      else this.editor.content();
      contentWith(get("system"));
      get("tree-view").classList.remove("stale");
      await this.render(answer);
    } catch (refusal) {
      this.refused(refusal);
      // What is shown belongs to an earlier text, unless it was only a change of a head that was refused.
      if (!more.edit) get("tree-view").classList.add("stale");
    }
  }

  refused(refusal) {
    if (refusal.field !== "system") return this.editor.complain(refusal);
    complainAt(get("system"), refusal, (system) => this.change({ system, step: 0 }, "system"));
  }

  async render(answer) {
    this.answer = answer;
    this.picture = show(get("tree"), answer.tree, answer.from_right);
    this.active = [];
    // Of a high tree the words are seen first.
    get("tree").scrollTop = get("tree").scrollHeight;
    const say = (text) => (get("tree-hint").textContent = text || HINT);
    say("");
    makeDraggable(this.picture, answer.forms, answer.heads, (word, head) => this.edit(word, { head }), say);
    this.wordFields.show(answer);
    const pairs = answer.crossings === 1 ? "1 pair of arcs crosses" : `${answer.crossings} pairs of arcs cross`;
    get("summary").textContent = answer.crossings === 0 ? "No arcs cross: the tree is projective." : `${pairs}: the tree is non-projective.`;
    showCoverage(get("coverage").tBodies[0], answer.coverage, state, (system, direction) => this.look(system, direction));
    this.showSentences(answer);
    // The derivation can wait until the rest is painted.
    await new Promise(requestAnimationFrame);
    if (performance.getEntriesByName("edit", "mark").length > 0) performance.measure("edit to coverage", "edit");
    performance.clearMarks("edit");
    await new Promise((done) => setTimeout(done));
    if (this.answer !== answer) return;
    if (this.diagram !== answer.run.diagram) show(get("diagram"), (this.diagram = answer.run.diagram));
    this.stepping.showRun(answer.run, answer.forms);
    this.deduction.show(answer.run);
    this.renderStep(answer);
    this.comparison.update(this.question(), answer.run, answer.step);
  }

  showSentences({ sentences, index }) {
    get("sentence").replaceChildren(...sentences.map((name, at) => new Option(name, at, false, at === index)));
    get("sentence-group").hidden = sentences.length < 2;
    get("previous-sentence").disabled = index === 0;
    get("next-sentence").disabled = index === sentences.length - 1;
  }

  renderStep({ step, configuration }) {
    state.step = step;
    show(get("configuration"), configuration);
    this.stepping.showStep(step);
    this.deduction.showStep(step);
    const { run } = this.stepping;
    const progress = progressAt(run, this.answer.heads.length, step);
    markProgress(this.picture, progress, step === 0 || (run.covered && step === this.stepping.length));
    // At the start the sentence is shown from its beginning.
    this.active = step === 0 ? [] : progress.active;
    this.revealActive();
  }

  /** Scrolls to the words that the next transition is about. */
  revealActive() {
    const words = (this.active ?? []).map((word) => this.picture.querySelector(`[data-word="${word}"]`));
    reveal(get("tree"), words.filter(Boolean));
    reveal(get("configuration"), get("configuration").querySelectorAll(".current .box"));
  }

  /** A new head, relation or tag for a word. */
  edit(word, change) {
    return this.changeByServer({ edit: { word, ...change }, step: 0 }, "edit").then(() => {
      get("tree").querySelector(`[data-word="${word}"]`)?.focus({ preventScroll: true });
    });
  }

  /** A system and a direction to look at: how it builds the tree, or where it gets stuck. */
  async look(system, direction) {
    await this.change({ system, direction, step: 0 }, "system");
    if (!this.stepping.run.covered) await this.goTo(this.stepping.length);
    showPart("tree");
  }

  async goTo(wanted) {
    // Steps of a derivation that is about to be replaced are no good.
    await this.pending;
    const step = Math.min(wanted, this.stepping.length);
    if (step === this.stepping.step) return;
    state.step = step;
    this.stepping.step = step;
    write("step");
    try {
      const answer = await server.step(this.question());
      if (answer === null) return;
      this.renderStep(answer);
      await this.comparison.goTo(answer.step);
    } catch (refusal) {
      this.refused(refusal);
    }
  }
}
