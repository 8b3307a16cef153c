/** The pattern of a key, and what an error message calls it. */
export interface KeyShape {
  readonly pattern: Pick<RegExp, "test">;
  /** The option or variable, for example `key`. */
  readonly name: string;
  /** For example `an application key: a UUID, a dot and 64 hexadecimal characters`. */
  readonly form: string;
}

/** What is copied or quoted with a key, none of which is part of any key. */
const SURPLUS: readonly (readonly [RegExp, string])[] = [
  [/(authorization:\s*)?bearer\s*/i, "`Bearer`"],
  [/^\s*\w*=\s*/, "the name of a variable"],
  [/["'`\u201c\u201d\u2018\u2019]+/g, "quotation marks"],
  [/([\r\n]|\\[rn])+/g, "a line break"],
  [/\s+/g, "a space"],
  [/[\p{Cc}\p{Cf}]+/gu, "an invisible character"],
];

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^scadm_/, "an admin key"],
  [/^[0-9a-f-]{36}\.[0-9a-f]{64}$/i, "an application key"],
  [/^whsec_/, "the secret of an event endpoint"],
];

/** What is wrong with a key; undefined if nothing is. Contains no part of it. */
export function keyProblem(value: unknown, { pattern, form }: Omit<KeyShape, "name">): string | undefined {
  if (typeof value !== "string" || value === "") return `is ${value ? "not" : "missing or empty: pass"} ${form}`;
  if (pattern.test(value)) return undefined;
  const surplus: string[] = [];
  let rest = value;
  for (const [each, what] of SURPLUS) {
    const before = rest;
    rest = before.replace(each, "");
    if (rest !== before) surplus.push(what);
  }
  if (surplus.length > 0) return `must not contain ${surplus.join(" or ")}. Pass only ${form}`;
  const kind = KINDS.find(([each, what]) => each.test(value) && !form.startsWith(what))?.[1];
  return `is ${kind === undefined ? "" : `${kind}, `}not ${form}`;
}
