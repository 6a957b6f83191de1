"""Reading and writing just as much CoNLL-U as the recipe needs."""


def blocks(path):
    """The sentences of a file, as lists of lines."""
    block = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            if line:
                block.append(line)
            elif block:
                yield block
                block = []
    if block:
        yield block


def words(block):
    """The rows of a sentence's words, as lists of columns; ranges and empty nodes are passed over."""
    rows = (line.split("\t") for line in block if not line.startswith("#"))
    return [row for row in rows if row[0].isdigit()]


def sentences(path):
    """The words of each sentence of a file."""
    return [words(block) for block in blocks(path)]


def write_forms(file, forms):
    """A sentence of which nothing is known but its forms."""
    for number, form in enumerate(forms, 1):
        file.write("\t".join([str(number), form] + ["_"] * 8) + "\n")
    file.write("\n")
