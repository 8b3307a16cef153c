import { inspect } from "node:util";
import { Secret, SocialConnectError } from "@social-connect/sdk-core";
import { expectNoneOf, printsOf } from "@social-connect/sdk-core/testing/canaries";
import { expect, it } from "vitest";
import type { Reply } from "./testing/fakeApi.ts";
import { BASE_URL, fakeClient, KEY, notConnected, refusal } from "./testing/fakeApi.ts";
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
