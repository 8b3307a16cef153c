/**
 * Both SDKs against every failure that the mocks can make: what an application could log of it holds no key, no launch
 * token, no proof and no argument. The same holds for the inspection page of a served mock, apart from arguments. The SDKs' own tests do the same with servers that mean harm.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createAdmin } from "../packages/admin-sdk/src/index.ts";
import {
  CANARY_ARGUMENTS as ADMIN_ARGUMENTS,
  callOperation,
} from "../packages/admin-sdk/src/testing/operationCalls.ts";
import {
  ADMIN_ERROR_CODES,
  API_KEY_OPERATIONS,
  type ApiKeyOperationName,
  ERROR_CODES,
} from "../packages/contract/src/index.ts";
import { createConsumerMock, type FaultOptions } from "../packages/mocks/src/index.ts";
import { serveMock } from "../packages/mocks/src/node.ts";
import { SocialConnect, SocialConnectError } from "../packages/sdk/src/index.ts";
import {
  CANARY_SCOPE,
  CANARY_ARGUMENTS as CONSUMER_ARGUMENTS,
  OPERATION_CALLS,
  OPERATION_NAMES,
} from "../packages/sdk/src/testing/operationCalls.ts";
import { expectNoneOf, printsOf } from "../packages/sdk-core/src/testing/canaries.ts";
import { sampled } from "../packages/testkit/src/index.ts";

const mock = createConsumerMock({ seed: "secrets" });
const SECRETS = [mock.key, mock.admin.writeKey].flatMap((key) => [key, ...key.split(".")]);
const CANARIES = [...SECRETS, ...CONSUMER_ARGUMENTS, ...ADMIN_ARGUMENTS];
/** Patterns of tokens and proofs, including values that were never issued. */
const TOKEN = /[0-9a-f]{64}/i;

/** What either API can be made to do. */
const FAULTS: readonly FaultOptions[] = [
  ...[200, 204, 301, 307, 401, 403, 404, 408, 413, 429, 500, 502, 503].map((status) => ({ status })),
  { drop: "before" },
  { drop: "after" },
  { malformed: "not-json" },
  { malformed: "truncated" },
  { malformed: "empty" },
  { malformed: "wrong-shape" },
];
const CONSUMER_FAULTS = [
  ...FAULTS,
  ...ERROR_CODES.map((code): FaultOptions => ({ code })),
  { code: "RATE_LIMITED", retryAfterSeconds: 2 } as const,
];
const ADMIN_FAULTS = [...FAULTS, ...ADMIN_ERROR_CODES.map((code): FaultOptions => ({ code }))];

let written: string[];

beforeEach(() => {
  mock.reset();
  written = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((chunk) => written.push(String(chunk)) > 0);
  }
  for (const level of ["debug", "info", "log", "warn", "error"] as const) {
    vi.spyOn(console, level).mockImplementation((...values) => void written.push(values.map(printsOf).join(" ")));
  }
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs a call and searches everything that it let out. */
async function searched(
  what: string,
  start: (watched: { hooks: object; fetch: typeof fetch; clock: typeof mock.clock; retries: number }) => {
    client: unknown;
    outcome: Promise<unknown>;
  },
) {
  const events: unknown[] = [];
  const record = (event: unknown) => void events.push(event);
  const hooks = { onRequest: record, onResponse: record, onRetry: record };
  const { client, outcome } = start({ hooks, fetch: mock.fetch, clock: mock.clock, retries: 1 });
  const error = await outcome.then(
    // What a write with an unknown outcome reports about the failure.
    (value: unknown) => (typeof value === "object" && value !== null ? Reflect.get(value, "error") : undefined),
    (thrown: unknown) => thrown,
  );
  expect(events.length, what).toBeGreaterThanOrEqual(2);
  for (const value of [error, events, written, client]) {
    expectNoneOf(CANARIES, value);
    expect(printsOf(value), what).not.toMatch(TOKEN);
  }
  return error;
}

test.each(CONSUMER_FAULTS)("an application can log %o without secrets", async (fault) => {
  for (const operation of sampled(OPERATION_NAMES, CONSUMER_FAULTS.indexOf(fault), 4)) {
    mock.faults.always(operation, fault);
    const error = await searched(operation, (watched) => {
      const client = new SocialConnect({ baseUrl: mock.baseUrl, key: mock.key, ...watched });
      return { client, outcome: OPERATION_CALLS[operation].run(client, client.forSubject(CANARY_SCOPE)) };
    });
    expect(error, operation).toBeInstanceOf(SocialConnectError);
    mock.faults.clear();
  }
});

test.each(ADMIN_FAULTS)("a script can log %o without secrets", async (fault) => {
  const operations = Object.keys(API_KEY_OPERATIONS) as ApiKeyOperationName[];
  for (const operation of sampled(operations, ADMIN_FAULTS.indexOf(fault), 4)) {
    mock.faults.always(operation, fault);
    const error = await searched(operation, (watched) => {
      const { host, writeKey } = mock.admin;
      const client = createAdmin({ host, key: writeKey, scope: "WRITE", ...watched });
      return { client, outcome: callOperation(operation, client, mock.application.id) };
    });
    // After a lost response the client is read again, and the write can turn out to be applied.
    if (error !== undefined) expect(SocialConnectError.is(error), operation).toBe(true);
    mock.faults.clear();
  }
});

test("only reveal() returns the token and the proof of a session", async () => {
  const { baseUrl, key, fetch, clock, scope, returnUrl, identityReturnUrl } = mock;
  const social = new SocialConnect({ baseUrl, key, fetch, clock });
  const session = await social
    .forSubject(scope)
    .connect({ provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl });
  const handoff = await social.createIdpIdentitySession({ tenantKey: scope.tenantKey, returnUrl: identityReturnUrl });
  const secrets = [session.launchToken, handoff.launchToken, handoff.resultProof].map((secret) => secret.reveal());
  expect(secrets.every((secret) => secret.length >= 32)).toBe(true);
  expectNoneOf(secrets, { session, handoff });
});

test("the inspection page of a served mock and its state file contain no key, token or proof", async () => {
  const folder = await mkdtemp(join(tmpdir(), "client-secrets-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const stateFile = join(folder, "state.json");
  const { mock: served, url, close } = await serveMock({ seed: "secrets", stateFile });
  onTestFinished(close);
  const clients = { baseUrl: url, key: served.key, clock: served.clock, retries: 0 };
  const social = new SocialConnect(clients);
  const { scope, returnUrl, identityReturnUrl } = served;
  const session = await social
    .forSubject(scope)
    .connect({ provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl });
  const handoff = await social.createIdpIdentitySession({ tenantKey: scope.tenantKey, returnUrl: identityReturnUrl });
  const issued = [session.launchToken, handoff.launchToken, handoff.resultProof].map((secret) => secret.reveal());
  for (const operation of OPERATION_NAMES) {
    await OPERATION_CALLS[operation].run(social, social.forSubject(CANARY_SCOPE)).catch(() => undefined);
  }
  // A caller that sends secrets as ids and as names.
  for (const secret of [...SECRETS, ...issued]) {
    await social
      .forSubject({ ...scope, externalSubjectId: secret })
      .connections()
      .pages()
      .next()
      .catch(() => undefined);
    await social
      .forSubject(scope)
      .connection(secret)
      .catch(() => undefined);
  }
  const page = await (await fetch(url)).text();
  expect(page).toContain("<h2");
  expect(served.calls.count()).toBeGreaterThan(OPERATION_NAMES.length);
  await vi.waitFor(async () => expect(await readFile(stateFile, "utf8")).toContain("connections"));
  for (const text of [page, await readFile(stateFile, "utf8")])
    expectNoneOf([...SECRETS.filter(isSecret), ...issued], text);
  expect(page).not.toMatch(TOKEN);
});

/** A key is its id and its secret; the id only identifies it. */
function isSecret(part: string): boolean {
  return TOKEN.test(part);
}

test("the canaries would be found if they were there", () => {
  expect(() => expectNoneOf(CANARIES, new Error(`about ${CONSUMER_ARGUMENTS[0]}`))).toThrow();
  expect(printsOf({ token: "ab".repeat(32) })).toMatch(TOKEN);
});
