// A second system beside the first: its stack and buffer at the same step, and the step at which the two part.

import { complainAt, contentWith } from "./field-message.js";
import { show } from "./picture.js";
import { reveal } from "./scrolling.js";
import * as server from "./server.js";
import { state, write } from "./state.js";

const get = (id) => document.getElementById(id);

/** How many steps two derivations have in common from the start. */
export function commonSteps(one, other) {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) if (one[at] !== other[at]) return at;
  return length;
}

export class Comparison {
  /** `goTo(step)` is called when the step is wanted at which the systems part. */
  constructor(goTo) {
    this.run = null;
    get("beside").addEventListener("change", ({ target }) => this.choose(target.value.trim()));
    get("parting").addEventListener("click", () => goTo(this.common));
  }

  choose(system) {
    state.beside = system;
    write("system");
    return this.update(this.question, this.first, this.step);
  }

  /** Shows the second system's run of the same tree; `first` is the run of the first. */
  async update(question, first, step) {
    Object.assign(this, { question, first, step, run: null });
    get("beside").value = state.beside;
    get("beside-part").hidden = state.beside === "";
    contentWith(get("beside"));
    if (state.beside === "") return;
    try {
      const answer = await server.beside({ ...question, system: state.beside, step });
      if (answer === null) return;
      this.run = answer.run;
      this.say();
      this.draw(answer);
    } catch (refusal) {
      get("beside-part").hidden = true;
      complainAt(get("beside"), refusal, (system) => this.choose(system));
    }
  }

  /** Follows the first system to another step. */
  async goTo(step) {
    this.step = step;
    if (this.run === null) return;
    const answer = await server.besideStep({ ...this.question, system: state.beside, step });
    if (answer !== null && this.run !== null) this.draw(answer);
  }

  say() {
    const [one, other] = [this.first, this.run];
    this.common = commonSteps(one.transitions, other.transitions);
    const same = this.common === one.transitions.length && this.common === other.transitions.length;
    const step = (run) => run.transitions[this.common] ?? (run.covered ? "is done" : "is stuck");
    get("parting").hidden = same;
    get("parting").textContent = `Go to step ${this.common}`;
    get("parting-text").textContent = same
      ? `${one.system} and ${other.system} do the same at every step.`
      : `They part after ${this.common} steps: ${one.system} ${step(one)}, ${other.system} ${step(other)}.`;
  }

  draw({ configuration, step }) {
    show(get("beside-configuration"), configuration);
    reveal(get("beside-configuration"), get("beside-configuration").querySelectorAll(".current .box"));
    const { length } = this.run.transitions;
    get("beside-where").textContent = `${this.run.system}, step ${step} of ${length}${step < length ? `: next ${this.run.transitions[step]}` : this.run.covered ? ": done" : ": stuck"}`;
  }
}
