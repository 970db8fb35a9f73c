// What functions of this package throw.

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
