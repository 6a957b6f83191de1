// What a derivation has done to each word after some of its steps.

/** Words are numbered as in the sentence, whichever end is read first. */
export function progressAt(run, words, step) {
  const node = (place) => (run.direction === "rtl" && place > 0 ? words + 1 - place : place);
  const stack = [];
  const removed = new Set();
  let front = 0;
  for (const arc of run.arcs.slice(0, step)) {
    if (arc === null) stack.push(node(front++));
    else {
      stack.splice(stack.indexOf(arc[1]), 1);
      removed.add(arc[1]);
    }
  }
  const arc = run.arcs[step];
  const active = arc === undefined ? [] : (arc ?? [node(front)]);
  return { stack: new Set(stack), removed, next: arc ?? null, active: active.filter((word) => word > 0) };
}

/** Marks words and arcs of the tree's picture. Before the first step and at a good end the tree is shown as it is. */
export function markProgress(picture, progress, isWhole) {
  picture.classList.toggle("partial", !isWhole);
  const state = (word) => (progress.stack.has(word) ? "stacked" : progress.removed.has(word) ? "removed" : "waiting");
  for (const word of picture.querySelectorAll("[data-word]")) {
    word.classList.remove("stacked", "removed", "waiting");
    if (!isWhole) word.classList.add(state(Number(word.dataset.word)));
  }
  for (const arc of picture.querySelectorAll("[data-dependent]")) {
    const dependent = Number(arc.dataset.dependent);
    arc.classList.toggle("built", progress.removed.has(dependent));
    arc.classList.toggle("current", progress.next !== null && progress.next[1] === dependent);
  }
}
