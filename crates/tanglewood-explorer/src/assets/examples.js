// Sentences to begin with.

export const examples = [
  {
    name: "A review has just appeared of her new novel.",
    text: "A/2/det review/5/nsubj has/5/aux just/5/advmod appeared/0/root of/9/case her/9/nmod:poss new/9/amod novel/2/nmod ./5/punct",
  },
  {
    name: "Vem pratar du med?",
    text: "Vem/2/obl pratar/0/root du/2/nsubj med/1/case ?/2/punct",
  },
  {
    name: "Numbers alone are a tree",
    text: "3 4 0 3",
  },
  {
    name: "CoNLL-U",
    text: [
      "# text = Hello world",
      "1\tHello\thello\tINTJ\t_\t_\t2\tdiscourse\t_\t_",
      "2\tworld\tworld\tNOUN\t_\t_\t0\troot\t_\t_",
      "",
    ].join("\n"),
  },
];
