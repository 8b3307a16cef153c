import { once } from "node:events";
import type { RequestListener, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { SocialConnectError } from "@social-connect/sdk-core";
import { afterEach, describe, expect, it } from "vitest";
import { run } from "./cli/run.ts";
import { HOST_VARIABLE, KEY_VARIABLE } from "./cli/usage.ts";
import { createAdmin } from "./createAdmin.ts";
import { CLIENT_ID, SHOP } from "./testing/clients.ts";
import { FakeAdmin, KEY } from "./testing/fakeAdmin.ts";
import type { AdminWriter } from "./writer.ts";

/** Values of the calls, distinguishable from any other output. */
const CANARY = {
  slug: "canary-slug-7f3a",
  displayName: "Canary Display Name 7f3a",
  origin: "https://canary-origin-7f3a.example",
  url: "https://canary-origin-7f3a.example/canary-path-7f3a",
  tenantKey: "canary-tenant-7f3a",
  path: "/canary-preview-7f3a",
  cursor: "canary-cursor-7f3a",
};
const SECRETS = [KEY, KEY.slice(KEY.indexOf(".") + 1)];
const CANARIES = [...SECRETS, ...Object.values(CANARY)];

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

interface Asked {
  /** All values of the request, as a server may repeat them. */
  readonly echo: string;
  readonly operation: string;
}

type Evil = (response: ServerResponse, asked: Asked) => void;

const JSON_TYPE = { "content-type": "application/json" };
const send = (response: ServerResponse, status: number, headers: Record<string, string>, body: string | Buffer) =>
  void response.writeHead(status, headers).end(body);
const json = (response: ServerResponse, value: unknown, status = 200) =>
  send(response, status, JSON_TYPE, JSON.stringify(value));
const withError = (response: ServerResponse, error: unknown, status = 200) =>
  json(response, { errors: [error] }, status);
const CLIENT = {
  identityReturnUrls: [],
  enabled: true,
  previewOriginsEnabled: false,
  idpIdentityEnabled: false,
  createdAt: "x",
  updatedAt: "x",
  ...SHOP,
};

/** Every kind of response from a server or a proxy. */
const EVIL: Readonly<Record<string, Evil>> = {
  "a refusal that echoes in every text": (response, { echo }) =>
    withError(response, { message: echo, extensions: { code: echo, reason: echo, correlationId: echo } }),
  "a known refusal that echoes": (response, { echo }) =>
    withError(response, { message: echo, extensions: { code: "CONFLICT", reason: echo, correlationId: echo, echo } }),
  "a refusal whose code is a variable": (response) =>
    withError(response, { message: "", extensions: { code: CANARY.slug, reason: CANARY.tenantKey } }),
  "a refusal with status 400 that echoes": (response, { echo }) =>
    withError(response, { message: echo, extensions: { code: "BAD_USER_INPUT" } }, 400),
  "errors of the wrong type": (response, { echo }) => json(response, { errors: [null, 7, echo, { extensions: 7 }] }),
  "errors that are a text": (response, { echo }) => json(response, { errors: echo }),
  "an empty list of errors": (response) => json(response, { errors: [] }),
  "codes that are not strings": (response) =>
    withError(response, { message: 7, extensions: { code: 7, reason: {}, correlationId: [], retryAfterSeconds: -1 } }),
  "seconds beyond all bounds": (response) =>
    withError(response, { extensions: { code: "UPSTREAM_UNAVAILABLE", retryAfterSeconds: 1e308 } }),
  "a page of HTML": (response, { echo }) => send(response, 200, { "content-type": "text/html" }, `<h1>${echo}</h1>`),
  "a page of a gateway": (response, { echo }) => send(response, 502, { "content-type": "text/html" }, echo),
  "a page of a login": (response, { echo }) => send(response, 401, { "content-type": "text/html" }, echo),
  "a redirect": (response, { echo }) =>
    send(response, 302, { location: `https://elsewhere.example/?${encodeURIComponent(echo)}` }, echo),
  "a redirect to itself": (response) => send(response, 307, { location: "/api/admin/graphql" }, ""),
  "no content": (response) => send(response, 204, {}, ""),
  "an empty body": (response) => send(response, 200, JSON_TYPE, ""),
  "JSON that is cut": (response, { echo }) => send(response, 200, JSON_TYPE, `{"data":{"x":${JSON.stringify(echo)}`),
  "JSON that echoes without a GraphQL response": (response, { echo }) => json(response, [echo]),
  "text in place of JSON": (response, { echo }) => send(response, 200, JSON_TYPE, echo),
  "data that is null": (response) => json(response, { data: null }),
  "data without the field": (response, { echo }) => json(response, { data: { other: echo } }),
  "a field of another kind": (response, { echo, operation }) => json(response, { data: { [operation]: echo } }),
  "lists of the wrong type": (response, { operation }) =>
    json(response, { data: { [operation]: { ...CLIENT, webOrigins: "x", items: {}, pageInfo: [] } } }),
  "lists of values that are not strings": (response, { operation }) =>
    json(response, { data: { [operation]: { ...CLIENT, webOrigins: [7, null, {}], items: [7], pageInfo: {} } } }),
  "a prototype in disguise": (response, { operation }) =>
    send(response, 200, JSON_TYPE, `{"data":{"__proto__":{"polluted":1},"${operation}":{"__proto__":{"id":"x"}}}}`),
  "a nest ten thousand deep": (response, { operation }) =>
    send(response, 200, JSON_TYPE, `{"data":{"${operation}":${"[".repeat(10_000)}${"]".repeat(10_000)}}}`),
  "pages that never end": (response, { operation }) =>
    json(response, { data: { [operation]: { items: [], pageInfo: { endCursor: "same", hasNextPage: true } } } }),
  "a truncated body": (response) => {
    response.writeHead(200, { ...JSON_TYPE, "content-length": "1000" }).write('{"data":');
    response.socket?.end();
  },
  "a connection that breaks": (response) => void response.socket?.destroy(),
  "malformed headers": (response) => void response.socket?.end(`HTTP/1.1 200 OK\r\n${KEY}\r\n\r\n`),
  "a body that is not what its encoding says": (response, { echo }) =>
    send(response, 200, { ...JSON_TYPE, "content-encoding": "gzip" }, echo),
  "a body that grows when it is unpacked": (response) =>
    send(response, 200, { ...JSON_TYPE, "content-encoding": "gzip" }, gzipSync(Buffer.alloc(9 * 1024 * 1024, " "))),
  "an unknown status": (response, { echo }) => send(response, 799, JSON_TYPE, JSON.stringify({ echo })),
  "a body that is not UTF-8": (response) => send(response, 200, JSON_TYPE, Buffer.from([0xff, 0xfe, 0x00, 0x7b])),
};

/** The calls that carry canaries. Writes read the client first, so those reads succeed. */
const CALLS: Readonly<Record<string, (admin: AdminWriter) => Promise<unknown>>> = {
  clients: (admin) => admin.clients().page(CANARY.cursor),
  audit: (admin) => admin.audit().page(CANARY.cursor),
  members: (admin) => admin.members(),
  findClient: (admin) => admin.findClient(CANARY.slug),
  createClient: (admin) =>
    admin.createClient({
      slug: CANARY.slug,
      displayName: CANARY.displayName,
      webOrigins: [CANARY.origin],
      returnUrls: [CANARY.url],
      tenantKeys: [CANARY.tenantKey],
      providers: [],
      capabilities: [],
      confirmedNoOnwardRedirect: true,
    }),
  setClientDisplayName: (admin) => admin.setClientDisplayName(CLIENT_ID, CANARY.displayName),
  addClientOrigin: (admin) => admin.addClientOrigin(CLIENT_ID, CANARY.origin),
  addClientReturnUrl: (admin) => admin.addClientReturnUrl(CLIENT_ID, CANARY.url, { confirmedNoOnwardRedirect: true }),
  addClientTenantKey: (admin) => admin.addClientTenantKey(CLIENT_ID, CANARY.tenantKey),
  addClientPreviewReturnPath: (admin) => admin.addClientPreviewReturnPath(CLIENT_ID, CANARY.path),
};

/** Every way in which a value reaches a log. */
function printsOf(value: unknown): string {
  const error = value instanceof Error ? [value.message, value.stack, String(value), value.cause] : [];
  const deep = inspect(value, { depth: 20, showHidden: true, getters: true });
  return [deep, JSON.stringify(value), `${String(value)}`, ...error.map((part) => inspect(part))].join("\n");
}

function found(text: string, canaries = CANARIES): readonly string[] {
  return canaries.filter((canary) => text.includes(canary));
}

/** A server that answers the read before a write, and responds to everything else with the given behaviour. */
async function evilServer(evil: Evil): Promise<string> {
  return serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const operation = /\{\s*(\w+)/.exec(JSON.parse(body).query.replace(/\([^)]*\)/g, ""))?.[1] ?? "";
    const isLook = operation === "adminClient";
    if (isLook) json(response, { data: { adminClient: CLIENT } });
    else evil(response, { operation, echo: `${request.headers.authorization} ${body}` });
  });
}

const noDelay = { now: () => 0, sleep: async (_ms: number, signal?: AbortSignal) => signal?.throwIfAborted() };

describe.each(Object.entries(EVIL))("%s", (_, evil) => {
  it.each(Object.entries(CALLS))(
    "ends %s as a typed error or a result, without any part of the request",
    async (_name, call) => {
      const host = await evilServer(evil);
      const events: unknown[] = [];
      const record = (event: unknown) => void events.push(event);
      const hooks = { onRequest: record, onResponse: record, onRetry: record };
      const admin = createAdmin({ host, key: KEY, scope: "WRITE", hooks, clock: noDelay, retries: 1 });
      const end: unknown = await call(admin).catch((error: unknown) => error);
      const outcome: unknown = Reflect.get(Object(end), "outcome");
      if (end instanceof Error) expect(end).toBeInstanceOf(SocialConnectError);
      else if (outcome !== undefined) expect(outcome).toBe("unknown");
      expect(found(printsOf(end))).toEqual([]);
      expect(found(printsOf(events))).toEqual([]);
      expect(found(printsOf(admin))).toEqual([]);
      expect(end).not.toHaveProperty("cause");
      expect(Reflect.get({}, "polluted")).toBeUndefined();
    },
  );

  it.each([
    [["clients", "list"]],
    [["clients", "show", "shop", "--json"]],
    [["audit", "--json"]],
    [["plan", "-f", "shop.yaml"]],
    [["apply", "-f", "shop.yaml", "--yes", "--json"]],
  ])("ends the command %j with an exit code, and without the key in its output", async (argv) => {
    const host = await evilServer(evil);
    const printed: string[] = [];
    const print = (text: string) => void printed.push(text);
    const exitCode = await run(argv, {
      environment: { [HOST_VARIABLE]: host, [KEY_VARIABLE]: KEY },
      print,
      printError: print,
      readFile: async () => "slug: shop\ndisplayName: Shop\n",
      writeFile: async () => undefined,
      ask: undefined,
      signal: new AbortController().signal,
      clock: noDelay,
    });
    expect(Number.isInteger(exitCode)).toBe(true);
    expect(found(printed.join("\n"), SECRETS)).toEqual([]);
    expect(printed.join("\n")).not.toBe("");
  });
});

it("times out without a response, and with an endless one", async () => {
  for (const [evil, name] of [
    [() => undefined, "TimeoutError"],
    [(response: ServerResponse) => void response.writeHead(200, JSON_TYPE).write('{"data":'), "TimeoutError"],
  ] as const) {
    const host = await evilServer(evil);
    const admin = createAdmin({ host, key: KEY, scope: "READ", timeoutMs: 50, retries: 0 });
    await expect(admin.members()).rejects.toMatchObject({ name });
  }
});

it("stops reading an endless list of clients with new cursors", async () => {
  const api = new FakeAdmin();
  let pages = 0;
  const fetch = async () => {
    pages += 1;
    const pageInfo = { endCursor: String(pages), hasNextPage: true };
    return Response.json({ data: { adminClients: { items: [CLIENT], pageInfo } } });
  };
  const admin = createAdmin({ host: "https://admin.example.com", key: KEY, scope: "READ", fetch });
  await expect(admin.findClient("nobody")).rejects.toMatchObject({ problem: "UNEXPECTED_SHAPE" });
  expect(api.calls).toEqual([]);
});

it("control: finds the canaries", () => {
  expect(found(printsOf(new Error(KEY)))).toEqual(SECRETS);
  expect(found(printsOf({ deep: { er: [CANARY.url] } }))).toEqual([CANARY.origin, CANARY.url]);
});
