// The errors that functions of this package throw.

/** The most characters of a value in a message. */
const MAX_LENGTH = 100;

/** A value in a message: cut, and without characters that a terminal would obey. */
export function shown(value) {
  let text;
  try {
    text = String(value);
  } catch {
    // Such as an object without a prototype.
    text = Object.prototype.toString.call(value);
  }
  const cut = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  const escaped = cut.replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
  if (typeof value === "string") return `"${escaped}"`;
  if (typeof value === "bigint") return `${escaped}n`;
  return Array.isArray(value) ? `[${escaped}]` : escaped;
}

/** A request that cannot be answered; `kind` is "position", "roll", "player" or "settings". */
export class TavliError extends Error {
  constructor({ kind, message }) {
    super(message);
    this.name = "TavliError";
    this.kind = kind;
  }
}

/** A job that its signal ended; `result` is what was played until then, or null if nothing was. */
export class AbortError extends Error {
  constructor(result, reason) {
    super("the job was aborted", { cause: reason });
    this.name = "AbortError";
    this.result = result;
  }
}
