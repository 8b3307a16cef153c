import { deflateSync, gzipSync } from "node:zlib";
import type { Behaviour, Heard } from "./hostileServer.ts";
import { connection, SESSION_WIRE } from "./samples.ts";

const JSON_TYPE = { "content-type": "application/json" };
const HTML_TYPE = { "content-type": "text/html; charset=utf-8" };
const IDENTITY = {
  issuer: "https://issuer.example",
  idpSub: "s",
  email: null,
  emailVerified: null,
  name: null,
  pictureUrl: null,
};

/** A valid value for each operation that the tests call. */
const GOOD: Readonly<Record<string, object>> = {
  connection: connection("connection-1"),
  createConnectSession: SESSION_WIRE,
  redeemIdpIdentityResult: { ...IDENTITY, status: "DENIED" },
};

/** The result of a response: an error of this kind, or data. */
export type Ending = "service" | "transport" | "timeout" | "protocol" | "data";

interface HostileCase {
  readonly behaves: Behaviour;
  readonly ends: Ending;
}

const say =
  (status: number, headers: Record<string, string>, body: (heard: Heard) => string | Buffer): Behaviour =>
  (heard) =>
    void heard.response.writeHead(status, headers).end(body(heard));
const json = (body: (heard: Heard) => unknown, status = 200) =>
  say(status, JSON_TYPE, (heard) => JSON.stringify(body(heard)));
const rawJson = (body: (heard: Heard) => string) => say(200, JSON_TYPE, body);
const failing = (error: (heard: Heard) => unknown) => json((heard) => ({ errors: [error(heard)] }));
const html = (status: number, headers: Record<string, string> = {}) =>
  say(status, { ...HTML_TYPE, ...headers }, ({ echo }) => `<html><h1>${status}</h1><pre>${echo}</pre></html>`);
const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const withValue = ({ operation }: Heard, more: string) => {
  const good = JSON.stringify(GOOD[operation]);
  return `{"data":{"${operation}":${good.slice(0, -1)},${more}}}}`;
};

/** Faulty and malicious responses by name. Each response tries to repeat the request. */
export const HOSTILE_ANSWERS: Readonly<Record<string, HostileCase>> = {
  "a page of a proxy": { behaves: html(200), ends: "protocol" },
  "a page of a proxy that asks to sign in": { behaves: html(401), ends: "protocol" },
  "a page of a firewall": { behaves: html(403), ends: "protocol" },
  "a page that was not found": { behaves: html(404), ends: "protocol" },
  "a page about too large a body": { behaves: html(413), ends: "protocol" },
  "a page about too many requests": { behaves: html(429, { "retry-after": "1" }), ends: "protocol" },
  "a page about a fault": { behaves: html(500), ends: "protocol" },
  "a page of a gateway": { behaves: html(502), ends: "protocol" },
  "a page about maintenance": { behaves: html(503, { "retry-after": "not a time" }), ends: "protocol" },
  "another API": { behaves: json(({ echo }) => ({ message: echo }), 401), ends: "protocol" },
  "a teapot": { behaves: json(({ echo }) => ({ errors: echo }), 418), ends: "protocol" },
  "no content": { behaves: say(204, {}, () => ""), ends: "protocol" },
  "an empty body": { behaves: say(200, JSON_TYPE, () => ""), ends: "protocol" },
  "a permanent redirect": { behaves: say(301, { location: "/elsewhere" }, ({ echo }) => echo), ends: "protocol" },
  "a redirect that carries the request along": {
    behaves: ({ echo, response }) =>
      void response.writeHead(307, { location: `https://elsewhere.example/?${encodeURIComponent(echo)}` }).end(),
    ends: "protocol",
  },
  "a status that does not exist": { behaves: json(({ echo }) => ({ message: echo }), 799), ends: "protocol" },

  "another content type": { behaves: say(200, { "content-type": "text/plain" }, ({ echo }) => echo), ends: "protocol" },
  "no content type": { behaves: say(200, {}, () => '{"data":{}}'), ends: "protocol" },
  "a body that is not JSON": { behaves: rawJson(({ echo }) => echo), ends: "protocol" },
  "JSON with something behind it": {
    behaves: rawJson((heard) => `${withValue(heard, '"x":1')} ${heard.echo}`),
    ends: "protocol",
  },
  "JSON that is a list": { behaves: rawJson(({ echo }) => JSON.stringify([echo])), ends: "protocol" },
  "JSON that is a text": { behaves: rawJson(({ echo }) => JSON.stringify(echo)), ends: "protocol" },
  "text that is not UTF-8": {
    behaves: say(200, JSON_TYPE, () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])),
    ends: "protocol",
  },
  "a byte order mark before it": { behaves: rawJson((heard) => `\uFEFF${withValue(heard, '"x":1')}`), ends: "data" },
  "compressed nonsense": {
    behaves: say(200, { ...JSON_TYPE, "content-encoding": "gzip" }, ({ echo }) => echo),
    ends: "transport",
  },
  "an unknown encoding": {
    behaves: say(200, { ...JSON_TYPE, "content-encoding": "rot13" }, ({ echo }) => echo),
    ends: "protocol",
  },
  "a small body that unpacks to a huge one": {
    behaves: say(200, { ...JSON_TYPE, "content-encoding": "gzip" }, () =>
      gzipSync(Buffer.alloc(64 * 1024 * 1024, " ")),
    ),
    ends: "protocol",
  },
  "the same, packed otherwise": {
    behaves: say(200, { ...JSON_TYPE, "content-encoding": "deflate" }, () =>
      deflateSync(Buffer.alloc(32 * 1024 * 1024, "[")),
    ),
    ends: "protocol",
  },
  "a length of a gigabyte": {
    behaves: ({ response }) =>
      void response.writeHead(200, { ...JSON_TYPE, "content-length": "1000000000" }).write("{"),
    ends: "protocol",
  },
  "a body without an end": {
    behaves: ({ response }) => {
      response.writeHead(200, JSON_TYPE);
      const pump = () => {
        while (!response.destroyed && response.write(Buffer.alloc(256 * 1024, " ")));
        if (!response.destroyed) response.once("drain", pump);
      };
      pump();
    },
    ends: "protocol",
  },
  "a body that is cut": {
    behaves: ({ response }) => {
      response.writeHead(200, { ...JSON_TYPE, "content-length": "500" });
      response.write('{"data":{', () => response.destroy());
    },
    ends: "transport",
  },
  "a body that is cut between two pieces": {
    behaves: ({ response }) => {
      response.writeHead(200, JSON_TYPE);
      response.write('{"data":{', () => response.destroy());
    },
    ends: "transport",
  },

  "data that is null": { behaves: json(() => ({ data: null })), ends: "protocol" },
  "data that is a text": { behaves: json(({ echo }) => ({ data: echo })), ends: "protocol" },
  "data that is a list": { behaves: json(({ echo }) => ({ data: [echo] })), ends: "protocol" },
  "data of something else": { behaves: json(({ echo }) => ({ data: { other: echo } })), ends: "protocol" },
  "a value that is null": { behaves: json(({ operation }) => ({ data: { [operation]: null } })), ends: "protocol" },
  "a value that is a list": {
    behaves: json(({ operation, echo }) => ({ data: { [operation]: [echo] } })),
    ends: "protocol",
  },
  "fields of other kinds": {
    behaves: json(({ operation, echo }) => ({
      data: { [operation]: { ...GOOD[operation], id: { echo }, status: [echo], launchUrl: 7 } },
    })),
    ends: "protocol",
  },
  "values that no version knows": {
    behaves: json(({ operation }) => ({
      data: {
        [operation]: { ...GOOD[operation], ...(operation === "createConnectSession" ? {} : { status: "PONDERING" }) },
      },
    })),
    ends: "data",
  },
  "names that reach for prototypes": {
    behaves: rawJson((heard) =>
      withValue(heard, '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1'),
    ),
    ends: "data",
  },
  "data that is a prototype": {
    behaves: rawJson(() => '{"data":{"__proto__":{"connection":{}}},"__proto__":{"errors":[]}}'),
    ends: "protocol",
  },
  "something nested without measure in the value": {
    behaves: rawJson((heard) => withValue(heard, `"x":${deep(200_000)}`)),
    ends: "data",
  },
  "something nested without measure in the error": {
    behaves: rawJson(() => `{"errors":[{"message":"m","extensions":{"code":"FORBIDDEN","x":${deep(200_000)}}}]}`),
    ends: "service",
  },
  "deep nesting": { behaves: rawJson(() => deep(200_000)), ends: "protocol" },

  "errors without fields": { behaves: json(() => ({ errors: [null] })), ends: "service" },
  "errors that are a text": { behaves: json(({ echo }) => ({ errors: echo })), ends: "protocol" },
  "an error that says nothing": { behaves: failing(() => ({})), ends: "service" },
  "an error that repeats the request": {
    behaves: failing(({ echo }) => ({ message: echo, extensions: { code: "FORBIDDEN" } })),
    ends: "service",
  },
  "an error that repeats the request twice packed": {
    behaves: failing(({ echo }) => ({
      message: JSON.stringify({ request: JSON.stringify(echo) }),
      extensions: { code: "FORBIDDEN" },
    })),
    ends: "service",
  },
  "an error that repeats it for addresses": {
    behaves: failing(({ echo }) => ({ message: encodeURIComponent(echo), extensions: { code: "FORBIDDEN" } })),
    ends: "service",
  },
  "an error that repeats it in capitals": {
    behaves: failing(({ echo }) => ({ message: echo.toUpperCase(), extensions: { code: "FORBIDDEN" } })),
    ends: "service",
  },
  "an error that repeats it everywhere": {
    behaves: failing(({ echo }) => ({
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
    ends: "service",
  },
  "an error that repeats each value in a field for names": {
    behaves: failing(({ request }) => {
      const [id = "", secret = ""] = (request.headers.authorization ?? "").replace("Bearer ", "").split(".");
      return { message: secret, extensions: { code: secret, reason: secret, correlationId: id } };
    }),
    ends: "service",
  },
  "an error that comes with the value and repeats it": {
    behaves: json(({ operation }) => ({
      data: {
        [operation]: { ...GOOD[operation], launchToken: "canary-one-use-token", resultProof: "canary-second-proof" },
      },
      errors: [{ message: "lost canary-one-use-token and canary-second-proof", extensions: { code: "FORBIDDEN" } }],
    })),
    ends: "service",
  },
  "an error that repeats the request in base64": {
    behaves: failing(({ echo }) => ({
      message: Buffer.from(echo).toString("base64").replace(/.{32}/g, "$& "),
      extensions: { code: "FORBIDDEN" },
    })),
    ends: "service",
  },
  "an error that repeats the request for a page": {
    behaves: failing(({ echo }) => ({
      message: echo.replace(/[^a-z]/gi, (character) => `&#${character.codePointAt(0)};`).slice(-480),
      extensions: { code: "FORBIDDEN" },
    })),
    ends: "service",
  },
  "an error with pieces of the request in fields for names": {
    behaves: failing(({ request, echo }) => ({
      message: "m",
      extensions: {
        code: `E_${/canary-subject-\d+/.exec(echo)?.[0] ?? "canary-handoff"}`,
        reason: `R${(request.headers.authorization ?? "").slice(-30)}`,
      },
    })),
    ends: "service",
  },
  "an error of a code that no version knows": {
    behaves: failing(() => ({ message: "m", extensions: { code: "QUOTA_OF_TOMORROW" } })),
    ends: "service",
  },
  "an error of endless length": {
    behaves: failing(({ echo }) => ({ message: `${"x".repeat(2_000_000)}${echo}`, extensions: { code: "FORBIDDEN" } })),
    ends: "service",
  },
  "an error that forges log lines": {
    behaves: failing(() => ({
      message: "m\r\n\u001b[2J\u2028ERROR root signed in",
      extensions: { code: "FORBIDDEN" },
    })),
    ends: "service",
  },
  "an error with an invalid retry delay": {
    behaves: failing(() => ({ message: "m", extensions: { code: "RATE_LIMITED", retryAfterSeconds: -5 } })),
    ends: "service",
  },
  "an error with a wait until the end of time": {
    behaves: failing(() => ({ message: "m", extensions: { code: "RATE_LIMITED", retryAfterSeconds: 1e308 } })),
    ends: "service",
  },
  "an error of a prototype": {
    behaves: rawJson(
      () =>
        '{"errors":[{"message":{"__proto__":1},"extensions":{"__proto__":{"code":"FORBIDDEN"},"code":"__proto__"}}]}',
    ),
    ends: "service",
  },
};
