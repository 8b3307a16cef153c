import { deflateSync, gzipSync } from "node:zlib";
import { HOSTILE_TEXTS } from "./hostileValues.ts";
import { mutateBytes } from "./mutate.ts";
import type { Random } from "./random.ts";

/** A request before it is written as bytes. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, not normalized. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | null;
}

export interface WrittenRequest {
  readonly bytes: Buffer;
  /** HTTP that has to be answered; false where the bytes are broken, and closing the connection is an answer. */
  readonly isWellFormed: boolean;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND"];
const HEADER_VALUES: Readonly<Record<string, readonly string[]>> = {
  "Content-Type": [
    ...["application/json", "application/json; charset=utf-16", "text/plain", "application/x-www-form-urlencoded"],
    ...["multipart/form-data; boundary=", "application/graphql-response+json", ";;;", ""],
  ],
  Accept: ["text/event-stream", "multipart/mixed", "*/*;q=nan"],
  "Accept-Encoding": ["gzip, br, zstd"],
  "Content-Encoding": ["gzip", "br, gzip"],
  Origin: ["null", "https://evil.example"],
  Cookie: ["a=b; c", "social-connect-panel=x; social-connect-panel=y"],
  Authorization: ["Bearer", "Basic eDp5"],
  "X-Forwarded-Proto": ["https"],
  "X-Forwarded-For": ["127.0.0.1, ::1"],
  Forwarded: ["for=127.0.0.1;proto=https"],
  "X-Http-Method-Override": ["DELETE"],
  Range: ["bytes=0-1,5-"],
  "If-None-Match": ['"x", W/"y"'],
  "If-Modified-Since": ["never"],
  Expect: ["100-continue"],
  Upgrade: ["websocket"],
  TE: ["trailers"],
  Host: ["evil.example"],
  Referer: ["https://evil.example/?code=1"],
  "Sec-Fetch-Site": ["cross-site"],
};
const EXTRA_HEADERS = Object.entries(HEADER_VALUES).flatMap(([name, values]) =>
  values.map((value) => [name, value] as const),
);

/** Writes a request, in a seventh of the cases broken in itself. */
export function writeRequest(request: HttpRequest, host: string, random: Random): WrittenRequest {
  const kind = random.below(14);
  if (kind === 0) return { bytes: random.bytes(1 + random.below(2_000)), isWellFormed: false };
  const varied = kind < 6 ? vary(request, random) : request;
  const written = write(varied, host, random, kind % 3 === 0);
  if (kind !== 1) return { bytes: written, isWellFormed: true };
  return { bytes: breakFraming(written, random), isWellFormed: false };
}

/** The same with another method, a header more or less, or an encoded body. */
function vary(request: HttpRequest, random: Random): HttpRequest {
  const { headers, body } = request;
  return random.pick<() => HttpRequest>([
    () => ({ ...request, method: random.pick(METHODS) }),
    () => ({ ...request, headers: [...headers, random.pick(EXTRA_HEADERS)] }),
    () => ({ ...request, headers: [...headers, random.pick(EXTRA_HEADERS), random.pick(EXTRA_HEADERS)] }),
    () => ({ ...request, headers: headers.toSpliced(random.below(Math.max(1, headers.length)), 1) }),
    () => ({ ...request, headers: replaceValue(headers, random) }),
    () => ({ ...request, headers: [["Content-Encoding", "gzip"], ...headers], body: body && gzipSync(body) }),
    () => ({ ...request, headers: [["Content-Encoding", "deflate"], ...headers], body: body && deflateSync(body) }),
    () => ({ ...request, body: Buffer.concat([body ?? Buffer.alloc(0), Buffer.alloc(random.below(80_000), 32)]) }),
    () => ({ ...request, body: body && mutateBytes(body, random) }),
    () => ({ ...request, target: `${request.target}?${encodeURIComponent(printable(random.pick(HOSTILE_TEXTS)))}` }),
  ])();
}

function replaceValue(headers: HttpRequest["headers"], random: Random): HttpRequest["headers"] {
  const at = random.below(Math.max(1, headers.length));
  const name = headers[at]?.[0];
  return name === undefined ? headers : headers.with(at, [name, printable(random.pick(HOSTILE_TEXTS))]);
}

/** Characters that a header may contain, within its length limit. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 3_000);
}

function write({ method, target, headers, body }: HttpRequest, host: string, random: Random, chunked: boolean): Buffer {
  const framing =
    body === null ? [] : chunked ? ["Transfer-Encoding: chunked"] : [`Content-Length: ${body.byteLength}`];
  const hasHost = headers.some(([name]) => name === "Host");
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(hasHost ? [] : [`Host: ${host}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...framing,
    "Connection: close",
    "",
    "",
  ];
  const head = Buffer.from(lines.join("\r\n"), "latin1");
  if (body === null) return head;
  return Buffer.concat([head, chunked ? inChunks(body, random) : body]);
}

function inChunks(body: Buffer, random: Random): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const chunk = body.subarray(at, at + 1 + random.below(8_192));
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n"));
    at += chunk.length;
  }
  return Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]);
}

/** Bytes that are no longer HTTP, or that promise more than they hold. */
function breakFraming(bytes: Buffer, random: Random): Buffer {
  const text = bytes.toString("latin1");
  return random.pick<() => Buffer>([
    () => mutateBytes(bytes, random),
    () => bytes.subarray(0, random.below(bytes.length)),
    () =>
      Buffer.from(
        text.replace(
          /Content-Length: \d+/,
          `Content-Length: ${random.pick(["-1", "1e3", "99999999999999999999", "5, 6", ""])}`,
        ),
        "latin1",
      ),
    () => Buffer.from(text.replace("\r\n", "\r\nTransfer-Encoding: chunked\r\n"), "latin1"),
    () => Buffer.from(text.replace("\r\n", `\r\nX-Long: ${"x".repeat(20_000)}\r\n`), "latin1"),
    () => Buffer.from(text.replace("\r\n", `\r\n${"X: y\r\n".repeat(3_000)}`), "latin1"),
    () => Buffer.from(text.replace("HTTP/1.1", random.pick(["HTTP/2.0", "HTTP/0.9", "HTTP/1.1 x", ""])), "latin1"),
    () => Buffer.from(text.replace("\r\n\r\n", "\n\n"), "latin1"),
    () => Buffer.concat([bytes, bytes, random.bytes(50)]),
    () =>
      Buffer.from(
        text.replace(
          /^(\S+) \S+/,
          `$1 ${random.pick(["*", "http://evil.example/", "//", "/%", "/\x7f", `/${"a".repeat(9_000)}`])}`,
        ),
        "latin1",
      ),
  ])();
}
