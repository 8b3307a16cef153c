/** What callers without a valid key can send, one of each entry point of an api process. */

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const TOKEN = "a".repeat(64);
const WRONG_KEY = `00000000-0000-4000-8000-000000000000.${"0".repeat(64)}`;
const STATUS = JSON.stringify({ query: "{ status { ok } }" });
const READ = JSON.stringify({ query: "{ integrationReadiness { idpIdentityAvailable } }" });
const LARGE = JSON.stringify({ query: `{ ${"integrationReadiness { idpIdentityAvailable } ".repeat(20)} }` });
const CLIENTS = JSON.stringify({ query: "query Clients { adminClients { items { id } } }" });

export interface EntryPoint {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export const ENTRY_POINTS: readonly EntryPoint[] = [
  post("GraphQL without a key", "/graphql", JSON_TYPE, STATUS),
  post("GraphQL with a wrong key", "/graphql", JSON_TYPE, READ, { authorization: `Bearer ${WRONG_KEY}` }),
  post("a large document with a wrong key", "/graphql", JSON_TYPE, LARGE, { authorization: `Bearer ${WRONG_KEY}` }),
  post("admin API", "/api/admin/graphql", JSON_TYPE, CLIENTS, { authorization: `Bearer scadm_${WRONG_KEY}` }),
  post("panel API", "/panel/graphql", JSON_TYPE, CLIENTS, { cookie: `social-connect-panel=${TOKEN}` }),
  get("panel page", "/panel/clients", { cookie: `social-connect-panel=${TOKEN}` }),
  get("panel file", "/panel/assets/unknown.js"),
  get("panel sign-in", "/panel/sign-in"),
  post("Connect form", "/api/connect/redeem", FORM, `launchToken=${TOKEN}`),
  post("identity form", "/api/identity/redeem", FORM, `launchToken=${TOKEN}`),
  get("Connect callback", `/api/connect/callback/provider-a?state=${TOKEN}&code=x`),
  get("identity callback", `/api/identity/callback?state=${TOKEN}&code=x`),
  get("consent pane", "/api/connect/consent?attempt=00000000-0000-4000-8000-000000000000"),
  post("webhook", "/api/connect/provider-b/webhook", JSON_TYPE, "{}", {
    "tiktok-signature": `t=1,s=${"0".repeat(64)}`,
  }),
  post("deauthorization", "/api/connect/deauthorize/provider-c", FORM, `signed_request=${TOKEN}.e30`),
  post("data deletion", "/api/connect/provider-c/data-deletion", FORM, `signed_request=${TOKEN}.e30`),
  get("deletion status", `/api/connect/provider-c/data-deletion?code=${TOKEN}`),
  get("schema", "/schema.graphql"),
  get("unknown page", "/unknown"),
  get("readiness", "/readyz"),
];

function get(name: string, path: string, headers: EntryPoint["headers"] = {}): EntryPoint {
  return { name, method: "GET", path, headers };
}

function post(name: string, path: string, type: string, body: string, headers: EntryPoint["headers"] = {}): EntryPoint {
  return { name, method: "POST", path, headers: { "content-type": type, ...headers }, body };
}

/** The bytes of a request; `host`: the name that the server serves. */
export function bytesOf({ method, path, headers = {}, body = "" }: EntryPoint, host: string): string {
  const all = { host, ...headers, ...(method === "POST" && { "content-length": String(Buffer.byteLength(body)) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}
