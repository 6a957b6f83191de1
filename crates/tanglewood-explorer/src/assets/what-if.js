// Arcs that are required or forbidden: a list of them in the address, and the heads that a word could have instead.

import { nodeName } from "./text-direction.js";

const get = (id) => document.getElementById(id);

/** Arcs as the address has them, `3>1,0>4`, as pairs of head and dependent. */
export const arcsOf = (text) =>
  text
    .split(",")
    .map((arc) => arc.split(">").map(Number))
    .filter((arc) => arc.length === 2 && arc.every((node) => Number.isInteger(node) && node >= 0));
const textOf = (arcs) => arcs.map((arc) => arc.join(">")).join(",");
const isSame = (arc) => (other) => other[0] === arc[0] && other[1] === arc[1];
const names = { require: "required", forbid: "forbidden" };

export class WhatIf {
  /** `change(conditions)` is called with the new lists of arcs as the address has them. */
  constructor(change) {
    this.change = change;
    this.word = 1;
    this.sentence = null;
    get("what-if-word").addEventListener("change", ({ target }) => this.choose(Number(target.value)));
  }

  show(answer, heads, { require, forbid }) {
    Object.assign(this, { answer, tree: heads, conditions: { require: arcsOf(require), forbid: arcsOf(forbid) } });
    const { forms } = answer;
    // Of another sentence the word is chosen first of whose head the model is least sure.
    const sentence = forms.join(" ");
    if (sentence !== this.sentence) {
      const sure = answer.heads.map(([[, probability]]) => probability);
      this.word = sure.indexOf(Math.min(...sure)) + 1;
    }
    this.sentence = sentence;
    const option = (_, at) => new Option(`${at + 1} ${forms[at]}`, at + 1, false, at + 1 === this.word);
    get("what-if-word").replaceChildren(...forms.map(option));
    this.showHeads();
    this.showConditions();
  }

  choose(word) {
    this.word = word;
    get("what-if-word").value = word;
    this.showHeads();
  }

  /** The likely heads of the word, each with a button to require or forbid it. */
  showHeads() {
    const rows = this.answer.heads[this.word - 1].map(([head, probability]) => {
      const row = document.createElement("tr");
      const name = Object.assign(document.createElement("th"), { scope: "row", textContent: nodeName(head, this.answer.forms) });
      const cell = Object.assign(document.createElement("td"), { textContent: probability.toFixed(3) });
      const isThere = this.tree[this.word - 1] === head;
      const kind = isThere ? "forbid" : "require";
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: kind });
      button.ariaLabel = `${kind} ${nodeName(head, this.answer.forms)} as the head`;
      button.addEventListener("click", () => this.add(kind, [head, this.word]));
      const last = document.createElement("td");
      last.append(button);
      row.classList.toggle("best", isThere);
      row.append(name, cell, last);
      return row;
    });
    get("heads").tBodies[0].replaceChildren(...rows);
  }

  showConditions() {
    const { forms } = this.answer;
    const lines = Object.entries(this.conditions).flatMap(([kind, arcs]) =>
      arcs.map((arc) => {
        const button = Object.assign(document.createElement("button"), { type: "button", textContent: "take back" });
        const text = `${nodeName(arc[0], forms)} → ${nodeName(arc[1], forms)} is ${names[kind]} `;
        button.ariaLabel = `take back: ${text}`;
        button.addEventListener("click", () => this.remove(kind, arc));
        const line = document.createElement("li");
        line.append(text, button);
        return line;
      }),
    );
    get("conditions").replaceChildren(...lines);
  }

  /** A word has one head, so what was required or forbidden of the same arc before makes way. */
  add(kind, arc) {
    const { require, forbid } = this.conditions;
    const others = { require: require.filter((other) => other[1] !== arc[1] || (kind === "forbid" && !isSame(arc)(other))), forbid: forbid.filter((other) => !isSame(arc)(other)) };
    others[kind] = [...others[kind], arc];
    this.tell(others);
  }

  remove(kind, arc) {
    this.tell({ ...this.conditions, [kind]: this.conditions[kind].filter((other) => !isSame(arc)(other)) });
  }

  tell({ require, forbid }) {
    this.change({ require: textOf(require), forbid: textOf(forbid) });
  }
}
