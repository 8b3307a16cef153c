import { inspect } from "node:util";
import { ConfigurationError, Secret } from "@social-connect/sdk-core";
import { expectNoneOf } from "@social-connect/sdk-core/testing/canaries";
import { expect, expectTypeOf, it } from "vitest";
import { type ConnectSession, exportSession, type IdpIdentitySession, importSession, launchPage } from "./index.ts";
import { fakeClient } from "./testing/fakeApi.ts";
import { SESSION_WIRE } from "./testing/samples.ts";

const PROOF = "canary-proof-0123456789";

async function sessions() {
  const { social, user } = fakeClient({
    createConnectSession: SESSION_WIRE,
    createIdpIdentitySession: { ...SESSION_WIRE, resultProof: PROOF },
  });
  const returnUrl = "https://a.example";
  const connect = await user.connect({ provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl });
  const identity = await social.createIdpIdentitySession({ tenantKey: "t", returnUrl });
  return { connect, identity };
}

it("a session passes to another process as one secret text", async () => {
  const { connect, identity } = await sessions();
  for (const session of [connect, identity]) {
    // The other process gets only the text.
    const text: string = exportSession(session).reveal();
    const imported = importSession(text);
    expectTypeOf(imported).toEqualTypeOf<ConnectSession | IdpIdentitySession>();
    expect(launchPage(imported).html).toBe(launchPage(session).html);
    expect(imported.expiresAt).toBe(session.expiresAt);
    expect(importSession(new Secret(text))).toEqual(imported);
  }
  const imported = importSession(exportSession(identity));
  if (!("resultProof" in imported)) expect.fail("an identity session has a proof");
  expect(imported.resultProof.reveal()).toBe(PROOF);
  expect("resultProof" in importSession(exportSession(connect))).toBe(false);
});

it("an exported session is a Secret, which does not print, and an imported one has Secrets again", async () => {
  const { identity } = await sessions();
  const exported = exportSession(identity);
  const imported = importSession(exported);
  expectNoneOf([SESSION_WIRE.launchToken, PROOF], [exported, imported, { exported }]);
  expect(`${exported} ${JSON.stringify({ exported })} ${inspect(exported)}`).not.toContain(SESSION_WIRE.launchUrl);
  expect(exported.reveal()).toContain('"kind":"social-connect-secret-session"');
});

it("refuses to export a session that has lost its secrets", async () => {
  const { connect, identity } = await sessions();
  const stored = (session: object) => JSON.parse(JSON.stringify(session));
  expect(() => exportSession(stored(connect))).toThrow("use exportSession and importSession");
  expect(() => exportSession({ ...stored(identity), launchToken: identity.launchToken })).toThrow(
    "resultProof is missing or redacted",
  );
  expect(() => exportSession({ ...identity, id: "" })).toThrow("id is missing");
  expect(() => exportSession(JSON.parse("null"))).toThrow(ConfigurationError);
});

it.each([
  ["nothing", undefined],
  ["text", PROOF],
  ["cut JSON", `{"launchToken":"${SESSION_WIRE.launchToken}"`],
  ["other JSON", JSON.stringify({ ...SESSION_WIRE, resultProof: PROOF })],
  ["null", "null"],
  ["an object", { id: PROOF }],
  [
    "a session without its token",
    JSON.stringify({ ...SESSION_WIRE, kind: "social-connect-secret-session", launchToken: "[redacted]" }),
  ],
  [
    "a session with another time",
    JSON.stringify({ ...SESSION_WIRE, kind: "social-connect-secret-session", expiresAt: "never" }),
  ],
  [
    "a session without its URL",
    JSON.stringify({ ...SESSION_WIRE, kind: "social-connect-secret-session", launchUrl: 5 }),
  ],
])("refuses to import %s, without repeating it", (_, text) => {
  try {
    importSession(text as string);
    expect.fail("it was imported");
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    expectNoneOf([SESSION_WIRE.launchToken, PROOF], error);
  }
});
