/** The pattern of a key, and what an error message calls it. */
export interface KeyShape {
  readonly pattern: RegExp;
  /** The option or variable, for example `key`. */
  readonly name: string;
  /** For example `an application key: a UUID, a dot and 64 hexadecimal characters`. */
  readonly form: string;
  /** The key of the other API, and what an error message calls it. */
  readonly other: { readonly pattern: RegExp; readonly form: string };
}

export const APPLICATION_KEY = {
  pattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[0-9a-f]{64}$/i,
  form: "an application key: a UUID, a dot and 64 hexadecimal characters",
  other: { pattern: /\bscadm_/i, form: "an admin key" },
};
export const ADMIN_KEY = {
  pattern: /^scadm_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[0-9a-f]{64}$/,
  form: "an admin key: scadm_, a UUID, a dot and 64 lowercase hexadecimal characters",
  other: { pattern: /^[0-9a-f]{8}-/i, form: "an application key" },
};

/** What is wrong with a key; undefined if nothing is. Contains no part of it. */
export function keyProblem(value: unknown, { pattern, form, other }: Omit<KeyShape, "name">): string | undefined {
  if (typeof value !== "string" || value === "") return `is ${value ? "not" : "missing or empty: pass"} ${form}`;
  if (pattern.test(value)) return undefined;
  if (other.pattern.test(value)) return `is ${other.form}: pass ${form}`;
  const [, surplus] = SURPLUS.find(([each]) => each.test(value)) ?? [];
  return surplus === undefined ? `is not ${form}` : `must not contain ${surplus}: pass only ${form}`;
}

/** What is copied or quoted with a key. The first is named. */
const SURPLUS: readonly (readonly [RegExp, string])[] = [
  [/bearer/i, "`Bearer`"],
  [/["'`\u2018-\u201f]/, "quotation marks"],
  [/[\s\\\p{C}]/u, "white space"],
];
