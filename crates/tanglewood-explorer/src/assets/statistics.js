// Counts of a selection of sentences, and how much of it each system covers.

const share = (part, whole) => (whole === 0 ? "–" : `${((100 * part) / whole).toFixed(2)} %`);
const grouped = (number) => number.toLocaleString("en");

/** Shows an answer, or that there is none yet. */
export function showStatistics(place, answer) {
  if (answer === null) {
    place.textContent = "Counting …";
    return;
  }
  const { sentences, words, nonprojective, invalid, crossing_arcs: crossing, arcs, coverage } = answer;
  const summary = document.createElement("p");
  summary.textContent = `${grouped(sentences)} trees, ${grouped(words)} words; ${grouped(nonprojective)} non-projective (${share(nonprojective, sentences)}), ${share(crossing, arcs)} of arcs cross${invalid ? `; ${grouped(invalid)} are no trees` : ""}.`;
  const table = document.createElement("table");
  const cell = (name, text, scope) => Object.assign(document.createElement(name), { textContent: text, ...(scope ? { scope } : {}) });
  const head = document.createElement("tr");
  head.append(...["covered", "ltr", "either"].map((title) => cell("th", title, "col")));
  const rows = coverage.map(({ system, ltr, either }) => {
    const row = document.createElement("tr");
    row.append(cell("th", system, "row"), cell("td", share(ltr, nonprojective)), cell("td", share(either, nonprojective)));
    return row;
  });
  table.append(head, ...rows);
  place.replaceChildren(summary, table);
}
