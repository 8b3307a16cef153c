import { inspect } from "node:util";

const REDACTED = "[redacted]";

/**
 * A value that must never be read accidentally: printing, logging, inspecting or serializing it gives `[redacted]`.
 * Only `reveal()` returns the value, so a search for that word finds every use.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}
