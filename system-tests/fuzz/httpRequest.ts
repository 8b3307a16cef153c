import { deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { times } from "../times.ts";
import { edits, TEXT } from "./arbitraries.ts";

type Header = readonly [name: string, value: string];

/** A request before it is written as bytes. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, not normalized. */
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: Buffer | null;
}

export interface WrittenRequest {
  readonly bytes: Buffer;
  /** HTTP that has to be answered; false where the bytes are broken, and closing the connection is an answer. */
  readonly isWellFormed: boolean;
}

const METHOD = fc.constantFrom("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND");
const HEADERS: Readonly<Record<string, readonly string[]>> = {
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
/** Characters that a header may contain, within its length limit. */
const PRINTABLE = TEXT.map((text) => text.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 3_000));
const USUAL = Object.entries(HEADERS).flatMap(([name, all]) => all.map((value): Header => [name, value]));
const HEADER = fc.oneof(
  times(3, fc.constantFrom(...USUAL)),
  times(1, fc.tuple(fc.constantFrom(...Object.keys(HEADERS)), PRINTABLE)),
);
const editBytes = edits<number>(
  fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 8 }).map((bytes) => [...bytes]),
    TEXT.map((text) => [...Buffer.from(text)]),
  ),
).map((edit) => (bytes: Buffer) => Buffer.from(edit([...bytes])));

type Change<Value> = (value: Value) => Value;

type Variation = fc.Arbitrary<Change<HttpRequest>>;
const OTHER_METHOD: Variation = METHOD.map((method) => (request) => ({ ...request, method }));
const OTHER_HEADERS: Variation = edits<Header>(HEADER.map((header) => [header])).map((edit) => (request) => {
  return { ...request, headers: edit(request.headers) };
});
const ENCODED: Variation = fc.boolean().map((isZipped) => (request) => {
  const headers: readonly Header[] = [["Content-Encoding", isZipped ? "gzip" : "deflate"], ...request.headers];
  return { ...request, headers, body: request.body && (isZipped ? gzipSync : deflateSync)(request.body) };
});
const LONGER: Variation = fc.nat(80_000).map((length) => (request) => {
  return { ...request, body: Buffer.concat([request.body ?? Buffer.alloc(0), Buffer.alloc(length, 32)]) };
});
const OTHER_BODY: Variation = editBytes.map((edit) => (request) => {
  return { ...request, body: request.body && edit(request.body) };
});
const OTHER_TARGET: Variation = PRINTABLE.map((text) => (request) => {
  return { ...request, target: `${request.target}?${encodeURIComponent(text)}` };
});
/** The same with another method, a header more or less, or another body. */
const VARIATION = fc.oneof(
  ...[OTHER_METHOD, OTHER_HEADERS, OTHER_HEADERS, OTHER_HEADERS, OTHER_HEADERS, ENCODED, ENCODED, LONGER],
  ...[OTHER_BODY, OTHER_TARGET],
);

const rewritten = (from: string | RegExp, to: fc.Arbitrary<string>) =>
  to.map((text) => (bytes: Buffer) => Buffer.from(bytes.toString("latin1").replace(from, text), "latin1"));

/** Bytes that are no longer HTTP, or that promise more than they hold. */
const BREAKING: fc.Arbitrary<Change<Buffer>> = fc.oneof(
  editBytes,
  fc.nat(100).map((percent) => (bytes: Buffer) => bytes.subarray(0, (bytes.length * percent) / 101)),
  rewritten(/(?<=Content-Length: )\d+/, fc.constantFrom("-1", "1e3", "99999999999999999999", "5, 6", "")),
  rewritten(/(?<=\r\n)/, fc.constantFrom("Transfer-Encoding: chunked\r\n", `X-Long: ${"x".repeat(20_000)}\r\n`)),
  rewritten(/(?<=\r\n)/, fc.constant("X: y\r\n".repeat(3_000))),
  rewritten("HTTP/1.1", fc.constantFrom("HTTP/2.0", "HTTP/0.9", "HTTP/1.1 x", "")),
  rewritten("\r\n\r\n", fc.constant("\n\n")),
  fc.uint8Array({ maxLength: 50 }).map((more) => (bytes: Buffer) => Buffer.concat([bytes, bytes, more])),
  rewritten(
    /(?<=^\S+ )\S+/,
    fc.constantFrom("*", "http://evil.example/", "//", "/%", "/\x7f", `/${"a".repeat(9_000)}`),
  ),
);

/** The length of chunks; null: the body has a length. */
const CHUNKS = fc.option(fc.integer({ min: 1, max: 8_192 }), { freq: 2 });

type Writing = (request: HttpRequest, host: string) => WrittenRequest;

function writing(isWellFormed: boolean, bytesOf: (request: HttpRequest, host: string) => Buffer): Writing {
  return (request, host) => ({ bytes: bytesOf(request, host), isWellFormed });
}

const NOISE = fc
  .uint8Array({ minLength: 1, maxLength: 2_000, size: "max" })
  .map((bytes) => writing(false, () => Buffer.from(bytes)));
const BROKEN = fc
  .tuple(VARIATION, CHUNKS, BREAKING)
  .map(([vary, chunks, breakBytes]) =>
    writing(false, (request, host) => breakBytes(write(vary(request), host, chunks))),
  );
const WHOLE = fc
  .tuple(fc.option(VARIATION, { freq: 1 }), CHUNKS)
  .map(([vary, chunks]) => writing(true, (request, host) => write(vary?.(request) ?? request, host, chunks)));
/** Writes a request for a host, in a seventh of the cases broken in itself. */
export const WRITING = fc.oneof(times(1, NOISE), times(1, BROKEN), times(12, WHOLE));

function write({ method, target, headers, body }: HttpRequest, host: string, chunkLength: number | null): Buffer {
  const framing = chunkLength === null ? `Content-Length: ${body?.byteLength}` : "Transfer-Encoding: chunked";
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(headers.some(([name]) => name === "Host") ? [] : [`Host: ${host}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : [framing]),
    "Connection: close\r\n\r\n",
  ];
  const parts: Uint8Array[] = [Buffer.from(lines.join("\r\n"), "latin1")];
  if (body !== null && chunkLength === null) parts.push(body);
  else if (body !== null && chunkLength !== null) {
    for (let at = 0; at < body.length; at += chunkLength) {
      const chunk = body.subarray(at, at + chunkLength);
      parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n"));
    }
    parts.push(Buffer.from("0\r\n\r\n"));
  }
  return Buffer.concat(parts);
}
