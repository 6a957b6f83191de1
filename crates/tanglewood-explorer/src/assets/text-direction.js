// Words of any script within sentences of this page's own.

/** A word that does not change the order of what stands around it: Unicode's isolates. */
export const isolated = (text) => `\u2068${text}\u2069`;

/** A node's name: the word, its number where it has no form, or the root. */
export const nodeName = (node, forms) => (node === 0 ? "ROOT" : isolated(forms[node - 1] || String(node)));
