/** What issuers and providers answer with, through the code that reads and logs it. */

import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import { leastCpuMs, leastCpuMsOf, sampled } from "@social-connect/testkit";
import * as openId from "openid-client";
import { afterEach, expect, test, vi } from "vitest";
import { discoverIssuer } from "../modules/openid/openIdProvider.ts";
import { createLogger } from "../platform/log/logger.ts";
import { Secret } from "../platform/secrets/secret.ts";
import { PROVIDER_ADAPTERS } from "../providers/registry/registry.ts";
import { NOW, registration, session } from "../providers/testing/replay.ts";
import { exchange, stored } from "../providers/testing/signIn.ts";

afterEach(() => void vi.unstubAllGlobals());

const MEBIBYTE = 1_048_576;
const BOUND_MS = 100;
/** The longest answer of an issuer that is read, in bytes. */
const LONGEST_OF_ISSUER = 262_144;

/** Answers of this many bytes each. */
function bodiesOf(size: number): Readonly<Record<string, string>> {
  const json = (begin: string, unit: string, end: string) =>
    begin + unit.repeat(Math.floor((size - begin.length - end.length) / unit.length)) + end;
  return {
    letters: "a".repeat(size),
    "an unclosed list": "[".repeat(size),
    "a list of empty objects": json("[{}", ",{}", "]"),
    "items without fields": json('{"access_token":"a","items":[{}', ",{}", "]}"),
    "data without fields": json('{"access_token":"a","data":[{}', ",{}", "]}"),
    "videos without fields": json('{"data":{"videos":[{}', ",{}", "]}}"),
    "digits that no number holds": json('{"items":[1', ",12345678901234567890", "]}"),
    "one long number": json('{"access_token":"a","expires_in":', "9", "}"),
    "many fields": `{${Array.from({ length: Math.floor(size / 13) }, (_, at) => `"f${at}":1`).join(",")}}`,
    "a long token": json('{"access_token":"', "a", '","expires_in":1}'),
    "long scopes": json('{"access_token":"a","scope":"', "a ", '"}'),
    "long error messages": json('{"error":"a","error_description":"', "a", '"}'),
    "a long code of an error": json('{"error":{"type":"', "a", '","code":1}}'),
    "a long title": json('{"items":[{"id":"x","snippet":{"title":"', "a", '"}}]}'),
    "a long address": json('{"data":{"user":{"open_id":"x","avatar_url":"https://', "a.", '"}}}'),
  };
}
const BODIES = bodiesOf(MEBIBYTE);

const answering = (status: number, body: string): typeof globalThis.fetch => {
  const bytes = new TextEncoder().encode(body);
  const headers = { "content-type": "application/json", "retry-after": "9".repeat(1_000) };
  return async () => new Response(bytes, { status, headers });
};

const lines: string[] = [];
const logger = createLogger({
  level: "debug",
  role: "test",
  destination: { write: (line: string) => void lines.push(line) },
});
/** A response is logged with its cause, as an unexpected error is. */
const LONGEST_LINE = 64 * 1_024;

const WINDOW = { publishedAfter: new Date(0), publishedBefore: NOW, cursor: null, maxItems: 50, withMetrics: true };
const CASES = SOCIAL_PROVIDERS.flatMap((provider) => [200, 400].map((status) => ({ provider, status })));

test.each(CASES)("$provider: 1 MiB of an answer with status $status is read in under 100 ms", async (one) => {
  const adapter = PROVIDER_ADAPTERS[one.provider];
  const slow: string[] = [];
  for (const [bodyIndex, [kind, body]] of Object.entries(BODIES).entries()) {
    const registered = registration(one.provider, answering(one.status, body));
    const within = session(registered, { providerAccountId: "123" });
    const post = { kind: "id", value: "1" } as const;
    const calls: Readonly<Record<string, () => Promise<unknown> | undefined>> = {
      exchangeCode: () => adapter.exchangeCode(registered, exchange()),
      refreshTokens: () => adapter.refreshTokens(registered, stored()),
      revoke: () => adapter.revoke?.(registered, stored()),
      readAccount: () => adapter.readAccount(within),
      listContent: () => adapter.listContent(within, WINDOW),
      readContent: () => adapter.readContent(within, { providerContentIds: ["1"], withMetrics: true }),
      lookupContent: () => adapter.lookupContent(within, { target: post, withMetrics: true }),
    };
    for (const [name, call] of sampled(Object.entries(calls), bodyIndex, 3)) {
      let asked = 0;
      const counting: typeof globalThis.fetch = (...request) => {
        asked += 1;
        return answering(one.status, body)(...request);
      };
      Object.assign(registered, { fetch: counting });
      const run = async () => {
        asked = 0;
        await call()?.catch((err: unknown) => logger.warn({ err, reason: (err as Error).message }, "refused"));
      };
      // Each answer has the bound: a call may need several.
      const ms = await leastCpuMsOf(run, BOUND_MS);
      if (ms >= BOUND_MS * Math.max(1, asked)) slow.push(`${name} of ${kind}: ${ms} ms in ${asked} answers`);
    }
  }
  expect(slow).toEqual([]);
  expect(Math.max(0, ...lines.map((line) => line.length))).toBeLessThan(LONGEST_LINE);
});

const ISSUER = "https://issuer.example";
const issuer = { url: ISSUER, clientId: "client-id", clientSecret: new Secret("client-secret") };
const METADATA = JSON.stringify({
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/auth`,
  token_endpoint: `${ISSUER}/token`,
  jwks_uri: `${ISSUER}/jwks`,
  userinfo_endpoint: `${ISSUER}/userinfo`,
  response_types_supported: ["code"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
});
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
/** Below the bound of an answer, so that the client reads it: each part of a token in turn is long. */
const LONG = "a".repeat(200_000);
const TOKEN_ANSWERS: Readonly<Record<string, string>> = {
  ...bodiesOf(LONGEST_OF_ISSUER),
  "a long error": JSON.stringify({ error: LONG, error_description: LONG.slice(0, 1_000) }),
  "a long header": JSON.stringify({ access_token: "a", token_type: "bearer", id_token: `${LONG}.a.a` }),
  "long claims": JSON.stringify({
    access_token: "a",
    token_type: "bearer",
    id_token: `${part({ alg: "RS256" })}.${LONG}.a`,
  }),
  "a long signature": JSON.stringify({
    access_token: "a",
    token_type: "bearer",
    id_token: `${part({ alg: "RS256" })}.${part({ iss: ISSUER, sub: "1", aud: "client-id", iat: 1, exp: 9_999_999_999 })}.${LONG}`,
  }),
  "many dots": JSON.stringify({ access_token: "a", token_type: "bearer", id_token: ".".repeat(200_000) }),
};

/** Metadata, and this answer to every other request. */
function issuerAnswering(status: number, body: string): typeof globalThis.fetch {
  return (...request) => {
    const isMetadata = String(request[0]).includes("/.well-known/");
    return (isMetadata ? answering(200, METADATA) : answering(status, body))(...request);
  };
}

test.each([
  { size: "longest answer that is read", status: 200, answers: TOKEN_ANSWERS, isRead: true },
  { size: "longest answer that is read", status: 400, answers: TOKEN_ANSWERS, isRead: true },
  { size: "1 MiB", status: 200, answers: BODIES, isRead: false },
  { size: "1 MiB", status: 400, answers: BODIES, isRead: false },
])("an issuer's $size, with status $status, takes under 100 ms", async ({ status, answers, isRead }) => {
  const slow: string[] = [];
  lines.length = 0;
  for (const [bodyIndex, [kind, body]] of Object.entries(answers).entries()) {
    const discover = async () => {
      vi.stubGlobal("fetch", answering(status, body));
      await discoverIssuer(issuer).catch((error: unknown) => logger.warn({ error, err: error }, "no discovery"));
    };
    const redeem = async () => {
      vi.stubGlobal("fetch", issuerAnswering(status, body));
      const configuration = await discoverIssuer(issuer);
      const back = new URL("https://connect.example/api/identity/callback?code=a&state=b");
      await openId
        .authorizationCodeGrant(configuration, back, {
          expectedState: "b",
          expectedNonce: "n",
          pkceCodeVerifier: "v",
          idTokenExpected: true,
        })
        .catch((error: unknown) => logger.warn({ error, err: error }, "no sign-in"));
    };
    for (const [name, run] of sampled(Object.entries({ discover, redeem }), bodyIndex, 2)) {
      const before = lines.length;
      const ms = await leastCpuMsOf(run, BOUND_MS);
      if (ms >= BOUND_MS) slow.push(`${name} of ${kind}: ${ms} ms`);
      expect(lines.length, `${name} of ${kind}`).toBeGreaterThan(before);
      expect(!lines[before]?.includes("responded with more than"), `${name} of ${kind}`).toBe(isRead);
    }
  }
  expect(slow).toEqual([]);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(LONGEST_LINE);
});

test.each([65_536, MEBIBYTE, 4 * MEBIBYTE])("%i letters are logged in under 100 ms, and not all of them", (length) => {
  const letters = "a".repeat(length);
  const error = new Error(letters, { cause: { error: letters, parts: [letters], cause: new Error(letters) } });
  lines.length = 0;
  const ms = leastCpuMs(() => logger.error({ err: error, error, body: letters }, letters), BOUND_MS);
  expect(ms).toBeLessThan(BOUND_MS);
  expect(lines[0]?.length).toBeLessThan(LONGEST_LINE);
  expect(lines[0]).toContain(`[${length} characters]`);
});

test("a secret that the end of the logged text cuts in two is not shown in part", () => {
  const secret = `0f8fad5b-d9cb-469f-a165-70867728950e.${"c0ffee00".repeat(8)}`;
  for (let before = 3_900; before < 5_300; before += 7) {
    lines.length = 0;
    logger.info(`${"x ".repeat(before / 2)}${secret} and more ${"y".repeat(3_000)}`);
    expect(lines.join("")).not.toContain("c0ffee");
  }
});
