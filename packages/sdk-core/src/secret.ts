/**
 * A value that must not be printed: it shows as `[redacted]` in string conversion, JSON and inspection. Only `reveal()`
 * returns the text. It protects against accidental logging, not against malicious code.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The text itself: for the one place that sends or stores it. */
  reveal(): string {
    return this.#value;
  }

  /** `[redacted]`, always. */
  toString(): string {
    return "[redacted]";
  }

  /** `[redacted]`, always. */
  toJSON(): string {
    return "[redacted]";
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return "[redacted]";
  }
}

/** A secret as plain text, or as a `Secret` of this or of another copy of the package. */
export type SecretText = string | { reveal(): string };

/** The text of a secret; undefined for any other type, which callers without TypeScript may pass. */
export function revealed(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return undefined;
  try {
    const text: unknown = "reveal" in value && typeof value.reveal === "function" ? value.reveal() : undefined;
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined; // The error of a caller's wrapper may contain the secret.
  }
}
