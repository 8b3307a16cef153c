import { inspect } from "node:util";
import { Secret, SocialConnectError } from "@social-connect/sdk-core";
import { expectNoneOf, printsOf } from "@social-connect/sdk-core/testing/canaries";
import { describe, expect, it } from "vitest";
import { BASE_URL, fakeClient, KEY, notConnected, type Reply, refusal } from "./testing/fakeApi.ts";
import { job, SESSION_WIRE } from "./testing/samples.ts";

const PROOF = "canary-proof-0123456789";
const CANARIES = [KEY, KEY.slice(37), SESSION_WIRE.launchToken, PROOF];

const expectNoCanary = (value: unknown) => expectNoneOf(CANARIES, value);

it("shows the value of a Secret only in reveal()", () => {
  const secret = new Secret(KEY);
  expectNoCanary(secret);
  expectNoCanary({ nested: [secret] });
  expect(`${secret} ${JSON.stringify({ secret })} ${inspect(secret)}`).toBe(
    '[redacted] {"secret":"[redacted]"} [redacted]',
  );
  expect(secret.reveal()).toBe(KEY);
});

it("prints the client, a subject, sessions and pollers without secrets", async () => {
  const { social, user } = fakeClient({
    createConnectSession: SESSION_WIRE,
    createIdpIdentitySession: { ...SESSION_WIRE, resultProof: PROOF },
    requestRefresh: job("QUEUED"),
  });
  const session = await user.connect({
    provider: "PROVIDER_A",
    capabilities: ["PROFILE"],
    returnUrl: "https://a.example",
  });
  const handoff = await social.createIdpIdentitySession({ tenantKey: "t", returnUrl: "https://a.example" });
  const refresh = user.refresh("c");
  await refresh.start();
  for (const value of [social, user, session, handoff, refresh, user.connectResult(session.id)]) expectNoCanary(value);
  expect([session.launchToken.reveal(), handoff.resultProof.reveal()]).toEqual([SESSION_WIRE.launchToken, PROOF]);
});

/** Responses that repeat the request. */
const ECHO = `Bearer ${KEY} proof ${PROOF} ${KEY.slice(37)}`;
const HOSTILE: readonly [string, () => Reply][] = [
  ["a message of the service", () => refusal("FORBIDDEN", { code: ECHO, correlationId: ECHO }, ECHO)],
  ["a plain message of the service", () => refusal("FORBIDDEN", {}, ECHO)],
  ["a page of a proxy", () => new Response(`<h1>${ECHO}</h1>`, { status: 502 })],
  ["a body that is not JSON", () => new Response(ECHO, { headers: { "content-type": "application/json" } })],
  ["data of the wrong shape", () => Response.json({ data: ECHO })],
  ["data without the field", () => Response.json({ data: { other: ECHO } })],
  [
    "a redirect",
    () => new Response(null, { status: 302, headers: { location: `https://elsewhere.example/${PROOF}` } }),
  ],
  [
    "a fault of fetch",
    () => new TypeError(ECHO, { cause: Object.assign(new Error(ECHO), { code: ECHO, request: ECHO }) }),
  ],
  ["a refused connection", notConnected],
];

it.each(HOSTILE)("no error, hook event or stack contains a secret after %s", async (_, reply) => {
  const events: unknown[] = [];
  const record = (event: unknown) => void events.push(event);
  const hooks = { onRequest: record, onResponse: record, onRetry: record };
  const { social } = fakeClient({ redeemIdpIdentityResult: reply() }, { hooks });
  const error = await social
    .redeemIdpIdentity({ id: "i", tenantKey: "t", resultProof: new Secret(PROOF) })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SocialConnectError);
  expectNoCanary(error);
  expectNoCanary(events);
  expect(events.length).toBeGreaterThanOrEqual(2);
  expect(error).not.toHaveProperty("cause");
  expect(printsOf(error)).not.toContain("ClientError");
});

/** The proof as a Secret, as text, and in the text of the document. */
const OWN_REQUESTS: readonly [string, string, object][] = [
  ["as a Secret", "$proof", { proof: new Secret(PROOF) }],
  ["as a string", "$proof", { proof: PROOF }],
  ["in its text", `"${PROOF}"`, {}],
  ["in a block string", `"""${PROOF}"""`, {}],
];

describe.each(OWN_REQUESTS)("a document of the caller with a secret %s", (_, argument, variables) => {
  const document = `mutation ($proof: String) { redeemIdpIdentityResult(id: "i", tenantKey: "t", resultProof: ${argument}) { status } }`;

  it.each(HOSTILE)("shows it in no error, hook event or stack after %s", async (_name, reply) => {
    const events: unknown[] = [];
    const record = (event: unknown) => void events.push(event);
    const hooks = { onRequest: record, onResponse: record, onRetry: record };
    const { social } = fakeClient({ redeemIdpIdentityResult: reply() }, { hooks });
    const call = social.request(document, { ...variables });
    expectNoCanary(call);
    const error = await call.withResponse().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SocialConnectError);
    expectNoCanary(error);
    expectNoCanary(events);
    expect(events.length).toBeGreaterThanOrEqual(2);
    expect(error).not.toHaveProperty("cause");
  });
});

it("shows no secret in the errors of documents that are not sent, and in responses", async () => {
  const { social } = fakeClient({ status: { ok: true, message: "" } });
  for (const document of [
    `{ a(b: "${KEY}") `,
    `{ ${KEY.slice(40)}(a: "${PROOF}") { b } } {`,
    `mutation { a { launchToken(b: "${PROOF}") } }`,
  ]) {
    expectNoCanary(await social.request(document).catch((thrown: unknown) => thrown));
  }
  expectNoCanary(await social.request("{ status { ok } }", { key: KEY }).withResponse());
  const circular: Record<string, unknown> = { key: KEY };
  circular["self"] = circular;
  expectNoCanary(await social.request("{ status { ok } }", circular).catch((thrown: unknown) => thrown));
});

it("shows no secret of a session in its response", async () => {
  const headers = { "x-correlation-id": KEY, "content-type": "application/json" };
  const body = JSON.stringify({ data: { createConnectSession: SESSION_WIRE } });
  const { user } = fakeClient({ createConnectSession: new Response(body, { headers }) });
  const request = { provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl: "https://a.example" } as const;
  const answered = await user.connect(request).withResponse();
  expectNoCanary(answered);
  expect(answered.data.launchToken.reveal()).toBe(SESSION_WIRE.launchToken);
});

it("control: finds the canaries", () => {
  expect(printsOf(new Error(ECHO))).toContain(KEY);
  expect(printsOf({ deep: { er: PROOF } })).toContain(PROOF);
  expect(BASE_URL).not.toContain("canary");
});

it("ignores a hook that throws", async () => {
  const onRequest = () => {
    throw new Error("the logger is broken");
  };
  const { social } = fakeClient({ status: { ok: true, message: "ok" } }, { hooks: { onRequest } });
  expect(await social.status()).toEqual({ ok: true, message: "ok" });
});
