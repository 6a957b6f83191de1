// Pictures that are wider than their place.

/** Scrolls sideways, and no further than needed, until all of the parts are seen, or as many of the last ones as fit. */
export function reveal(place, parts) {
  const margin = 24;
  const outer = place.getBoundingClientRect();
  let [left, right] = [Infinity, -Infinity];
  for (const part of [...parts].reverse()) {
    const box = part.getBoundingClientRect();
    const wider = [Math.min(left, box.left), Math.max(right, box.right)];
    if (right > left && wider[1] - wider[0] > outer.width - 2 * margin) break;
    [left, right] = wider;
  }
  if (right < left) return;
  if (left < outer.left + margin) place.scrollLeft += left - outer.left - margin;
  else if (right > outer.right - margin) place.scrollLeft += right - outer.right + margin;
}

/** Scrolls a list up or down until an item is seen, and nothing else on the page. */
export function revealItem(list, item) {
  const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop += inner.top - outer.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}
