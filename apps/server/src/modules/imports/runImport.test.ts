import { Readable } from "node:stream";
import { SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { PROVIDER_TRAITS } from "@social-connect/domain";
import { beforeEach, describe, expect, test } from "vitest";
import { ProviderError } from "../../providers/contract.ts";
import { SYSTEM } from "../admin/actor.ts";
import { revokeOrphanedGrant } from "../disconnect/revokeOrphanedGrant.ts";
import { openTokens } from "../grants/sealTokens.ts";
import { eraseConnections } from "../operations/eraseConnections.ts";
import { PURGE_SWEEPS } from "../retention/purge.ts";
import { disconnect } from "../testing/calls.ts";
import { dumpDatabase, encodingsOf } from "../testing/databaseDump.ts";
import { accountOf, type FakeProvider } from "../testing/fakeProvider.ts";
import {
  application,
  connect,
  registrations,
  service,
  testNumber,
  useApplicationPerTest,
} from "../testing/fixtures.ts";
import { orphanedGrants } from "../testing/rows.ts";
import { runToEnd } from "../testing/runToEnd.ts";
import { runErase, runRevoke } from "../testing/tasks.ts";
import { readLines } from "./readLines.ts";
import { type ImportOptions, type ReportedLine, runImport } from "./runImport.ts";

useApplicationPerTest();

const DAY = 86_400_000;
let fake: FakeProvider;

beforeEach(() => {
  for (const one of Object.values(service.fakes)) {
    one.account = accountOf(one.provider, "1");
    one.granted = ["PROFILE", "CONTENT_LIST"];
  }
  fake = service.fakes.PROVIDER_A;
});

/** A line with the token that renews its grant. */
function line(fields: Readonly<Record<string, unknown>> = {}) {
  const provider = (fields["provider"] ?? "PROVIDER_A") as SocialProvider;
  const isRenewedBy = PROVIDER_TRAITS[provider].renewsWith;
  const tokens = isRenewedBy === "refresh-token" ? { refreshToken: "old-refresh" } : { accessToken: "old-access" };
  const subject = { tenantKey: "tenant-1", externalSubjectId: "user-1" };
  return { provider, client: `shop-${testNumber}`, ...subject, ...tokens, ...fields };
}

async function importLines(lines: readonly unknown[], options: Partial<ImportOptions> = {}) {
  const report: ReportedLine[] = [];
  const text = lines.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n");
  const run = await runImport(service, readLines(Readable.from([Buffer.from(text)])), {
    ...{ actor: SYSTEM, share: 1, isCheck: false, isResumed: false, signal: new AbortController().signal },
    wait: async () => false,
    report: (one) => void report.push(one),
    ...options,
  });
  expect(report.map((one) => one.line)).toEqual(lines.map((_, index) => index + 1));
  return { ...run, report, codes: report.map(({ status, code }) => code ?? status) };
}

const codesOf = async (lines: readonly unknown[], options?: Partial<ImportOptions>) =>
  (await importLines(lines, options)).codes;
const resumed = { isResumed: true };

const connections = () => service.prisma.connection.findMany({ where: { applicationId: application.id } });
const grants = () => service.prisma.grant.findMany({ where: { applicationId: application.id } });
const stored = () => service.prisma.importLine.findMany({ where: { applicationId: application.id } });

describe("a grant is proved before a connection exists", () => {
  test("is renewed, and its account is read, at each provider", async () => {
    const { report } = await importLines(SOCIAL_PROVIDERS.map((provider) => line({ provider })));
    const rows = await connections();
    expect(report.map(({ status }) => status)).toEqual(["CONNECTED", "CONNECTED", "CONNECTED"]);
    expect(new Set(report.map(({ connectionId }) => connectionId))).toEqual(new Set(rows.map(({ id }) => id)));
    for (const one of Object.values(service.fakes))
      expect(one.calls.map(({ name }) => name)).toEqual(["refreshTokens", "readAccount"]);
    for (const row of rows)
      expect(row).toMatchObject({
        ...{ tenantKey: "tenant-1", externalSubjectId: "user-1", status: "CONNECTED", syncStatus: "PENDING" },
        ...{ providerAccountId: service.fakes[row.provider].account.providerAccountId, displayName: "Account 1" },
        ...{ capabilities: ["PROFILE", "CONTENT_LIST"], createdAt: service.clock.current },
      });
    for (const grant of await grants()) {
      expect(grant).toMatchObject({ status: "ACTIVE", version: 2, importLineId: null, capabilities: [] });
      const tokens = { accessToken: "access-2", refreshToken: "refresh-2" };
      expect(openTokens(service.secretBox, grant)).toMatchObject(tokens);
    }
  });

  test("schedules its first reads over the day, and enqueues none now", async () => {
    service.enqueued.length = 0;
    await importLines([line()]);
    const [row] = await connections();
    expect(row?.nextScanAt?.getTime()).toBeGreaterThanOrEqual(service.clock.current.getTime());
    expect(row?.nextScanAt?.getTime()).toBeLessThan(service.clock.current.getTime() + DAY);
    expect(await service.prisma.job.count({ where: { applicationId: application.id } })).toBe(0);
    expect(service.enqueued).toEqual([]);
  });

  test("where the access token is the only one, it is renewed unless its end and its scopes are known", async () => {
    fake = service.fakes.PROVIDER_C;
    const known = { scopes: ["profile"], accessTokenExpiresAt: "2099-01-01T00:00:00Z" };
    expect(await codesOf([line({ provider: "PROVIDER_C", ...known })])).toEqual(["CONNECTED"]);
    expect(fake.calls.map(({ name, detail }) => [name, detail])).toEqual([["readAccount", "old-access"]]);
    expect(await connections()).toMatchObject([{ capabilities: ["PROFILE"] }]);
    const expired = {
      ...known,
      accessTokenExpiresAt: service.clock.current.toISOString(),
      externalSubjectId: "user-2",
    };
    expect(await codesOf([line({ provider: "PROVIDER_C", ...expired })])).toEqual(["CONNECTED"]);
    expect(fake.countOf("refreshTokens")).toBe(1);
  });

  test("a rejected access token of one that was not renewed is renewed once", async () => {
    fake = service.fakes.PROVIDER_C;
    const known = { scopes: ["profile"], accessTokenExpiresAt: "2099-01-01T00:00:00Z" };
    fake.failNext("readAccount", "access_expired", "access_expired");
    expect(await codesOf([line({ provider: "PROVIDER_C", ...known })])).toEqual(["GRANT_ENDED"]);
    expect(fake.calls.map(({ name }) => name)).toEqual(["readAccount", "refreshTokens", "readAccount"]);
    expect(await connections()).toEqual([]);
  });

  test("has the scopes that the provider names, as far as the line asks for them", async () => {
    await importLines([line({ scopes: ["content_list", "content_metrics", "of another client"] })]);
    expect(await connections()).toMatchObject([{ capabilities: ["CONTENT_LIST"] }]);
  });

  test("has the scopes of the line if the provider names none, and none of another client", async () => {
    fake.granted = null;
    const [own, other] = [{ scopes: ["profile"] }, { scopes: ["of another client"], externalSubjectId: "user-2" }];
    const lines = [line(own), line(other), line({ externalSubjectId: "user-3" })];
    expect(await codesOf(lines)).toEqual(["CONNECTED", "NO_CAPABILITY_GRANTED", "NO_CAPABILITY_GRANTED"]);
    expect(await connections()).toMatchObject([{ capabilities: ["PROFILE"] }]);
    // The line of the other client is refused before its token is sent.
    expect(fake.countOf("refreshTokens")).toBe(2);
  });

  test.each([
    ["grant_gone", "GRANT_ENDED"],
    ["account_unreadable", "ACCOUNT_UNREADABLE"],
    ["rejected", "PROVIDER_REFUSED"],
    ["scope_missing", "NO_CAPABILITY_GRANTED"],
  ] as const)("the provider's %s ends the line as %s, erases its tokens and revokes nothing", async (kind, code) => {
    for (const call of ["refreshTokens", "readAccount"]) {
      fake.failNext(call, kind);
      const refused = line({ externalSubjectId: call });
      expect(await codesOf([refused])).toEqual([code]);
      const { calls } = fake;
      const before = calls.length;
      expect(await codesOf([refused], resumed)).toEqual([code]);
      expect(calls).toHaveLength(before);
    }
    expect(await grants()).toEqual([]);
    expect(await connections()).toEqual([]);
    expect(fake.countOf("revoke")).toBe(0);
    expect(service.enqueued.filter(({ task }) => task === "revokeOrphanedGrant")).toEqual([]);
  });

  test("another account than the line names is refused", async () => {
    const other = line({ accountId: "provider_a-account-2" });
    expect(await codesOf([other])).toEqual(["ACCOUNT_MISMATCH"]);
    expect(await grants()).toEqual([]);
    const own = line({ accountId: "provider_a-account-1", refreshToken: "another" });
    expect(await codesOf([own])).toEqual(["CONNECTED"]);
  });
});

describe("the rules of a connect attempt apply", () => {
  const update = (data: object) => service.prisma.application.update({ where: { id: application.id }, data });

  test.each<[string, string, () => Promise<unknown>]>([
    ["FORBIDDEN", "the client is disabled", () => update({ enabled: false })],
    ["FORBIDDEN", "it has not the tenant", () => update({ tenantKeys: [] })],
    ["FORBIDDEN", "its policy has not the provider", () => update({ providers: ["PROVIDER_B"] })],
    ["NO_CAPABILITY_GRANTED", "its policy has no capability", () => update({ capabilities: [] })],
    ["NOT_A_TESTER", "the account is no tester", () => service.prisma.tester.deleteMany()],
    [
      "DISCONNECT_IN_PROGRESS",
      "a disconnect of the user has not settled",
      async () => {
        await disconnect(service, application, await connect({ accountId: "provider_a-account-2" }));
      },
    ],
  ])("%s, before anything is sent, where %s", async (code, _, prepare) => {
    await prepare();
    const named = line({ accountId: "provider_a-account-1" });
    expect(await codesOf([named])).toEqual([code]);
    expect(fake.countOf("refreshTokens") + fake.countOf("readAccount")).toBe(0);
    expect(await stored()).toEqual([]);
  });

  test("an account that is no tester is refused when the provider has named it", async () => {
    await service.prisma.tester.deleteMany({ where: { applicationId: application.id } });
    expect(await codesOf([line()])).toEqual(["NOT_A_TESTER"]);
    expect(await grants()).toEqual([]);
  });

  test("a line that was begun keeps its tokens while its registration is paused", async () => {
    fake.failNext("readAccount", "unavailable", "unavailable", "unavailable");
    await importLines([line()]);
    const { PROVIDER_A: id } = registrations;
    await service.prisma.providerRegistration.update({ where: { id }, data: { status: "PAUSED" } });
    expect(await codesOf([line()], resumed)).toEqual(["PROVIDER_NOT_AVAILABLE"]);
    expect(await grants()).toHaveLength(1);
    await service.prisma.providerRegistration.update({ where: { id }, data: { status: "PUBLISHED" } });
    expect(await codesOf([line()], resumed)).toEqual(["CONNECTED"]);
    expect(fake.countOf("refreshTokens")).toBe(1);
  });

  test("a registration that does not serve the client is not available", async () => {
    const { PROVIDER_A: id } = registrations;
    await service.prisma.providerRegistration.update({ where: { id }, data: { status: "PAUSED" } });
    expect(await codesOf([line()])).toEqual(["PROVIDER_NOT_AVAILABLE"]);
    await service.prisma.providerRegistration.update({ where: { id }, data: { status: "PUBLISHED" } });
    expect(await codesOf([line()])).toEqual(["CONNECTED"]);
  });

  test("a revoke that ends while the grant is proved makes the line one for later", async () => {
    const other = await connect({ externalSubjectId: "user-2" });
    fake.before.set("readAccount", async () => {
      fake.before.clear();
      const { revokeJobId } = await disconnect(service, application, other);
      await runRevoke(service, revokeJobId);
    });
    expect(await codesOf([line()])).toEqual(["DISCONNECT_IN_PROGRESS"]);
    expect(await codesOf([line()], resumed)).toEqual(["CONNECTED"]);
    expect(fake.countOf("refreshTokens")).toBe(1);
  });

  test("a connection that works stays as it is; if the line names its account, nothing is sent", async () => {
    const existing = await connect();
    expect(await codesOf([line({ accountId: existing.providerAccountId })])).toEqual(["ALREADY_CONNECTED"]);
    expect(fake.calls).toEqual([]);
    const { report } = await importLines([line()]);
    expect(report).toMatchObject([{ status: "ALREADY_CONNECTED", connectionId: existing.id }]);
    const [grant] = await grants();
    expect(grant && openTokens(service.secretBox, grant)).toMatchObject({ refreshToken: "refresh-1" });
    expect(await connections()).toEqual([existing]);
  });

  test("a connection that must be reconnected keeps its id and gets the grant", async () => {
    const data = { status: "RECONNECT_REQUIRED" } as const;
    const existing = await connect({ data });
    await service.prisma.grant.updateMany({ where: { connectionId: existing.id }, data: { status: "GONE" } });
    const { report } = await importLines([line({ accountId: existing.providerAccountId })]);
    expect(report).toMatchObject([{ status: "CONNECTED", connectionId: existing.id }]);
    expect(await connections()).toMatchObject([{ id: existing.id, status: "CONNECTED" }]);
    expect(await grants()).toMatchObject([{ connectionId: existing.id, status: "ACTIVE", importLineId: null }]);
  });

  test("two users, and two accounts of one user, are connected, one after the other", async () => {
    fake.before.set("readAccount", async () => {
      fake.account = accountOf("PROVIDER_A", String(fake.countOf("readAccount")));
    });
    const lines = [line(), line({ refreshToken: "of the second account" })];
    expect(await codesOf(lines)).toEqual(["CONNECTED", "CONNECTED"]);
    expect(await connections()).toHaveLength(2);
    fake.before.clear();
    expect(await codesOf([line({ externalSubjectId: "user-2" })])).toEqual(["CONNECTED"]);
  });

  test("the audit log names the connection and who imported it, and counts the lines for the client", async () => {
    const actor = { via: "member", email: "ada@shop.example" } as const;
    const lines = [line({ connectedAt: "2025-03-01T10:00:00Z" }), line({ externalSubjectId: "user-2" }), "{"];
    await importLines(lines, { actor });
    const entries = await service.prisma.auditEntry.findMany({ where: { actor: actor.email }, orderBy: { id: "asc" } });
    const ids = (await connections()).map(({ id }) => id);
    expect(new Set(entries.slice(0, 2).map(({ targetId }) => targetId))).toEqual(new Set(ids));
    expect(entries.map(({ action }) => action)).toEqual([
      ...["Connection imported", "Connection imported", "Connections imported"],
    ]);
    expect(entries.some(({ summary }) => summary.includes("2025-03-01"))).toBe(true);
    expect(entries[2]?.summary).toContain("2 connected");
    await service.prisma.auditEntry.deleteMany({ where: { actor: actor.email } });
  });
});

describe("an import that ends early continues", () => {
  test("after an outage, without a second renewal", async () => {
    fake.failNext("readAccount", "unavailable", "unavailable", "unavailable");
    expect(await codesOf([line()])).toEqual(["PROVIDER_UNAVAILABLE"]);
    const [pending] = await grants();
    expect(pending && openTokens(service.secretBox, pending)).toMatchObject({ refreshToken: "refresh-2" });
    expect(await codesOf([line()], resumed)).toEqual(["CONNECTED"]);
    expect(await codesOf([line()], resumed)).toEqual(["CONNECTED"]);
    expect(fake.detailsOf("refreshTokens")).toEqual(["old-refresh"]);
  });

  test("with the scopes of a renewal that an earlier run made", async () => {
    fake.granted = ["PROFILE"];
    fake.failNext("readAccount", "rate_limited", "rate_limited", "rate_limited");
    expect(await codesOf([line()])).toEqual(["RATE_LIMITED"]);
    expect(await codesOf([line()], resumed)).toEqual(["CONNECTED"]);
    expect(await connections()).toMatchObject([{ capabilities: ["PROFILE"] }]);
  });

  test("only if that is wanted: an imported line of another run is an error, and nothing else is begun", async () => {
    await importLines([line()]);
    const others = Array.from({ length: 20 }, (_, index) => line({ externalSubjectId: `other-${index}` }));
    await expect(importLines([line(), ...others])).rejects.toThrow("line 1 was imported before");
    expect((await connections()).length).toBeLessThanOrEqual(4);
    expect((await importLines([line(), ...others], resumed)).counts).toMatchObject({ CONNECTED: 21 });
  });

  test.each([
    ["PROVIDER_A", "CONNECTED", 1],
    ["PROVIDER_B", "RENEWAL_INTERRUPTED", 0],
  ] as const)("killed during a renewal at %s: %s, and a token that rotates is not sent again", async (...row) => {
    const [provider, code, sent] = row;
    fake = service.fakes[provider];
    fake.failNext("refreshTokens", "unavailable");
    fake.failures.set("refreshTokens", [new ProviderError("unavailable", "down", { isUnsent: true })]);
    await importLines([line({ provider })]);
    // As a process leaves it that is killed between the announcement and the answer.
    const data = { renewalStartedAt: service.clock.current };
    await service.prisma.grant.updateMany({ where: { applicationId: application.id }, data });
    fake.reset();
    expect(await codesOf([line({ provider })], resumed)).toEqual([code]);
    expect(fake.countOf("refreshTokens")).toBe(sent);
    expect(await connections()).toHaveLength(sent);
  });

  test("a rotating token whose answer was lost is refused at once; one that was not sent is for later", async () => {
    fake = service.fakes.PROVIDER_B;
    fake.failures.set("refreshTokens", [
      new ProviderError("unavailable", "reset"),
      new ProviderError("unavailable", "refused", { isUnsent: true }),
    ]);
    const lost = line({ provider: "PROVIDER_B" });
    const unsent = line({ provider: "PROVIDER_B", externalSubjectId: "user-2", refreshToken: "another" });
    expect(await codesOf([lost])).toEqual(["RENEWAL_INTERRUPTED"]);
    expect(await codesOf([unsent])).toEqual(["PROVIDER_UNAVAILABLE"]);
    expect(await codesOf([lost, unsent], resumed)).toEqual(["RENEWAL_INTERRUPTED", "CONNECTED"]);
    expect(fake.countOf("revoke")).toBe(0);
  });

  test("no sweep revokes its grants; after 30 days they are deleted with the lines", async () => {
    fake.failNext("readAccount", "unavailable", "unavailable", "unavailable");
    await importLines([line()]);
    service.clock.advance(29 * DAY);
    expect(await orphanedGrants(service, service.clock.current)).toEqual([]);
    const [pending] = await grants();
    if (pending !== undefined) await revokeOrphanedGrant(service, pending);
    await runToEnd(service, PURGE_SWEEPS);
    expect(await grants()).toHaveLength(1);
    service.clock.advance(2 * DAY);
    expect(await runToEnd(service, PURGE_SWEEPS)).not.toMatchObject({ deleteImportLines: 0 });
    expect(await stored()).toEqual([]);
    expect(await grants()).toEqual([]);
    expect(fake.countOf("revoke")).toBe(0);
  });

  test("not for a person who was erased since: their tokens are gone, and their id", async () => {
    fake.failNext("readAccount", "unavailable", "unavailable", "unavailable");
    const [erased, other] = [line({ externalSubjectId: "canary-user" }), line({ externalSubjectId: "user-2" })];
    await importLines([erased]);
    await importLines([other]);
    const scope = {
      ...{ application: { id: application.id, slug: `shop-${testNumber}` } },
      ...{ tenantKey: "tenant-1", externalSubjectId: "canary-user" },
    };
    const { deleted } = await eraseConnections(service, scope, { wait: async () => false });
    expect(deleted).toMatchObject({ import_line: 1 });
    const dump = (await dumpDatabase(service.pool)).join("\n");
    for (const form of encodingsOf("canary-user")) expect(dump).not.toContain(form);
    expect(await codesOf([erased, other], resumed)).toEqual(["ERASED", "CONNECTED"]);
    expect(fake.countOf("refreshTokens")).toBe(2);
  });

  test("not with a connection that its application has disconnected since", async () => {
    await importLines([line()]);
    const [connection] = await connections();
    if (connection === undefined) throw new Error("There is no connection.");
    const { revokeJobId, eraseJobId } = await disconnect(service, application, connection);
    await runRevoke(service, revokeJobId);
    await runErase(service, eraseJobId);
    expect(await codesOf([line()], resumed)).toEqual(["ERASED"]);
    expect(await stored()).toMatchObject([{ tenantKey: "", externalSubjectId: "", connectionId: null }]);
    expect(await connections()).toEqual([]);
  });

  test("stops when it is asked to, after the lines that it has begun", async () => {
    const stopping = new AbortController();
    fake.before.set("readAccount", async () => stopping.abort());
    const lines = Array.from({ length: 100 }, (_, index) => line({ externalSubjectId: `user-${index}` }));
    const report: ReportedLine[] = [];
    const run = await runImport(
      service,
      readLines(Readable.from(lines.map((one) => `${JSON.stringify(one)}\n`).map(Buffer.from))),
      {
        ...{ actor: SYSTEM, share: 1, isCheck: false, isResumed: false, signal: stopping.signal },
        wait: async () => false,
        report: (one) => void report.push(one),
      },
    );
    expect(run.isStopped).toBe(true);
    expect(run.counts.CONNECTED).toBeGreaterThanOrEqual(1);
    expect(run.counts.CONNECTED).toBeLessThanOrEqual(4);
    expect(run.counts.CONNECTED + run.counts.LATER).toBe(report.length);
    fake.before.clear();
    expect((await importLines(lines, resumed)).counts).toMatchObject({ CONNECTED: 100 });
    expect(fake.countOf("refreshTokens")).toBe(100);
  });
});

describe("the quota is shared", () => {
  beforeEach(async () => {
    service.clock.set("2026-03-10T12:00:20.000Z");
    await service.prisma.providerQuota.deleteMany();
  });
  const lines = () => Array.from({ length: 6 }, (_, index) => line({ externalSubjectId: `user-${index}` }));
  const setQuota = (quota: object) =>
    service.prisma.providerRegistration.update({ where: { id: registrations.PROVIDER_A }, data: { quota } });

  test("lines beyond the share are for later, and their tokens stay unused", async () => {
    await setQuota({ units: 8, window: "day", per: "client", reserve: 0 });
    const { codes } = await importLines(lines(), { share: 0.5 });
    expect(codes.filter((code) => code === "QUOTA_USED_UP")).toHaveLength(2);
    expect(codes.filter((code) => code === "CONNECTED")).toHaveLength(4);
    expect(fake.countOf("refreshTokens")).toBe(4);
    expect(await importLines(lines(), { share: 0.5, ...resumed })).toMatchObject({ counts: { LATER: 2 } });
    service.clock.advance(DAY);
    expect(await importLines(lines(), { share: 0.5, ...resumed })).toMatchObject({ counts: { CONNECTED: 6 } });
    await setQuota({});
  });

  test("waits for the next minute of a quota for each minute", async () => {
    await setQuota({ units: 4, window: "minute", per: "client", reserve: 0 });
    const waits: number[] = [];
    const wait = async (seconds: number) => {
      waits.push(seconds);
      service.clock.advance(seconds * 1_000);
      return true;
    };
    expect(await importLines(lines(), { share: 0.5, wait })).toMatchObject({ counts: { CONNECTED: 6 } });
    expect(waits[0]).toBe(40);
    await setQuota({});
  });
});

describe("the file is not trusted", () => {
  test("each line has its place in the report; a repeated one is a duplicate, whatever its tokens", async () => {
    const named = { accountId: "provider_a-account-1" };
    const lines = [
      ...["{", line(named), "", line({ ...named, refreshToken: "other" }), line({ client: "unknown" })],
      ...["x".repeat(70_000), line({ surplus: 1 })],
    ];
    const { report, codes, counts } = await importLines(lines);
    expect(codes).toEqual([
      ...["INVALID_LINE", "CONNECTED", "INVALID_LINE", "DUPLICATE_LINE", "UNKNOWN_CLIENT"],
      ...["INVALID_LINE", "INVALID_LINE"],
    ]);
    expect(counts).toEqual({ CONNECTED: 1, ALREADY_CONNECTED: 0, REFUSED: 0, INVALID: 6, LATER: 0 });
    expect(report[5]?.problem).toContain("65536 bytes");
    expect(fake.countOf("refreshTokens")).toBe(1);
  });

  test("a rotating token in the lines of two users is sent once", async () => {
    const lines = ["user-1", "user-2"].map((externalSubjectId) => line({ provider: "PROVIDER_B", externalSubjectId }));
    expect(await codesOf(lines)).toEqual(["CONNECTED", "DUPLICATE_LINE"]);
    expect(service.fakes.PROVIDER_B.detailsOf("refreshTokens")).toEqual(["old-refresh"]);
  });

  test("a check says the same, and changes nothing", async () => {
    const before = await dumpDatabase(service.pool);
    const lines = [line(), "{", line(), line({ client: "unknown" }), line({ tenantKey: "other" })];
    const { codes } = await importLines(lines, { isCheck: true });
    expect(codes).toEqual(["LATER", "INVALID_LINE", "DUPLICATE_LINE", "UNKNOWN_CLIENT", "FORBIDDEN"]);
    expect(fake.calls).toEqual([]);
    expect(await dumpDatabase(service.pool)).toEqual(before);
  });

  test("its tokens are in no table, task or report, except sealed", async () => {
    const tokens = { refreshToken: "canary-refresh", accessToken: "canary-access" };
    fake.failNext("readAccount", "unavailable", "unavailable", "unavailable");
    const { report } = await importLines([line(tokens), line({ ...tokens, externalSubjectId: "user-2" })]);
    const text = JSON.stringify([report, service.enqueued, await dumpDatabase(service.pool)]);
    for (const form of ["canary-refresh", "canary-access"].flatMap(encodingsOf)) expect(text).not.toContain(form);
  });
});
