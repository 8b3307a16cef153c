/** A request as every door hands it in. */
export interface Incoming {
  /** In capitals, such as `POST`. */
  readonly method: string;
  /** The whole address. */
  readonly url: URL;
  /** As they came; names in any case. */
  readonly headers: Headers;
  /** Each Authorization header, where the door can tell several from one. */
  readonly authorizations?: readonly string[];
  /** The body as text, null when it is not UTF-8; asked for once, and only where it is needed. */
  readonly text: () => Promise<string | null>;
  /** Bytes of the body where that is known beforehand. */
  readonly bodyBytes?: number | undefined;
}

/** What a door answers with. */
export interface Reply {
  /** HTTP status. */
  readonly status: number;
  /** In the order in which they are sent; a name may come more than once. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The text of the body; null for none. */
  readonly body: string | null;
}

/** An answer, or a connection that is cut without one. */
export type Outcome = Reply | "dropped";

export function reply(
  status: number,
  body: string | null = null,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers: Object.entries(headers), body };
}

export function jsonReply(status: number, value: unknown): Reply {
  return reply(status, JSON.stringify(value), JSON_HEADERS);
}

export const JSON_HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
} as const;

/** The body of a 404 that no page stands for. */
export const NOT_FOUND = "Not found\n";

export function textReply(status: number, text: string): Reply {
  return reply(status, text, { "content-type": "text/plain; charset=utf-8" });
}

/** True when text takes more bytes as UTF-8 than the limit. */
export function isLongerThan(text: string, limitBytes: number): boolean {
  if (text.length > limitBytes) return true;
  return text.length * 3 > limitBytes && new TextEncoder().encode(text).length > limitBytes;
}

/** The one value of a field in a urlencoded body; null when it is missing, doubled, or the body is of another kind or too large. */
export async function formField(request: Incoming, name: string): Promise<string | null> {
  const form = await readForm(request);
  const [value, ...others] = form?.getAll(name) ?? [];
  return value === undefined || others.length > 0 ? null : value;
}

const LARGEST_FORM_BYTES = 16_384;

export async function readForm(request: Incoming): Promise<URLSearchParams | null> {
  const mediaType = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType !== "application/x-www-form-urlencoded") return null;
  const body = await request.text();
  return body === null || isLongerThan(body, LARGEST_FORM_BYTES) ? null : new URLSearchParams(body);
}
