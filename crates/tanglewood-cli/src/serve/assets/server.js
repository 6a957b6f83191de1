// Asking the server. A question that has been overtaken by another of its kind is not answered any more.

const asked = new Map();

/** What the server refuses, with the line it is about if there is one. */
export class Refusal extends Error {
  constructor({ message, line, column }) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

/** The answer, or null if there is a newer question; throws a Refusal. */
export async function ask(path, question, kind = path) {
  asked.get(kind)?.abort();
  const controller = new AbortController();
  asked.set(kind, controller);
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(question),
      signal: controller.signal,
    });
    const answer = await response.json();
    if (controller.signal.aborted) return null;
    if (!response.ok) throw new Refusal(answer.error);
    return answer;
  } catch (error) {
    if (controller.signal.aborted) return null;
    if (error instanceof Refusal) throw error;
    throw new Refusal({ message: `no answer from the server; is it still running? (${error.message})` });
  }
}
