/** Everything that a request carried, so that none of it comes back in an error that somebody logs. */
export interface Carried {
  /** The key and each half of it. */
  readonly secrets: readonly string[];
  /** The texts among the request's variables. */
  readonly values: readonly string[];
}

export function carriedBy(body: string, key: string | undefined): Carried {
  const request: { readonly variables?: unknown } = JSON.parse(body);
  const values: string[] = [];
  collectTexts(request.variables, values);
  return { secrets: key === undefined ? [] : [key, ...key.split(".")], values: values.filter(isTelling) };
}

function collectTexts(value: unknown, into: string[]): void {
  if (typeof value === "string") into.push(value);
  else if (typeof value === "object" && value !== null) {
    for (const each of Object.values(value)) collectTexts(each, into);
  }
}

/** Values of enumerations, such as PROVIDER_A, say nothing about anybody, and messages need them. */
function isTelling(value: string): boolean {
  return value !== "" && !/^[A-Z][A-Z_]+$/.test(value);
}

const LONGEST_LOOKED_AT = 4_000;
const LONGEST_MESSAGE = 500;
const REDACTED = "[redacted]";
const LEFT_OUT = "The service refused this call. What it wrote repeats parts of the request and is left out.";

/**
 * A message that the other side wrote, fit for a log: what the request carried is taken out, and so is anything that
 * looks like a token. A server, a proxy or a middleware that puts requests into its errors is an accident that happens.
 */
export function cleanMessage(message: string, { secrets, values }: Carried): string {
  let text = message.slice(0, LONGEST_LOOKED_AT);
  // The longest first: a short value may be a part of it.
  for (const value of [...secrets, ...values].sort((one, other) => other.length - one.length)) {
    for (const form of formsOf(value)) text = withoutForm(text, form);
  }
  text = text.replace(/[A-Za-z0-9_-]{40,}/g, REDACTED);
  // Line breaks and escape sequences would forge log lines.
  text = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  if (text.length > LONGEST_MESSAGE) text = `${text.slice(0, LONGEST_MESSAGE)}…`;
  // A piece of a value, as a server leaves when it cuts its message short.
  const hasPiece =
    secrets.some((one) => sharesPiece(text, one, 10)) || values.some((one) => sharesPiece(text, one, 16));
  return hasPiece ? LEFT_OUT : text;
}

/** A code or an id that the other side wrote; undefined when it is not of that form or repeats the request. */
export function cleanName(name: unknown, form: RegExp, { secrets, values }: Carried): string | undefined {
  if (typeof name !== "string" || !form.test(name)) return undefined;
  const isCarried = [...secrets, ...values].some((value) => value.toLowerCase() === name.toLowerCase());
  return isCarried ? undefined : name;
}

/** The ways in which a value is commonly written into another text. */
function formsOf(value: string): ReadonlySet<string> {
  return new Set([value, JSON.stringify(value).slice(1, -1), percentEncoded(value)]);
}

function percentEncoded(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value; // An unpaired surrogate has no such form.
  }
}

/** Short values are taken out as whole words only: an id like `a` would leave nothing of any message. */
function withoutForm(text: string, form: string): string {
  const pattern = form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const whole = form.length < 4 ? `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])` : pattern;
  return text.replace(new RegExp(whole, "giu"), REDACTED);
}

function sharesPiece(text: string, value: string, length: number): boolean {
  const [within, whole] = [text.toLowerCase(), value.toLowerCase()];
  for (let at = 0; at + length <= within.length; at += 1) {
    if (whole.includes(within.slice(at, at + length))) return true;
  }
  return false;
}
