// Saving the sentence that is seen: as a drawing, LaTeX, CoNLL-U, or a page.

import * as server from "./server.js";

const get = (id) => document.getElementById(id);

/** Fills the menu with what can be made here: endings and names. */
export function offerFormats(formats) {
  get("save").append(...formats.map(([ending, name]) => new Option(name, ending)));
}

/** Has the menu save what `question()` is about; `refused` is told what went wrong. */
export function offerSaving(question, refused) {
  get("save").addEventListener("change", async ({ target }) => {
    const format = target.value;
    target.value = "";
    try {
      const { text, sentence } = question();
      const content = await server.file({ text, sentence, format, layout: get("save-layout").value });
      const link = document.createElement("a");
      link.href = URL.createObjectURL(content);
      link.download = `tree.${format}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    } catch (refusal) {
      refused(refusal);
    }
  });
}
