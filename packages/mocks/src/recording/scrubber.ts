import { Kind, parse, print, visit } from "graphql";
import { enumFields, enumValues } from "./consumerSchema.ts";

const PLACEHOLDER = /^(?:value-\d+|https:\/\/value-\d+\.example\.test\/)$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;
const TIME_PLACEHOLDER = /^time([+-]\d+)$/;
/** The form of enum values and codes. */
const CODE = /^[A-Z][A-Z_]{1,39}$/;
/** A name that may hold a key or a token. */
const SUSPICIOUS_NAME = /[0-9a-f]{16}|\w{41}/i;

export function isPlaceholder(value: unknown): value is string {
  return typeof value === "string" && PLACEHOLDER.test(value);
}

/** The time of a placeholder, for a request that is sent at `nowMs`; null for another text. */
export function timeOf(text: string, nowMs: number): string | null {
  const [, distance] = TIME_PLACEHOLDER.exec(text) ?? [];
  return distance === undefined ? null : new Date(nowMs + Number(distance)).toISOString();
}

/**
 * Replaces every string, in any place, by a placeholder, so that no key, token or name remains: `value-3`, an address
 * `https://value-4.example.test/`, or for a time its distance from the request, `time+60000`. Only enum values and codes stay.
 * Equal strings have the same placeholder, so later requests still refer to earlier responses.
 */
export class Scrubber {
  readonly #placeholders = new Map<string, string>();

  /** A document without its literal strings and the operation's name; null when it cannot be parsed or has suspicious names. */
  query(text: string, nowMs: number): string | null {
    try {
      const document = visit(parse(text), {
        [Kind.STRING]: (node) => ({ ...node, value: this.#text(node.value, nowMs), block: false }),
        [Kind.OPERATION_DEFINITION]: ({ name: _, ...node }) => node,
      });
      const scrubbed = print(document);
      return SUSPICIOUS_NAME.test(scrubbed) ? null : scrubbed;
    } catch {
      return null;
    }
  }

  /** A copy without strings. */
  value(value: unknown, nowMs: number, field = ""): unknown {
    if (typeof value === "string") return this.#isCode(value, field) ? value : this.#text(value, nowMs);
    if (Array.isArray(value)) return value.map((entry) => this.value(entry, nowMs, field));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([name, entry]) => [this.#name(name), this.value(entry, nowMs, name)]);
    return Object.fromEntries(entries);
  }

  /** A code of an error; null for anything else. */
  code(value: unknown): string | null {
    return typeof value === "string" && CODE.test(value) ? value : null;
  }

  /** Includes values that the mocks do not know, where the schema has an enum. */
  #isCode(text: string, field: string): boolean {
    return enumValues().has(text) || (CODE.test(text) && enumFields().has(field));
  }

  #text(text: string, nowMs: number): string {
    if (enumValues().has(text)) return text;
    if (TIME.test(text)) return `time${signed(Date.parse(text) - nowMs)}`;
    const known = this.#placeholders.get(text);
    if (known !== undefined) return known;
    const name = `value-${this.#placeholders.size + 1}`;
    const placeholder = /^https?:/.test(text) ? `https://${name}.example.test/` : name;
    this.#placeholders.set(text, placeholder);
    return placeholder;
  }

  #name(name: string): string {
    return /^\w+$/.test(name) && !SUSPICIOUS_NAME.test(name) ? name : this.#text(name, 0);
  }
}

function signed(ms: number): string {
  return ms < 0 ? String(ms) : `+${ms}`;
}
