// Pictures come as text and are read as XML: nothing in them is run.

/** Shows a picture, and gives it back. One that begins on the right is seen from there. */
export function show(place, text, fromRight = false) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const picture = document.importNode(parsed, true);
  place.dir = fromRight ? "rtl" : "ltr";
  place.replaceChildren(picture);
  return picture;
}

/** A new part of a picture. */
export function part(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
