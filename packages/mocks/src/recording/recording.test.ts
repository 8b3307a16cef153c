import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOSTILE_PAGES, rawRequest } from "@social-connect/testkit";
import { expect, onTestFinished, test } from "vitest";
import { type ConsumerMock, createConsumerMock } from "../mock/consumerMock.ts";
import { serveMock } from "../node/serve.ts";
import { ask } from "../testing/post.ts";
import { runCli } from "../testing/runCli.ts";
import { Recorder } from "./recorder.ts";
import { type Recording, readRecording } from "./recording.ts";
import { replayRecording, replayText } from "./replay.ts";

const CONNECT = `mutation Secretive($input: ConnectInput!) { createConnectSession(input: $input) { id launchUrl launchToken expiresAt } }`;
const RESULT = `query ($scope: SubjectScope!, $id: ID!) { connectSessionResult(scope: $scope, id: $id) { id status resultCode connectionId } }`;
const LISTED = `query ($scope: SubjectScope!) { connections(scope: $scope) {
  items { id provider status syncStatus capabilities { capability availability } profile { displayName } } pageInfo { endCursor hasNextPage } } }`;
const CONTENT = `query ($scope: SubjectScope!, $connectionId: ID!, $window: ContentWindow!) {
  content(scope: $scope, connectionId: $connectionId, window: $window) { items { ...Post } pageInfo { completeForWindow incompleteReason } } }
  fragment Post on ContentItem { id kind title publishedAt metrics { name value } }`;
const IDENTITY = `mutation ($input: IdpIdentityInput!) { createIdpIdentitySession(input: $input) { id launchToken resultProof } }`;
const REDEEM = `mutation ($id: ID!, $tenantKey: String!, $proof: String!) {
  redeemIdpIdentityResult(id: $id, tenantKey: $tenantKey, resultProof: $proof) { status email name idpSub } }`;

/** An application in use: it reads, connects, signs a user in and makes a mistake. Returns every secret that it met. */
async function useSandbox(
  sandbox: ConsumerMock,
  fetch: typeof globalThis.fetch,
  url?: string,
): Promise<readonly string[]> {
  const { scope, returnUrl, identityReturnUrl } = sandbox;
  const send = <Data>(query: string, variables: object) =>
    ask<Data>(sandbox, query, variables, { fetch, ...(url !== undefined && { url: `${url}/graphql` }) });
  const listed = await send<{ connections: { items: { id: string }[] } }>(LISTED, { scope });
  const now = sandbox.clock.now();
  const at = (days: number) => new Date(now - days * 86_400_000).toISOString();
  const window = { publishedAfter: at(7), publishedBefore: at(0), first: 50 };
  await send(CONTENT, { scope, connectionId: listed.data?.connections.items[0]?.id, window });
  const input = { scope, provider: "PROVIDER_B", capabilities: ["PROFILE"], returnUrl };
  const connect = await send<{ createConnectSession: { id: string; launchToken: string } }>(CONNECT, { input });
  const { id = "", launchToken = "" } = connect.data?.createConnectSession ?? {};
  await send(RESULT, { scope, id });
  sandbox.connect(id).complete({ account: "harbor-workshop" });
  await sandbox.settle();
  await send(RESULT, { scope, id });
  await send(LISTED, { scope });
  const identity = await send<{ createIdpIdentitySession: { id: string; launchToken: string; resultProof: string } }>(
    IDENTITY,
    { input: { tenantKey: scope.tenantKey, returnUrl: identityReturnUrl } },
  );
  const handoff = identity.data?.createIdpIdentitySession ?? { id: "", launchToken: "", resultProof: "" };
  sandbox.identity(handoff.id).signIn("ada");
  await send(REDEEM, { id: handoff.id, tenantKey: scope.tenantKey, proof: handoff.resultProof });
  // Secrets where they do not belong: in a literal, an id, a comment and a name.
  await send(
    `{ connections(scope: { tenantKey: "acme", externalSubjectId: "${sandbox.key}" }) { items { id } } } # ${sandbox.key}`,
    {},
  );
  await send(RESULT, { scope, id: launchToken, [handoff.resultProof]: handoff.resultProof });
  await send(`{ a${launchToken}: status { ok } }`, {});
  await send("{ connection(scope: $nothing) {", {});
  const keys = [sandbox.key, ...sandbox.key.split(".")];
  return [
    ...keys,
    launchToken,
    handoff.launchToken,
    handoff.resultProof,
    scope.externalSubjectId,
    "Harbor workshop",
    "@example.test",
  ];
}

async function record(change: (text: string) => string = (text) => text) {
  const sandbox = createConsumerMock({
    seed: "sandbox",
    now: "2026-03-01T09:00:00Z",
    connections: [{ provider: "PROVIDER_A" }, { provider: "PROVIDER_C", status: "RECONNECT_REQUIRED" }],
  });
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await sandbox.fetch(input, init);
    return new Response(change(await response.text()), { status: response.status, headers: response.headers });
  };
  const recorder = new Recorder({ fetch, now: () => sandbox.clock.now() });
  const secrets = await useSandbox(sandbox, recorder.fetch);
  // As from a file.
  return { recording: JSON.parse(JSON.stringify(recorder.recording())) as Recording, secrets };
}

test("a recording of a service that behaves as the mocks shows no drift, and all requests are compared", async () => {
  const { recording } = await record();
  const report = await replayRecording(recording);
  expect(replayText(report)).toBe(
    "No differences: the mocks respond to 10 requests as recorded. Not compared (rate limits, outages, unreadable requests): 2.",
  );
  expect(report).toMatchObject({ hasDrift: false, replayed: 10, skipped: 2, differences: [] });
});

test("a recording contains no secret and no personal data", async () => {
  const { recording, secrets } = await record();
  const text = JSON.stringify(recording).toLowerCase();
  expect(secrets.filter((secret) => text.includes(secret.toLowerCase()))).toEqual([]);
  expect(text).not.toMatch(/[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-/);
  const kept = new Set([...text.matchAll(/"([^"]*)"/g)].map(([, one]) => one ?? ""));
  expect([...kept].filter((one) => one.includes("@"))).toEqual([]);
  // What remains still refers to each other.
  expect(text).toContain('"status":"connected"');
  expect(text).toContain('"id":"value-');
});

test.each<[string, (text: string) => string, string]>([
  [
    "an enum value",
    (text) => text.replaceAll('"READY"', '"PAUSED"'),
    "connections.items[].syncStatus: PAUSED, which is not a value of SyncStatus of the mocks",
  ],
  [
    "a null",
    (text) => text.replaceAll(/"kind":"\w+"/g, '"kind":null'),
    "content.items[].kind: null, but the mocks never return null",
  ],
  [
    "another type",
    (text) => text.replaceAll('"hasNextPage":false', '"hasNextPage":"no"'),
    "connections.pageInfo.hasNextPage: not a boolean",
  ],
  [
    "a time in another format",
    (text) => text.replaceAll(/"expiresAt":"[^"]*"/g, '"expiresAt":"soon"'),
    "createConnectSession.expiresAt: not a time",
  ],
  [
    "a missing field",
    (text) => text.replaceAll(/,"launchToken":"\w+"/g, ""),
    "createConnectSession.launchToken: missing",
  ],
  [
    "an additional field",
    (text) => text.replaceAll('"hasNextPage":false', '"hasNextPage":false,"more":1'),
    "connections.pageInfo.more: not requested",
  ],
  [
    "another code",
    (text) => text.replaceAll('"NOT_FOUND"', '"FORBIDDEN"'),
    "the error FORBIDDEN, but the mocks return the error NOT_FOUND",
  ],
  [
    "an error",
    (text) =>
      text.includes('"connectSessionResult":{') ? '{"data":null,"errors":[{"extensions":{"code":"FORBIDDEN"}}]}' : text,
    "the error FORBIDDEN, but the mocks return a result",
  ],
])("shows %s as drift", async (_, change, said) => {
  const { recording } = await record(change);
  const report = await replayRecording(recording);
  expect(report.hasDrift).toBe(true);
  expect(replayText(report)).toContain(said);
});

test("`record` passes requests on and writes a private file, and `replay` compares it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recording-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const out = join(folder, "recording.json");
  const sandbox = await serveMock({ seed: "sandbox", connections: [{ provider: "PROVIDER_A" }] });
  onTestFinished(sandbox.close);
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let used: Promise<readonly string[]> | undefined;
  const refused: number[] = [];
  const { code } = await runCli(["record", "--url", sandbox.url, "--port", "0", "--out", out, "--json"], {
    untilStopped: () => stopped,
    print: (line) => {
      const { baseUrl } = JSON.parse(line) as { baseUrl: string };
      used = useSandbox(sandbox.mock, fetch, baseUrl).finally(stop);
      void fetch(`${baseUrl}/__mock/application`).then(({ status }) => refused.push(status));
    },
  });
  expect([code, refused]).toEqual([0, [404]]);
  const text = await readFile(out, "utf8");
  const secrets = (await used) ?? [];
  expect([secrets.length, secrets.filter((secret) => text.includes(secret))]).toEqual([9, []]);
  expect((await stat(out)).mode & 0o777).toBe(0o600);
  const same = await runCli(["replay", "--recording", out]);
  expect([same.code, same.printed]).toEqual([
    0,
    expect.stringMatching(/^No differences: the mocks respond to 10 requests/),
  ]);
  await writeFile(out, text.replaceAll('"PROVIDER_A"', '"PROVIDER_D"'));
  const drifted = await runCli(["replay", "--recording", out]);
  expect([drifted.code, drifted.printed]).toEqual([
    1,
    expect.stringContaining("PROVIDER_D, which is not a value of SocialProvider"),
  ]);
  const { printed } = await runCli(["replay", "--recording", out, "--json"]);
  expect(JSON.parse(printed)).toMatchObject({ hasDrift: true });
});

test.each<[readonly string[], string]>([
  [["record"], "Pass the sandbox with --url"],
  [["record", "--url", "http://sandbox.example.com"], "--url must use https."],
  [["record", "--url", "https://user:password@sandbox.example.com"], "--url must have no credentials"],
  [["record", "--url", "https://sandbox.example.com", "--port", "web"], "--port must be an integer"],
])("rejects %j", async (args, said) => {
  const { code, warned } = await runCli(args);
  expect([code, warned]).toEqual([2, expect.stringContaining(said)]);
});

test.each(HOSTILE_PAGES)("is not available to a page: %s, and records nothing", async (_, headers) => {
  const folder = await mkdtemp(join(tmpdir(), "recording-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const sandbox = await serveMock();
  onTestFinished(() => sandbox.close());
  const out = join(folder, "recording.json");
  let baseUrl = "";
  const { code } = await runCli(["record", "--url", sandbox.url, "--port", "0", "--out", out, "--json"], {
    print: (text) => {
      baseUrl = JSON.parse(text).baseUrl;
    },
    untilStopped: async () => {
      const body = JSON.stringify({ query: "{ status { ok } }" });
      expect((await rawRequest(`${baseUrl}/graphql`, { method: "POST", headers, body })).status).toBe(403);
    },
  });
  expect([code, sandbox.mock.calls.all()]).toEqual([0, []]);
});

test("a path that cannot be written ends `record` before it records", async () => {
  const args = ["record", "--url", "https://sandbox.example.com", "--port", "0", "--out"];
  for (const [out, code] of [
    ["/nowhere/recording.json", "ENOENT"],
    [tmpdir(), "E[A-Z]+"],
  ] as const) {
    const run = runCli([...args, out]);
    expect((await run).code).toMatch(
      new RegExp(`^The recording ${out} cannot be written \\(${code}\\)\\. Check that its folder exists`),
    );
  }
});

test("`record` explains that its port is in use, and keeps an earlier recording", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recording-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "r.json"), "earlier");
  const sandbox = await serveMock();
  onTestFinished(sandbox.close);
  const { port } = new URL(sandbox.url);
  const { code } = await runCli(["record", "--url", sandbox.url, "--port", port, "--out", join(folder, "r.json")]);
  expect(code).toBe(`Port ${port} of 127.0.0.1 is in use. Select another with --port, or 0 for a free port.`);
  expect(await readFile(join(folder, "r.json"), "utf8")).toBe("earlier");
});

test("another file is not a recording", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recording-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "recording.json");
  await expect(readRecording(path)).rejects.toThrow(`The recording ${path} cannot be read (ENOENT).`);
  for (const text of ["", "null", "{}", '{"format":"social-connect-recording/2","exchanges":[]}']) {
    await writeFile(path, text);
    await expect(readRecording(path)).rejects.toThrow(`${path} is not a recording of this version.`);
  }
});

test("a damaged request of a recording is named", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recording-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "recording.json");
  const { recording } = await record();
  const [first, second] = recording.exchanges;
  const damages: readonly unknown[] = [
    null,
    "text",
    [],
    ...Object.keys(second ?? {}).map((name) => ({ ...second, [name]: undefined })),
    { ...second, query: "{" },
    { ...second, variables: null },
    { ...second, status: "200" },
    { ...second, response: { errors: [null] } },
    { ...second, response: 5 },
  ];
  for (const damaged of damages) {
    await writeFile(path, JSON.stringify({ ...recording, exchanges: [first, damaged] }));
    await expect(readRecording(path), JSON.stringify(damaged)).rejects.toThrow(
      `Request 2 of ${path} is damaged. Record it again with \`record\`.`,
    );
  }
  await writeFile(path, JSON.stringify(recording));
  expect(await readRecording(path)).toEqual(recording);
});

test("requests that are not as the contract describes are recorded, read and compared", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recording-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const sandbox = createConsumerMock();
  const recorder = new Recorder({ fetch: sandbox.fetch, now: () => sandbox.clock.now() });
  const query = "{ status { ok } }";
  const bodies = [{ query, variables: [] }, { query, variables: "text" }, { query, variables: null }, { query: 5 }, []];
  for (const body of [...bodies.map((one) => JSON.stringify(one)), "", "{"]) {
    const headers = { "content-type": "application/json", authorization: `Bearer ${sandbox.key}` };
    await recorder.fetch(`${sandbox.baseUrl}/graphql`, { method: "POST", headers, body });
  }
  const path = join(folder, "recording.json");
  await writeFile(path, JSON.stringify(recorder.recording()));
  const { differences, replayed, skipped } = await replayRecording(await readRecording(path));
  expect([differences, replayed, skipped]).toEqual([[], 3, 4]);
});
