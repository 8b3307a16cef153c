import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { deflateSync, gzipSync } from "node:zlib";
import { type LocalServer, sampled, serve } from "@social-connect/testkit";
import { operationIn } from "./replies.ts";

/** The parts of a request that a hostile server can put into its response. */
export interface Heard {
  /** The headers and the body, as one text. */
  readonly echo: string;
  /** A value of the request. */
  readonly part: string;
  readonly operation: string;
  readonly good: object;
  readonly response: ServerResponse;
  readonly request: IncomingMessage;
}

export type Behaviour = (heard: Heard) => void;

/** A server that reads each request and then behaves in this way. `goodValue` returns a valid value of an operation. */
export function serveHostile(behaviour: Behaviour, goodValue: (operation: string) => object): Promise<LocalServer> {
  return serve(async (request, response) => {
    response.on("error", () => undefined);
    const body = await text(request);
    const { query } = JSON.parse(body) as { readonly query: string };
    const echo = `${JSON.stringify(request.headers)} ${body}`;
    const [part = "canary"] = /canary-[\w-]+/.exec(body) ?? [];
    const operation = operationIn(query);
    behaviour({ echo, part, operation, good: goodValue(operation), request, response });
  });
}

export function callsFor<Call>(calls: readonly Call[], answerIndex: number): Call[] {
  return sampled(calls, answerIndex, 4);
}

const JSON_TYPE = { "content-type": "application/json" };
const HTML_TYPE = { "content-type": "text/html; charset=utf-8" };

const say =
  (status: number, headers: Record<string, string>, body: (heard: Heard) => string | Buffer): Behaviour =>
  (heard) =>
    void heard.response.writeHead(status, headers).end(body(heard));
const json = (body: (heard: Heard) => unknown, status = 200) =>
  say(status, JSON_TYPE, (heard) => JSON.stringify(body(heard)));
const rawJson = (body: (heard: Heard) => string) => say(200, JSON_TYPE, body);
const encoded = (encoding: string, body: (heard: Heard) => string | Buffer) =>
  say(200, { ...JSON_TYPE, "content-encoding": encoding }, body);
const html = (status: number, headers: Record<string, string> = {}) =>
  say(status, { ...HTML_TYPE, ...headers }, ({ echo }) => `<html><h1>${status}</h1><pre>${echo}</pre></html>`);
const value = (of: (heard: Heard) => unknown) => json((heard) => ({ data: { [heard.operation]: of(heard) } }));
const failing = (error: (heard: Heard) => unknown) => json((heard) => ({ errors: [error(heard)] }));
const refusing = (extensions: (heard: Heard) => object) =>
  failing((heard) => ({ message: "m", extensions: extensions(heard) }));
const forbidding = (message: (heard: Heard) => string) =>
  failing((heard) => ({ message: message(heard), extensions: { code: "FORBIDDEN" } }));
const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const withValue = ({ operation, good }: Heard, more: string) =>
  `{"data":{"${operation}":${JSON.stringify(good).slice(0, -1)},${more}}}}`;

/** Packed once, because packing takes much longer than sending. */
const HUGE = {
  gzip: once(() => gzipSync(Buffer.alloc(64 * 1024 * 1024, " "))),
  deflate: once(() => deflateSync(Buffer.alloc(32 * 1024 * 1024, "["))),
};

function once(make: () => Buffer): () => Buffer {
  let made: Buffer | undefined;
  return () => (made ??= make());
}

/** Responses that are not of the service. */
const PROTOCOL: Readonly<Record<string, Behaviour>> = {
  "a page of a proxy": html(200),
  "a page of a proxy that asks to sign in": html(401),
  "a page of a firewall": html(403),
  "a page that was not found": html(404),
  "a page about too large a body": html(413),
  "a page about too many requests": html(429, { "retry-after": "1" }),
  "a page about a fault": html(500),
  "a page of a gateway": html(502),
  "a page about maintenance": html(503, { "retry-after": "not a time" }),
  "another API": json(({ echo }) => ({ message: echo }), 401),
  "a teapot": json(({ echo }) => ({ errors: echo }), 418),
  "no content": say(204, {}, () => ""),
  "an empty body": say(200, JSON_TYPE, () => ""),
  "a permanent redirect": say(301, { location: "/elsewhere" }, ({ echo }) => echo),
  "a redirect that carries the request along": ({ echo, response }) =>
    void response.writeHead(307, { location: `https://elsewhere.example/?${encodeURIComponent(echo)}` }).end(),
  "a status that does not exist": json(({ echo }) => ({ message: echo }), 799),

  "another content type": say(200, { "content-type": "text/plain" }, ({ echo }) => echo),
  "no content type": say(200, {}, () => '{"data":{}}'),
  "a body that is not JSON": rawJson(({ echo }) => echo),
  "JSON with something behind it": rawJson((heard) => `${withValue(heard, '"x":1')} ${heard.echo}`),
  "JSON that is a list": rawJson(({ echo }) => JSON.stringify([echo])),
  "JSON that is a text": rawJson(({ echo }) => JSON.stringify(echo)),
  "text that is not UTF-8": say(200, JSON_TYPE, () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])),
  "an unknown encoding": encoded("rot13", ({ echo }) => echo),
  "a small body that unpacks to a huge one": encoded("gzip", HUGE.gzip),
  "the same, packed otherwise": encoded("deflate", HUGE.deflate),
  "a length of a gigabyte": ({ response }) =>
    void response.writeHead(200, { ...JSON_TYPE, "content-length": "1000000000" }).write("{"),
  "a body without an end": ({ response }) => {
    response.writeHead(200, JSON_TYPE);
    const pump = () => {
      while (!response.destroyed && response.write(Buffer.alloc(256 * 1024, " ")));
      if (!response.destroyed) response.once("drain", pump);
    };
    pump();
  },

  "data that is null": json(() => ({ data: null })),
  "data that is a text": json(({ echo }) => ({ data: echo })),
  "data that is a list": json(({ echo }) => ({ data: [echo] })),
  "data of something else": json(({ echo }) => ({ data: { other: echo } })),
  "data that is a prototype": rawJson(() => '{"data":{"__proto__":{"connection":{}}},"__proto__":{"errors":[]}}'),
  "a value that is null": value(() => null),
  "a value that is a text": value(({ echo }) => echo),
  "a value that is a list": value(({ echo }) => [echo]),
  "a value that is nested without measure": rawJson(({ operation }) => `{"data":{"${operation}":${deep(10_000)}}}`),
  "fields of other kinds": value(({ good, echo }) => ({ ...good, id: { echo }, status: [echo], launchUrl: 7 })),
  "pages that never end": value(() => ({ items: [], pageInfo: { endCursor: "same", hasNextPage: true } })),
  "deep nesting": rawJson(() => deep(200_000)),
  "an empty list of errors": json(() => ({ errors: [] })),
  "errors that are a text": json(({ echo }) => ({ errors: echo })),
};

const TRANSPORT: Readonly<Record<string, Behaviour>> = {
  "compressed nonsense": encoded("gzip", ({ echo }) => echo),
  "JSON that is cut": rawJson(({ echo }) => `{"data":{"x":${JSON.stringify(echo)}`),
  "a body that is cut": ({ response }) => {
    response.writeHead(200, { ...JSON_TYPE, "content-length": "500" });
    response.write('{"data":{', () => response.destroy());
  },
  "a body that is cut between two pieces": ({ response }) => {
    response.writeHead(200, JSON_TYPE);
    response.write('{"data":{', () => response.destroy());
  },
  "a connection that breaks": ({ response }) => void response.socket?.destroy(),
  "malformed headers": ({ request, response }) =>
    void response.socket?.end(`HTTP/1.1 200 OK\r\n${request.headers.authorization}\r\n\r\n`),
};

/** Unusual, but valid: the value has the fields of the schema. */
const DATA: Readonly<Record<string, Behaviour>> = {
  "a byte order mark before it": rawJson((heard) => `\uFEFF${withValue(heard, '"x":1')}`),
  "values that no version knows": value(({ good }) => ("status" in good ? { ...good, status: "PONDERING" } : good)),
  "names that reach for prototypes": rawJson((heard) =>
    withValue(heard, '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1'),
  ),
  "something nested without measure in the value": rawJson((heard) => withValue(heard, `"x":${deep(200_000)}`)),
};

const SERVICE: Readonly<Record<string, Behaviour>> = {
  "something nested without measure in the error": rawJson(
    () => `{"errors":[{"message":"m","extensions":{"code":"FORBIDDEN","x":${deep(200_000)}}}]}`,
  ),
  "errors without fields": json(({ echo }) => ({ errors: [null, 7, echo, { extensions: 7 }] })),
  "an error that says nothing": failing(() => ({})),
  "an error with status 400": json(
    ({ echo }) => ({ errors: [{ message: echo, extensions: { code: "BAD_USER_INPUT" } }] }),
    400,
  ),
  "an error that repeats the request": forbidding(({ echo }) => echo),
  "an error that repeats the request twice packed": forbidding(({ echo }) =>
    JSON.stringify({ request: JSON.stringify(echo) }),
  ),
  "an error that repeats it for addresses": forbidding(({ echo }) => encodeURIComponent(echo)),
  "an error that repeats it in capitals": forbidding(({ echo }) => echo.toUpperCase()),
  "an error that repeats it everywhere": failing(({ echo }) => ({
    message: echo.slice(-200),
    path: [echo],
    locations: [{ line: echo }],
    extensions: {
      code: echo,
      reason: echo,
      correlationId: echo,
      retryAfterSeconds: echo,
      request: echo,
      exception: { stacktrace: [echo] },
    },
  })),
  "a conflict that repeats it everywhere": failing(({ echo }) => ({
    message: echo,
    extensions: { code: "CONFLICT", reason: echo, correlationId: echo, echo },
  })),
  "an error that repeats each value in a field for names": failing(({ request }) => {
    const [id = "", secret = ""] = (request.headers.authorization ?? "").replace("Bearer ", "").split(".");
    return { message: secret, extensions: { code: secret, reason: secret, correlationId: id } };
  }),
  "an error that comes with the value and repeats it": json(({ operation, good }) => ({
    data: { [operation]: { ...good, launchToken: "canary-one-use-token", resultProof: "canary-second-proof" } },
    errors: [{ message: "lost canary-one-use-token and canary-second-proof", extensions: { code: "FORBIDDEN" } }],
  })),
  "an error that repeats the request in base64": forbidding(({ echo }) =>
    Buffer.from(echo).toString("base64").replace(/.{32}/g, "$& "),
  ),
  "an error that repeats the request for a page": forbidding(({ echo }) =>
    echo.replace(/[^a-z]/gi, (character) => `&#${character.codePointAt(0)};`).slice(-480),
  ),
  "an error whose code is a value of the request": refusing(({ part }) => ({ code: part, reason: part })),
  "an error with pieces of the request in fields for names": refusing(({ request, part }) => ({
    code: `E_${part}`,
    reason: `R${(request.headers.authorization ?? "").slice(-30)}`,
  })),
  "an error of a code that no version knows": refusing(() => ({ code: "QUOTA_OF_TOMORROW" })),
  "codes that are not strings": failing(() => ({
    message: 7,
    extensions: { code: 7, reason: {}, correlationId: [], retryAfterSeconds: -1 },
  })),
  "an error of endless length": forbidding(({ echo }) => `${"x".repeat(2_000_000)}${echo}`),
  "an error that forges log lines": forbidding(() => "m\r\n\u001b[2J\u2028ERROR root signed in"),
  "an error with an invalid retry delay": refusing(() => ({ code: "RATE_LIMITED", retryAfterSeconds: -5 })),
  "an error with a wait until the end of time": refusing(() => ({
    code: "UPSTREAM_UNAVAILABLE",
    retryAfterSeconds: 1e308,
  })),
  "an error of a prototype": rawJson(
    () => '{"errors":[{"message":{"__proto__":1},"extensions":{"__proto__":{"code":"FORBIDDEN"},"code":"__proto__"}}]}',
  ),
};

/** Faulty and malicious responses by the kind of the result. Each tries to repeat the request. */
export const HOSTILE_ANSWERS = { protocol: PROTOCOL, transport: TRANSPORT, data: DATA, service: SERVICE };
