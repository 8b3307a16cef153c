import { EventError } from "./eventError.ts";

/** Headers of any framework: names in any case, values as text or lists. */
export type EventHeaders =
  | { get(name: string): string | null }
  | Iterable<readonly [name: string, value: string]>
  | { readonly [name: string]: string | readonly string[] | undefined };

/** A `Request`, or the headers of a request and its body as it was received. */
export interface EventRequest {
  /** Headers, for example those of a `Request` or of Node's `IncomingMessage`. */
  readonly headers: EventHeaders;
  /** The text or the bytes, never a parsed object. The stream of a `Request` is read up to 64 KiB. */
  readonly body: string | Uint8Array | BodyStream | null;
}

/** A `ReadableStream` of bytes. */
export interface BodyStream {
  /** Whether it is being read already. */
  readonly locked: boolean;
  /** The reader of its bytes. */
  getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>; cancel(): Promise<void> };
}

/** The service sends less than 2 KiB. */
const MAX_BODY_BYTES = 64 * 1024;

/** The one value of a header. A second one could be another's. */
export function headerOf({ headers }: EventRequest, name: string): string {
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  const values = entries.flatMap(([key, value]) => (key.toLowerCase() === name ? value : []));
  const [value] = values;
  if (typeof value !== "string" || value === "" || values.length > 1) throw new EventError("HEADER_MISSING");
  return value;
}

/** `prefix` and the body, in bytes that the caller cannot change. */
export async function bodyAfter(prefix: string, { body }: EventRequest): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const add = (chunk: Uint8Array) => {
    length += chunk.byteLength;
    if (length > MAX_BODY_BYTES) throw new EventError("BODY_TOO_LARGE");
    chunks.push(chunk);
  };
  if (typeof body === "string") {
    // A character has at least one byte.
    if (body.length > MAX_BODY_BYTES) throw new EventError("BODY_TOO_LARGE");
    add(new TextEncoder().encode(body));
  } else if (isBytes(body)) add(body);
  else if (body !== null) await readStream(body, add);
  return joined([new TextEncoder().encode(prefix), ...chunks]);
}

/** Also of another realm, such as that of a test runner. */
function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && "BYTES_PER_ELEMENT" in value && value.BYTES_PER_ELEMENT === 1;
}

async function readStream(body: BodyStream, add: (chunk: Uint8Array) => void): Promise<void> {
  // A parsed body, a body that middleware has read, or none because nothing read it.
  if (typeof body?.getReader !== "function" || body.locked) throw new EventError("BODY_NOT_RAW");
  const reader = body.getReader();
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      if (!isBytes(chunk.value)) throw new EventError("BODY_NOT_RAW");
      add(chunk.value);
    }
  } catch (error) {
    reader.cancel().catch(() => undefined);
    throw error;
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((length, { byteLength }) => length + byteLength, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
