import type { SocialProvider } from "@social-connect/contract";
import { RENEWAL_LEASE_MS } from "@social-connect/domain";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Connection, Grant } from "../../_generated/prisma/client.ts";
import { ProviderError, type ProviderTokens, type StoredTokens } from "../../providers/contract.ts";
import { storedTokens } from "../testing/connections.ts";
import type { FakeProvider } from "../testing/fakeProvider.ts";
import * as environment from "../testing/fixtures.ts";
import { service, useApplicationPerTest } from "../testing/fixtures.ts";
import { gate } from "../testing/gate.ts";
import { openTokens, sealTokens } from "./sealTokens.ts";
import { withProviderSession } from "./withProviderSession.ts";

useApplicationPerTest();

const HOUR = 3_600_000;
const fromNow = (ms: number) => service.clock.fromNow(ms);

let rotating: FakeProvider;
let refreshes: string[];
const usual = new Map<FakeProvider, FakeProvider["refreshTokens"]>();

beforeAll(() => {
  rotating = service.fakes.PROVIDER_B;
  for (const fake of [rotating, service.fakes.PROVIDER_A]) usual.set(fake, fake.refreshTokens);
});

beforeEach(() => {
  refreshes = [];
  // A provider with refresh token rotation: each refresh token works once, and access tokens expire after an hour.
  for (const [fake, refreshTokens] of usual) {
    fake.refreshTokens = async (registration, tokens) => {
      await refreshTokens(registration, tokens);
      const used = tokens.refreshToken ?? "";
      if (fake === rotating && refreshes.includes(used)) throw new ProviderError("grant_gone", "used before");
      refreshes.push(used);
      return fresh(refreshes.length);
    };
  }
});

test("uses a valid token unchanged and renews an expiring one first", async () => {
  const connection = await connect({ accessTokenExpiresAt: fromNow(HOUR) });
  expect(await tokenUsed(connection)).toBe("access-1");
  expect(refreshes).toEqual([]);
  service.clock.advance(HOUR - 30_000);
  expect(await tokenUsed(connection)).toBe("renewed-1");
  expect(refreshes).toEqual(["refresh-1"]);
  expect(await grantOf(connection)).toMatchObject({ version: 2, renewalStartedAt: null, status: "ACTIVE" });
});

test("sends one refresh for fifty concurrent readers of an expired token, and each gets the new token", async () => {
  const connection = await connect({ accessTokenExpiresAt: fromNow(-1) });
  const used = await Promise.all(Array.from({ length: 50 }, () => tokenUsed(connection)));
  expect(new Set(used)).toEqual(new Set(["renewed-1"]));
  expect(refreshes).toEqual(["refresh-1"]);
  service.clock.advance(HOUR);
  await Promise.all(Array.from({ length: 10 }, () => tokenUsed(connection)));
  expect(refreshes).toEqual(["refresh-1", "rotated-1"]);
});

test("renews a rejected token once across concurrent calls and repeats each call", async () => {
  const connection = await connect({ accessTokenExpiresAt: fromNow(HOUR) });
  const call = () =>
    withProviderSession(service, connection, async ({ accessToken }) => {
      if (accessToken === "access-1") throw new ProviderError("access_expired", "refused");
      return accessToken;
    });
  expect(new Set(await Promise.all([call(), call(), call()]))).toEqual(new Set(["renewed-1"]));
  expect(refreshes).toEqual(["refresh-1"]);

  const refusing = await connect({ accessTokenExpiresAt: fromNow(HOUR), refreshToken: "refresh-other" }, "refused");
  let calls = 0;
  const refused = withProviderSession(service, refusing, async () => {
    calls += 1;
    throw new ProviderError("access_expired", "refused");
  });
  await expect(refused).rejects.toMatchObject({ kind: "access_expired" });
  expect(calls).toBe(2);
});

test("does not retry an interrupted renewal of a rotating refresh token, and uses the access token until it expires", async () => {
  const connection = await connect({ accessTokenExpiresAt: fromNow(HOUR) });
  await interruptRenewal(connection);
  service.clock.advance(HOUR - 1);
  expect(await tokenUsed(connection)).toBe("access-1");
  service.clock.advance(1);
  await expect(tokenUsed(connection)).rejects.toMatchObject({ kind: "grant_gone" });
  expect(refreshes).toEqual([]);
});

test("keeps the grant when the clock moves a day ahead during a renewal, and later callers wait for its result", async () => {
  const connection = await connect({ accessTokenExpiresAt: fromNow(-1) });
  const held = gate();
  rotating.before.set("refreshTokens", held.passFirst);
  const renewing = tokenUsed(connection);
  await held.reached;
  const looked = gate();
  const clock = {
    now: () => looked.passFirst().then(async () => fromNow(24 * HOUR)),
    unmoved: () => service.clock.unmoved(),
    after: () => () => undefined,
  };
  const late = withProviderSession({ ...service, clock }, connection, async ({ accessToken }) => accessToken);
  await looked.reached;
  looked.open();
  held.open();
  expect(await renewing).toBe("renewed-1");
  // The new token lasts an hour and expired with the clock change, so it is renewed again.
  expect(await late).toBe("renewed-2");
  expect(await grantOf(connection)).toMatchObject({ status: "ACTIVE" });
});

test("retries an interrupted renewal if the refresh token does not rotate", async () => {
  const connection = await connect({ accessTokenExpiresAt: fromNow(-1) }, "account", "PROVIDER_A");
  await interruptRenewal(connection);
  service.clock.advance(RENEWAL_LEASE_MS);
  expect(await tokenUsed(connection)).toBe("renewed-1");
});

test("keeps the stored refresh token if the response has none", async () => {
  const connection = await connect({ accessTokenExpiresAt: fromNow(-1) }, "account", "PROVIDER_A");
  const withoutRefreshToken = { ...fresh(1), refreshToken: null, refreshTokenExpiresAt: null };
  service.fakes.PROVIDER_A.refreshTokens = async () => withoutRefreshToken;
  expect(await tokenUsed(connection)).toBe("renewed-1");
  const grant = await grantOf(connection);
  expect(openTokens(service.secretBox, grant)).toMatchObject({ accessToken: "renewed-1", refreshToken: "refresh-1" });
});

test("stores a lifetime that comes without a refresh token as that of the stored token, and ignores it if there is no stored token", async () => {
  const lifetime = { refreshToken: null, refreshTokenExpiresAt: fromNow(HOUR) };
  service.fakes.PROVIDER_A.refreshTokens = async () => ({ ...fresh(1), ...lifetime });
  for (const [accountId, refreshToken, refreshTokenExpiresAt] of [
    ["stored", "refresh-1", lifetime.refreshTokenExpiresAt],
    ["none", null, null],
  ] as const) {
    const tokens = { accessTokenExpiresAt: fromNow(-1), refreshToken, refreshTokenExpiresAt: null };
    const connection = await connect(tokens, accountId, "PROVIDER_A");
    expect(await tokenUsed(connection)).toBe("renewed-1");
    const stored = openTokens(service.secretBox, await grantOf(connection));
    expect(stored).toMatchObject({ refreshToken, refreshTokenExpiresAt });
  }
});

test("ignores a refused early renewal; a required one fails with its reason and can be retried", async () => {
  const refused = () =>
    rotating.failures.set("refreshTokens", [
      new ProviderError("unavailable", "test", { refusal: { status: 503, code: null } }),
    ]);
  const early = await connect({ accessTokenExpiresAt: fromNow(30_000) });
  refused();
  expect(await tokenUsed(early)).toBe("access-1");

  const late = await connect({ accessTokenExpiresAt: fromNow(-1) }, "late");
  refused();
  await expect(tokenUsed(late)).rejects.toMatchObject({ kind: "unavailable" });
  expect(await grantOf(late)).toMatchObject({ renewalStartedAt: null, version: 1 });
  expect(await tokenUsed(late)).toBe("renewed-1");
});

test.each<[string, boolean, ProviderError]>([
  ["a lost response", false, new ProviderError("unavailable", "reset")],
  ["an unreadable success", false, new ProviderError("unavailable", "html", { refusal: { status: 200, code: null } })],
  ["tokens of an unknown type", false, new ProviderError("rejected", "no bearer token")],
  ["a request that was never sent", true, new ProviderError("unavailable", "refused", { isUnsent: true })],
  ["a limit", true, new ProviderError("rate_limited", "429", { refusal: { status: 429, code: "slow_down" } })],
])("after %s, sends the rotating refresh token again: %s", async (_, isSentAgain, failure) => {
  const connection = await connect({ accessTokenExpiresAt: fromNow(60_000) });
  rotating.failures.set("refreshTokens", [failure]);
  expect(await tokenUsed(connection)).toBe("access-1");
  service.clock.advance(RENEWAL_LEASE_MS);
  if (isSentAgain) expect(await tokenUsed(connection)).toBe("renewed-1");
  else await expect(tokenUsed(connection)).rejects.toMatchObject({ kind: "grant_gone" });
  expect(refreshes).toEqual(isSentAgain ? ["refresh-1"] : []);
});

test("keeps the newer credential of a grant replaced during its renewal", async () => {
  const connection = await connect({ accessTokenExpiresAt: fromNow(-1) });
  const held = gate();
  rotating.before.set("refreshTokens", held.passFirst);
  const reading = tokenUsed(connection);
  await held.reached;
  const { id } = await grantOf(connection);

  const reconnected = storedTokens({ accessToken: "reconnected", accessTokenExpiresAt: fromNow(HOUR) });
  await service.prisma.grant.updateMany({
    where: { id },
    data: { ...sealTokens(service.secretBox, id, reconnected), version: { increment: 1 }, renewalStartedAt: null },
  });
  held.open();
  expect(await reading).toBe("reconnected");
  expect(openTokens(service.secretBox, await grantOf(connection))).toMatchObject({ accessToken: "reconnected" });
});

test("does not send an expired refresh token", async () => {
  const connection = await connect({ accessTokenExpiresAt: fromNow(-1), refreshTokenExpiresAt: fromNow(-1) });
  await expect(tokenUsed(connection)).rejects.toMatchObject({ kind: "grant_gone" });
  expect(refreshes).toEqual([]);
});

test("does not send, renew or revoke a credential moved from another row", async () => {
  const [own, other] = [await connect({}, "own"), await connect({ accessToken: "another's" }, "other")];
  const sealed = ({ accessTokenSealed, refreshTokenSealed }: Grant) => ({ accessTokenSealed, refreshTokenSealed });
  const [right, foreign] = [sealed(await grantOf(own)), sealed(await grantOf(other))];
  const store = (data: Partial<Grant>) => service.prisma.grant.updateMany({ where: { connectionId: own.id }, data });
  for (const column of ["accessTokenSealed", "refreshTokenSealed"] as const) {
    // Also when it is due for renewal.
    for (const accessTokenExpiresAt of [null, fromNow(-1)]) {
      await store({ ...right, [column]: foreign[column], accessTokenExpiresAt });
      await expect(tokenUsed(own)).rejects.toThrow();
      expect(await grantOf(own)).toMatchObject({ status: "ACTIVE", version: 1, renewalStartedAt: null });
    }
  }
  await store({ ...right, accessTokenExpiresAt: null });
  expect(await tokenUsed(own)).toBe("access-1");
  expect(rotating.calls).toEqual([]);
});

function connect(tokens: Partial<StoredTokens>, accountId = "account", provider: SocialProvider = "PROVIDER_B") {
  return environment.connect({ provider, accountId, tokens });
}

function tokenUsed(connection: Connection): Promise<string> {
  return withProviderSession(service, connection, async ({ accessToken }) => accessToken);
}

/** Simulates a process killed between sending the refresh token and storing the response. */
async function interruptRenewal(connection: Connection): Promise<void> {
  const data = { renewalStartedAt: service.clock.current };
  await service.prisma.grant.updateMany({ where: { connectionId: connection.id }, data });
}

function grantOf(connection: Connection) {
  return service.prisma.grant.findFirstOrThrow({ where: { connectionId: connection.id } });
}

function fresh(count: number): ProviderTokens {
  return {
    accessToken: `renewed-${count}`,
    accessTokenExpiresAt: fromNow(HOUR),
    refreshToken: `rotated-${count}`,
    refreshTokenExpiresAt: fromNow(365 * 24 * HOUR),
    grantedCapabilities: null,
    providerAccountId: null,
  };
}
