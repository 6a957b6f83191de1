// Files of sentences: the list, what it is filtered by, and the way from one sentence to the next.

import { complainAt, contentWith } from "./field-message.js";
import { fitParts, showPart } from "./parts.js";
import * as server from "./server.js";
import { setFileText, state } from "./state.js";
import { showStatistics } from "./statistics.js";
import { VirtualList } from "./virtual-list.js";

const get = (id) => document.getElementById(id);
/** Typing in a filter is waited for this long, in milliseconds. */
const PAUSE = 200;

export class Treebank {
  /** `show(text, place)` shows a sentence that was chosen. */
  constructor(show) {
    this.show = show;
    this.files = [];
    this.list = new VirtualList(get("sentence-list"), {
      fetchRows: async (offset, count) => (await server.rows({ filter: this.filter(), offset, count }))?.rows ?? null,
      fill: fillRow,
      choose: (place) => this.choose(place),
    });
    for (const field of get("filters").querySelectorAll("input, select")) {
      field.addEventListener("input", () => {
        clearTimeout(this.waiting);
        this.waiting = setTimeout(() => this.refresh(), PAUSE);
      });
    }
    get("open-file").addEventListener("change", ({ target }) => this.upload(target.files[0]));
    get("statistics").addEventListener("toggle", () => this.countSelection());
    document.addEventListener("keydown", (event) => this.key(event));
    for (const kind of ["dragover", "drop"]) document.addEventListener(kind, (event) => this.drop(event));
  }

  filter() {
    const number = (id) => (get(id).value === "" ? null : Math.max(0, Math.floor(Number(get(id).value))));
    return {
      file: get("file").value,
      search: get("search").value,
      label: get("label").value.trim(),
      shortest: number("shortest") ?? 0,
      longest: number("longest"),
      crossing: get("crossing").checked,
      not_covered_by: get("not-covered-by").value.trim(),
      direction: get("not-covered-direction").value,
    };
  }

  /** Tells which files there are. */
  async setFiles(files) {
    this.files = files;
    const there = files.length > 0;
    get("sentences-part").hidden = !there;
    document.querySelector(".parts [data-part=sentences]").hidden = !there;
    get("tree-view").classList.toggle("with-sentences", there);
    fitParts();
    const chosen = get("file").value;
    get("file").replaceChildren(new Option("all files", ""), ...files.map(({ name, sentences }) => new Option(`${name} (${sentences})`, name)));
    if (files.some(({ name }) => name === chosen)) get("file").value = chosen;
    if (there) await this.refresh();
  }

  /** Asks for the list again, and where in it the sentence is that is seen. */
  async refresh() {
    try {
      const find = state.file ? [state.file, state.at] : null;
      const answer = await server.selection({ filter: this.filter(), find });
      if (answer === null) return;
      contentWith(get("not-covered-by"));
      const { total, found } = answer;
      get("sentence-count").textContent = total === 1 ? "1 sentence" : `${total.toLocaleString("en")} sentences`;
      await this.list.reset(total);
      this.list.mark(found ?? -1);
      this.countSelection();
    } catch (refusal) {
      if (refusal.field === "not-covered-by") {
        complainAt(get("not-covered-by"), refusal, (name) => {
          get("not-covered-by").value = name;
          this.refresh();
        });
      } else get("sentence-count").textContent = refusal.message;
    }
  }

  /** Shows the sentence at a place of the list, and then a part of the page. */
  async choose(place, byHand = true, part = "tree") {
    if (place < 0 || place >= this.list.total) return;
    this.list.mark(place);
    const row = this.list.rows[place - this.list.first] ?? (await this.row(place));
    if (row) await this.openAt(row.file, row.at, byHand);
    showPart(part);
  }

  async row(place) {
    const answer = await server.row({ filter: this.filter(), offset: place });
    return answer?.rows[0];
  }

  /** Shows a sentence by its file and its place in it. */
  async openAt(file, at, byHand) {
    const answer = await server.sentence({ file, at });
    if (answer === null) return;
    setFileText(answer.text);
    await this.show({ text: answer.text, file, at, sentence: 0, step: 0 }, byHand);
  }

  key(event) {
    const typing = event.target.closest?.("input, textarea, select");
    if (typing || event.ctrlKey || event.altKey || event.metaKey || this.files.length === 0) return;
    const step = { n: 1, p: -1 }[event.key];
    if (step) this.choose(this.list.chosen + step);
  }

  async countSelection() {
    if (!get("statistics").open) return;
    showStatistics(get("statistics-body"), null);
    try {
      showStatistics(get("statistics-body"), await server.statistics({ filter: this.filter() }));
    } catch (refusal) {
      get("statistics-body").textContent = refusal.message;
    }
  }

  drop(event) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    if (event.type === "drop") this.upload(event.dataTransfer.files[0]);
  }

  /** Opens a file of the reader's. */
  async upload(file) {
    if (!file) return;
    try {
      const { files, name } = await server.open(file);
      await this.setFiles(files);
      get("file").value = name;
      await this.refresh();
      await this.choose(0, true, "sentences");
    } catch (refusal) {
      get("text-message").textContent = refusal.message;
    }
    get("open-file").value = "";
  }
}

function fillRow(row, { file, at, id, text, words, crossings, valid }) {
  const line = (name, content) => Object.assign(document.createElement("span"), { className: name, textContent: content, dir: "auto" });
  const crossed = crossings === 0 ? "" : crossings === 1 ? ", 1 crossing" : `, ${crossings} crossings`;
  const about = valid ? `${words === 1 ? "1 word" : `${words} words`}${crossed}` : "not a tree";
  const name = line("row-name", `${about}; ${id ?? `sentence ${at}`}`);
  name.dir = "ltr";
  row.title = file;
  row.classList.toggle("crosses", crossings > 0);
  row.replaceChildren(line("row-text", text), name);
}
