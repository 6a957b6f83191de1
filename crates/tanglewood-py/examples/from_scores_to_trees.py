"""From a matrix of scores to trees, probabilities and a picture. Each part works as the cell of a notebook."""

# %% Scores of arcs, by whatever model: scores[head, dependent], and node 0 is the root.
import numpy
import tanglewood

words = ["A", "review", "has", "just", "appeared", "of", "her", "new", "novel", "."]
scores = numpy.random.default_rng(7).normal(scale=0.7, size=(11, 11))
for head, dependent in [(2, 1), (5, 2), (5, 3), (5, 4), (0, 5), (9, 6), (9, 7), (9, 8), (2, 9), (5, 10)]:
    scores[head, dependent] += 3

# %% The best tree that mh4+ can build: exact, and it may cross.
heads, score = tanglewood.decode(scores)
tree = tanglewood.Tree(heads, forms=words)
print(f"{score:.3f}", tree.heads, "crossing:", tree.crossing_arcs())

# %% Without crossing arcs.
heads, score = tanglewood.decode(scores, system="arc-standard")
print(f"{score:.3f}", heads.tolist(), "without crossing arcs")

# %% The best five. How sure is the model?
trees, values = tanglewood.kbest(scores, 5)
for heads, value in zip(trees, values):
    probability = numpy.exp(tanglewood.log_prob(scores, heads, system="any"))
    print(f"{value:.3f}  {probability:.3f}", heads.tolist())

# %% The probability of each arc, over all trees. Each column sums to one.
marginals = tanglewood.marginals(scores, system="any")
for word, form in enumerate(words, start=1):
    head = marginals[:, word].argmax()
    print(f"{form:10} {(['ROOT'] + words)[head]:10} {marginals[head, word]:.3f}")

# %% What is known beforehand: "novel" does not depend on "review", and "her" depends on "novel".
heads, score = tanglewood.decode(scores, forbidden=[(2, 9)], required=[(9, 7)])
print(f"{score:.3f}", heads.tolist(), "with constraints")

# %% Many sentences at once, padded to the same length; all cores are used.
batch = numpy.stack([scores, scores])
heads, values = tanglewood.decode(batch, lengths=[10, 5])
print(heads)

# %% A picture. In a notebook, a tree or a derivation at the end of a cell is one.
with open("tree.svg", "w", encoding="utf-8") as file:
    file.write(tree.svg())
with open("derivation.svg", "w", encoding="utf-8") as file:
    file.write(tree.oracle("all-s0s1").svg())
tree
