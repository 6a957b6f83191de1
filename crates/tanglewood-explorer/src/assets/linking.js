// What is pointed at lights up wherever it is shown: words, slots, arcs, transitions, and the arcs that an arc crosses.

const lit = (selector) => document.querySelectorAll(`#tree-part ${selector}`);

function clear() {
  for (const part of lit(".lit, .crossed")) part.classList.remove("lit", "crossed");
  document.getElementById("tree").classList.remove("pointing");
}

function lightWord(number) {
  for (const part of lit(`[data-word="${number}"], [data-node="${number}"]`)) part.classList.add("lit");
}

function lightArc(dependent, pairs) {
  for (const part of lit(`[data-dependent="${dependent}"], #steps [data-arc="${dependent}"]`)) part.classList.add("lit");
  const crossed = pairs.filter((pair) => pair.includes(dependent)).map(([first, second]) => (first === dependent ? second : first));
  for (const other of crossed) for (const part of lit(`[data-dependent="${other}"]`)) part.classList.add("crossed");
  document.getElementById("tree").classList.add("pointing");
}

/** Has the parts light up; `pairs()` gives the pairs of arcs that cross, by their dependents. */
export function linkParts(pairs) {
  const point = ({ target }) => {
    clear();
    const part = target.closest?.("[data-dependent], [data-word], [data-node], [data-arc]");
    if (!part) return;
    const { dependent, word, node, arc } = part.dataset;
    if (dependent ?? arc) lightArc(Number(dependent ?? arc), pairs());
    if (word ?? node) lightWord(Number(word ?? node));
  };
  const place = document.getElementById("tree-part");
  place.addEventListener("pointerover", point);
  place.addEventListener("focusin", point);
  place.addEventListener("pointerleave", clear);
}
