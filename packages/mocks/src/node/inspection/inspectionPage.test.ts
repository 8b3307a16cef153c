import { request as send } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { ask, CONNECT, connectInput, post } from "../../testing/post.ts";
import { type ServeOptions, serveMock } from "../serve.ts";
import { InspectionPage } from "./inspectionPage.ts";

async function open(options: ServeOptions = {}) {
  const { mock, url, close } = await serveMock(options);
  onTestFinished(close);
  const { host } = new URL(url);
  /** Sends any header; `fetch` does not send Host and Sec-Fetch-Site. */
  const call = (method: string, fields: Record<string, string> | null = null, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; text: string; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
      const own = method === "POST" ? { origin: url, "content-type": "application/x-www-form-urlencoded" } : {};
      const request = send(`${url}/`, { method, headers: { host, ...own, ...headers } }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => {
          const text = Buffer.concat(parts).toString("utf8");
          resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
        });
      });
      request.on("error", reject);
      request.end(fields === null ? undefined : new URLSearchParams(fields).toString());
    });
  const token = /name="token" value="([\w-]{22})"/.exec((await call("GET")).text)?.[1] ?? "";
  return { mock, url, host, call, token };
}

test("shows the clock, the faults, the calls and the state", async () => {
  const { mock, call } = await open();
  await mock.load("connected-with-content");
  mock.faults.times(2, "content", { drop: "after" });
  await post(mock, "{ status { ok } }");
  const { status, text, headers } = await call("GET");
  expect([status, headers["content-type"], headers["cache-control"]]).toEqual([
    200,
    "text/html; charset=utf-8",
    "no-store",
  ]);
  for (const part of [
    mock.clock.date().toISOString(),
    "<td>content</td><td>connection closed after the operation</td><td>the next 2 requests</td>",
    "<td>status</td><td>OK</td><td>200</td>",
    "<td>PROVIDER_A</td><td>channel-1</td><td>CONNECTED</td>",
    "<td>SCAN</td><td>SUCCEEDED</td>",
  ]) {
    expect(text.replaceAll(/>\s+</g, "><")).toContain(part);
  }
});

test("answers HEAD as GET without a body, and names the methods that it has", async () => {
  const { call } = await open();
  const [head, get] = [await call("HEAD"), await call("GET")];
  expect([head.status, head.text, head.headers["content-type"]]).toEqual([200, "", get.headers["content-type"]]);
  for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"]) {
    const { status, headers, text } = await call(method);
    expect([method, status, headers["allow"], text]).toEqual([method, 405, "GET, HEAD, POST", ""]);
  }
});

test("shows the newest of very many calls", async () => {
  const { mock, call } = await open();
  for (let calls = 0; calls < 2_000; calls += 1) await post(mock, "{ status { ok } }");
  const { text } = await call("GET");
  expect(text.match(/<td>status<\/td>/g)).toHaveLength(50);
  expect(text).toContain("<td>2000</td>");
  expect(text).not.toContain("<td>1950</td>");
});

test("contains no script and no address of another host", async () => {
  const { mock, call, url } = await open();
  mock.account("PROVIDER_A", "a");
  const { text, headers } = await call("GET");
  const policy = String(headers["content-security-policy"]);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/script|https?:/);
  expect(headers["x-frame-options"]).toBe("DENY");
  expect(text).not.toMatch(/<script|<img|<iframe|\son\w+=|@import|url\(/i);
  const addresses = [...text.matchAll(/https?:\/\/[^\s"'<]+/g)].map(([address]) => address);
  expect(addresses.filter((address) => !address.startsWith(url))).toEqual([]);
});

test("shows names as text", async () => {
  const { mock, call } = await open();
  const name = '<img src="//elsewhere.test" onerror=alert(1)>';
  await ask(
    mock,
    'query ($id: ID!) { connection(scope: { tenantKey: "acme", externalSubjectId: "a" }, id: $id) { id } }',
    { id: name },
  );
  const { text } = await call("GET");
  expect(text).toContain("&lt;img src=");
  expect(text).not.toContain("<img");
});

test.each<[string, Record<string, string>, (seen: Awaited<ReturnType<typeof open>>["mock"]) => unknown, unknown]>([
  [
    "advances the clock",
    { command: "POST clock/advance", by: "1h" },
    ({ clock }) => clock.date().toISOString(),
    "2026-06-15T13:00:00.000Z",
  ],
  [
    "adds a fault",
    {
      command: "POST faults",
      operation: "content",
      fault: '{"code":"RATE_LIMITED","retryAfterSeconds":5}',
      times: "3",
    },
    ({ faults }) => faults.list().map(({ operation, fault, left }) => ({ operation, fault, left })),
    [{ operation: "content", fault: { code: "RATE_LIMITED", retryAfterSeconds: 5 }, left: 3 }],
  ],
  [
    "adds a fault of a provider",
    { command: "POST provider-faults", provider: "PROVIDER_B", call: "list", failure: "unavailable", times: "" },
    ({ providerFaults }) => providerFaults.list().map(({ provider, call, left }) => ({ provider, call, left })),
    [{ provider: "PROVIDER_B", call: "list", left: null }],
  ],
  ["loads a scenario", { command: "POST scenarios/connected" }, (mock) => mock.connections().length, 1],
])("%s", async (_, fields, read, expected) => {
  const { mock, call, token } = await open();
  const { status, headers } = await call("POST", { ...fields, token });
  expect([status, headers["location"]]).toEqual([303, "/"]);
  expect(read(mock)).toEqual(expected);
});

test("removes a fault, clears all, and resets", async () => {
  const { mock, call, token } = await open();
  const { id } = mock.faults.always("content", { status: 503 });
  mock.faults.always("status", { status: 503 });
  mock.providerFaults.add("PROVIDER_A", "any", { status: 503 });
  await call("POST", { command: `DELETE faults/${id}`, token });
  expect(mock.faults.list().map(({ operation }) => operation)).toEqual(["status"]);
  await call("POST", { command: "DELETE faults, DELETE provider-faults", token });
  expect([mock.faults.list(), mock.providerFaults.list()]).toEqual([[], []]);
  await mock.clock.advance("1d");
  await call("POST", { command: "POST reset", token });
  expect(mock.clock.date().toISOString()).toBe("2026-06-15T12:00:00.000Z");
});

test("explains what is invalid", async () => {
  const { mock, call, token } = await open();
  const { status, text } = await call("POST", { command: "POST clock/advance", by: "soon", token });
  expect(status).toBe(400);
  expect(text).toContain("&quot;soon&quot; is not a duration.");
  expect(text).toContain('role="alert"');
  expect((await call("POST", { command: "POST explode", token })).text).toContain("Unknown command.");
  expect(mock.clock.date().toISOString()).toBe("2026-06-15T12:00:00.000Z");
});

test("refuses a form of another site, and a form without the token", async () => {
  const { mock, url, host, call, token } = await open();
  const { id } = mock.faults.always("content", { status: 503 });
  const other = await open();
  const refused: [string, Record<string, string>, Record<string, string>][] = [
    ["no token", {}, {}],
    ["another token", { token: other.token }, {}],
    ["another origin", { token }, { origin: "https://elsewhere.test" }],
    ["an opaque origin", { token }, { origin: "null" }],
    ["another port", { token }, { origin: other.url }],
    ["another name of this machine", { token }, { origin: url.replace("127.0.0.1", "localhost") }],
    ["a cross-site request", { token }, { "sec-fetch-site": "cross-site" }],
    ["a request of a sibling", { token }, { "sec-fetch-site": "same-site" }],
    ["another type of body", { token }, { "content-type": "text/plain" }],
  ];
  for (const [what, fields, headers] of refused) {
    expect([what, (await call("POST", { command: "POST reset", ...fields }, headers)).status]).toEqual([what, 403]);
  }
  expect(mock.faults.list()).toHaveLength(1);
  // The same form with the token and the origin of the page.
  const own = { host, origin: url, "sec-fetch-site": "same-origin" };
  expect((await call("POST", { command: `DELETE faults/${id}`, token }, own)).status).toBe(303);
  expect(mock.faults.list()).toEqual([]);
});

test("is only there for this machine under a loopback name", async () => {
  const { mock, call, token } = await open();
  for (const host of [
    "mock.test",
    "elsewhere.test:80",
    "127.0.0.1.elsewhere.test",
    "10.0.0.1",
    "localhost.elsewhere.test",
  ]) {
    const { status, text } = await call("GET", null, { host });
    expect([host, status, text.includes("Clock")]).toEqual([host, 403, false]);
    const posted = await call(
      "POST",
      { command: "POST clock/advance", by: "1h", token },
      { host, origin: `http://${host}` },
    );
    expect([host, posted.status]).toEqual([host, 403]);
  }
  expect(mock.clock.date().toISOString()).toBe("2026-06-15T12:00:00.000Z");
  for (const host of ["localhost", "127.0.0.1:4010", "[::1]:4010"]) {
    expect([host, (await call("GET", null, { host })).status]).toEqual([host, 200]);
  }
  const named = await open({ allowedHosts: ["mock.test"] });
  // The control: other paths are available under this name.
  expect((await named.call("GET", null, { host: "mock.test" })).status).toBe(404);
  const page = new InspectionPage(mock);
  const url = new URL("http://127.0.0.1/");
  const request = { method: "GET", url, headers: new Headers({ host: "127.0.0.1" }), text: async () => "" };
  expect(await page.answer(request, { isLoopback: false })).toBeNull();
  expect(await page.answer(request, { isLoopback: true })).toMatchObject({ status: 200 });
});

test("never shows a key, a token or a proof", async () => {
  const { mock, call } = await open();
  const { data } = await ask<{ createConnectSession: { id: string; launchToken: string } }>(
    mock,
    CONNECT,
    connectInput(mock),
  );
  const { launchToken } = data?.createConnectSession ?? { launchToken: "" };
  const identity = await ask<{ createIdpIdentitySession: { id: string; launchToken: string; resultProof: string } }>(
    mock,
    "mutation ($input: IdpIdentityInput!) { createIdpIdentitySession(input: $input) { id launchToken resultProof } }",
    { input: { tenantKey: mock.scope.tenantKey, returnUrl: mock.identityReturnUrl } },
  );
  const session = identity.data?.createIdpIdentitySession ?? { id: "", launchToken: "", resultProof: "" };
  const keys = [mock.key, mock.admin.readKey, mock.admin.writeKey, mock.application.issueKey()];
  const secrets = [
    ...keys,
    ...keys.map((key) => key.split(".")[1] ?? ""),
    launchToken,
    session.launchToken,
    session.resultProof,
  ];
  expect(secrets.filter((secret) => secret.length < 32)).toEqual([]);
  // Callers put secrets where they do not belong.
  for (const secret of secrets) {
    await ask(mock, `{ connections(scope: { tenantKey: "acme", externalSubjectId: "${secret}" }) { items { id } } }`);
    await ask(
      mock,
      'query ($id: ID!) { connectSessionResult(scope: { tenantKey: "acme", externalSubjectId: "a" }, id: $id) { id } }',
      { id: secret },
    );
  }
  const redeem =
    "mutation ($id: ID!, $tenantKey: String!, $proof: String!) { redeemIdpIdentityResult(id: $id, tenantKey: $tenantKey, resultProof: $proof) { status } }";
  await ask(mock, redeem, { id: session.id, tenantKey: mock.scope.tenantKey, proof: session.resultProof });
  const { text } = await call("GET");
  const found = secrets.filter((secret) => text.toLowerCase().includes(secret.toLowerCase()));
  expect(found).toEqual([]);
  expect(text).toContain("[redacted]");
  expect(text).not.toMatch(/[0-9a-f]{64}/i);
  const { text: refused } = await call("POST", { command: `POST scenarios/${mock.key}`, token: "none" });
  expect(refused).not.toContain(mock.key.split(".")[1]);
});
