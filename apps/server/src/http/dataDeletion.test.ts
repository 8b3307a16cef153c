import { beforeAll, describe, expect, test } from "vitest";
import type { Connection } from "../_generated/prisma/client.ts";
import { ADVANCE_DATA_DELETIONS } from "../modules/data-deletion/advanceDeletion.ts";
import { PURGE_SWEEPS } from "../modules/retention/purge.ts";
import * as rows from "../modules/testing/rows.ts";
import { runToEnd } from "../modules/testing/runToEnd.ts";
import { runErase } from "../modules/testing/tasks.ts";
import {
  applications,
  connect,
  newUser,
  register,
  requestDeletion,
  seconds,
  securityLines,
  server,
  service,
  signedRequest,
  snapshot,
  statusOf,
  useProviderMessages,
} from "./testing/providerMessages.ts";

useProviderMessages();

const SECRET = "deletion-secret";
const DAY_MS = 86_400_000;
const line = (reason: string) => ({
  event: `data_deletion.${reason === "repeated" ? "ignored" : "refused"}`,
  provider: "PROVIDER_C",
  reason,
  address: "127.0.0.1",
});

let registration: string;
beforeAll(async () => {
  registration = await register("PROVIDER_C", "deletion-client", SECRET);
});

interface Answer {
  readonly url: string;
  readonly confirmation_code: string;
}

/** An accepted request. */
async function accepted(signed: string): Promise<Answer> {
  const response = await requestDeletion(signed);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toContain("application/json");
  return (await response.json()) as Answer;
}

const request = (user: string, fields: object = {}) => signedRequest({ user_id: user, ...fields }, SECRET);

/** The status page, at this test's server. */
async function page(url: string, language = "en") {
  const { pathname, search } = new URL(url);
  const response = await fetch(server.url + pathname + search, { headers: { "accept-language": language } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Runs the queued erasures of connections. */
async function erase(...ids: readonly string[]): Promise<void> {
  const jobs = await service.prisma.job.findMany({ where: { connectionId: { in: [...ids] }, kind: "ERASE" } });
  expect(jobs.map(({ connectionId }) => connectionId).sort()).toEqual([...ids].sort());
  for (const { id } of jobs) await runErase(service, id);
}

describe("a data deletion request", () => {
  test("reaches every connection of its user, in every application and registration whose secret fits", async () => {
    const user = newUser();
    const renewed = await register("PROVIDER_C", "deletion-client", SECRET);
    const foreign = await register("PROVIDER_C", "foreign-client", "foreign-secret");
    const deleted = [
      await connect("PROVIDER_C", registration, user),
      await connect("PROVIDER_C", registration, user),
      await connect("PROVIDER_C", registration, user, applications[1]),
      await connect("PROVIDER_C", renewed, user),
    ];
    const others = [
      await connect("PROVIDER_C", registration, newUser()),
      await connect("PROVIDER_C", foreign, user),
      await connect("PROVIDER_B", await register("PROVIDER_B", "deletion-client", SECRET), user),
    ];
    const [first] = deleted;
    for (const id of ["post-1", "post-2"]) await rows.createPost(service, first as never, { providerContentId: id });
    const { url, confirmation_code } = await accepted(request(user));
    expect(confirmation_code).toMatch(/^[0-9a-f]{32}$/);
    expect(url).toBe(`${service.connectHost}/api/connect/provider-c/data-deletion?code=${confirmation_code}`);
    for (const one of deleted) expect(await statusOf(one)).toBe("DISCONNECTED");
    for (const one of others) expect(await statusOf(one)).toBe("CONNECTED");
    expect(securityLines()).toEqual([]);

    expect((await page(url)).text).toContain("4 connected accounts is still being deleted");
    await erase(...deleted.slice(1).map(({ id }) => id));
    const before = await page(url);
    expect(before.text).toContain("1 connected account is still being deleted");
    expect(before.text).toContain("3 connected accounts, with their profiles");
    expect(before.text).not.toContain("was deleted on");
    service.clock.advance(60_000);
    await erase((first as { id: string }).id);
    const { text } = await page(url);
    expect(text).toContain("was deleted on March 10, 2026.");
    expect(text).toContain("4 connected accounts, with their profiles");
    expect(text).toContain("2 posts, with their figures");
    // PROVIDER_C has no revoke interface.
    expect(text).toContain("The permission could not be withdrawn from here.");
    for (const personal of [user, ...deleted.map(({ id }) => id), "PROVIDER_C", "shop"])
      expect(text).not.toContain(personal);
    for (const one of others) expect(await statusOf(one)).toBe("CONNECTED");

    const audit = await service.prisma.auditEntry.findMany({ where: { action: "Data deletion requested" } });
    expect(audit.map(({ targetId }) => targetId).sort()).toEqual(deleted.map(({ id }) => id).sort());
    expect(JSON.stringify(audit)).not.toContain(user);
  });

  test("during a scan ends the scan, and nothing that it read since is stored", async () => {
    const connection = await connect("PROVIDER_C", registration, newUser());
    const scan = await rows.createJob(service, connection, {
      kind: "SCAN",
      status: "RUNNING",
      finishedAt: null,
      attempt: 1,
    });
    await accepted(request(connection.providerAccountId));
    expect(await service.prisma.job.findFirst({ where: { id: scan.id } })).toMatchObject({ status: "CANCELED" });
    await erase(connection.id);
    expect(await statusOf(connection)).toBeNull();
  });

  test("includes connections that are being erased, and connections that need a reconnect", async () => {
    const user = newUser();
    const gone = await connect("PROVIDER_C", registration, user);
    await service.prisma.connection.updateMany({ where: { id: gone.id }, data: { status: "RECONNECT_REQUIRED" } });
    await service.prisma.grant.updateMany({
      where: { connectionId: gone.id },
      data: { status: "GONE", updatedAt: service.clock.fromNow(60_000) },
    });
    const first = await accepted(request(user));
    // Another request of the same user, while the erasure runs.
    service.clock.advance(60_000);
    const second = await accepted(request(user));
    expect(second.confirmation_code).not.toBe(first.confirmation_code);
    await erase(gone.id);
    for (const { url } of [first, second])
      expect((await page(url)).text).toContain("1 connected account, with its profile");
  });

  test("of a user without stored data gets a code, and its page states that", async () => {
    const { url } = await accepted(request(newUser()));
    const { status, text } = await page(url);
    expect(status).toBe(200);
    expect(text).toContain("Nothing was stored for your account.");
    expect(securityLines()).toEqual([]);
  });

  test("gets the same code when it is repeated, and changes nothing", async () => {
    const connection = await connect("PROVIDER_C", registration, newUser());
    const signed = request(connection.providerAccountId);
    const [one, two] = await Promise.all([accepted(signed), accepted(signed)]);
    expect(one).toEqual(two);
    expect(securityLines()).toEqual([line("repeated")]);
    await erase(connection.id);
    const before = await snapshot();
    service.clock.advance(60_000);
    // Padding is not part of what is signed.
    for (const again of [signed, signed.replace(".", "=.")]) expect(await accepted(again)).toEqual(one);
    expect(await snapshot()).toBe(before);
    expect(await service.prisma.auditEntry.count({ where: { targetId: connection.id } })).toBe(1);
  });

  test("of the same second as one before it concerns a connection that was made between the two", async () => {
    const user = newUser();
    const issued = { issued_at: Math.floor(service.clock.current.getTime() / 1_000) };
    const nothing = await accepted(request(user, issued));
    const connection = await connect("PROVIDER_C", registration, user);
    expect(await accepted(request(user, issued))).toEqual(nothing);
    expect(await statusOf(connection)).toBe("DISCONNECTED");
    expect((await page(nothing.url)).text).toContain("1 connected account is still being deleted");
    expect(securityLines()).toEqual([]);
  });

  test("keeps a connection to which its user has consented since", async () => {
    const user = newUser();
    const signed = request(user);
    service.clock.advance(60_000);
    const since = await connect("PROVIDER_C", registration, user);
    const before = await snapshot();
    const response = await requestDeletion(signed);
    expect([response.status, await response.text()]).toEqual([400, ""]);
    expect(securityLines()).toEqual([line("old")]);
    expect(await snapshot()).toBe(before);
    expect(await statusOf(since)).toBe("CONNECTED");
  });

  test("that could not disconnect a connection is completed by the sweep", async () => {
    const connection = await connect("PROVIDER_C", registration, newUser());
    const { url } = await whileLocked(connection, () => accepted(request(connection.providerAccountId)));
    expect(await statusOf(connection)).toBe("CONNECTED");
    expect((await page(url)).text).toContain("1 connected account is still being deleted");
    await runToEnd(service, [ADVANCE_DATA_DELETIONS]);
    expect(await statusOf(connection)).toBe("DISCONNECTED");
    await erase(connection.id);
    await runToEnd(service, [ADVANCE_DATA_DELETIONS]);
    // The receipts are deleted after a week, and the status is still known.
    service.clock.advance(8 * DAY_MS);
    await runToEnd(service, PURGE_SWEEPS);
    expect(await service.prisma.job.count({ where: { connectionId: connection.id } })).toBe(0);
    expect((await page(url)).text).toContain("was deleted on March 10, 2026");
    const unfinished = await service.prisma.dataDeletion.findMany({ where: { finishedAt: null } });
    expect(JSON.stringify(unfinished)).not.toContain(connection.id);
  });
});

/** While `during` runs, another transaction holds the connection. */
function whileLocked<Result>({ id, applicationId }: Connection, during: () => Promise<Result>): Promise<Result> {
  return service.prisma.$transaction(async (transaction) => {
    await transaction.$queryRaw`
      SELECT 1 FROM connection WHERE id = ${id}::uuid AND application_id = ${applicationId}::uuid FOR UPDATE`;
    return during();
  });
}

const REFUSED: Readonly<Record<string, readonly [reason: string, (user: string) => string | null]>> = {
  "is signed with another secret": ["signature", (user) => signedRequest({ user_id: user }, "forged")],
  "is signed by another client's secret": [
    "signature",
    (user) => signedRequest({ user_id: user }, "client-secret-of-b"),
  ],
  "has another algorithm": ["signature", (user) => signedRequest({ user_id: user, algorithm: "none" }, SECRET)],
  "was changed after it was signed": [
    "signature",
    (user) => `${request("somebody").split(".")[0]}.${request(user).split(".")[1]}`,
  ],
  "names no user": ["signature", () => signedRequest({}, SECRET)],
  "is missing": ["malformed", () => null],
  "has no time": ["untimed", (user) => request(user, { issued_at: undefined })],
  "has null as its time": ["untimed", (user) => request(user, { issued_at: null })],
  "has 0 as its time": ["untimed", (user) => request(user, { issued_at: 0 })],
  "has a time that is not one": ["untimed", (user) => request(user, { issued_at: "tomorrow" })],
  "is more than a day old": ["old", (user) => request(user, { issued_at: seconds(-86_401) })],
  "is from the future": ["future", (user) => request(user, { issued_at: seconds(61) })],
  "is too large": ["malformed", (user) => request(user, { padding: "a".repeat(16_384) })],
};

test.each(Object.entries(REFUSED))(
  "a data deletion request that %s is refused with one line, and changes nothing",
  async (_, [reason, make]) => {
    const connection = await connect("PROVIDER_C", registration, newUser());
    const before = await snapshot();
    const response = await requestDeletion(make(connection.providerAccountId));
    expect([response.status, await response.text()]).toEqual([400, ""]);
    expect(securityLines()).toEqual([line(reason)]);
    expect(await snapshot()).toBe(before);
    // Control: the same request without the fault.
    await accepted(request(connection.providerAccountId));
    expect(await statusOf(connection)).toBe("DISCONNECTED");
  },
);

describe("the status page", () => {
  test("reveals nothing to a person who guesses: unknown, malformed and expired codes have one response", async () => {
    const { url, confirmation_code: code } = await accepted(request(newUser()));
    const other = await accepted(request(newUser()));
    const at = (search: string) => page(`${service.connectHost}/api/connect/provider-c/data-deletion${search}`);
    const guesses = [
      "",
      "?code=",
      `?code=${"0".repeat(32)}`,
      "?code=%00%FF",
      `?code=${code.toUpperCase()}`,
      `?code=${code.slice(0, -1)}`,
      `?code=${code}&code=${code}`,
      `?code=${"a".repeat(5_000)}`,
      "?code=' OR 1=1 --",
      `?code=${code}%20`,
    ];
    const responses = await Promise.all(guesses.map(at));
    service.clock.advance(90 * DAY_MS - 1);
    expect((await page(url)).status).toBe(200);
    service.clock.advance(1);
    responses.push(await page(url));
    await runToEnd(service, PURGE_SWEEPS);
    service.clock.advance(1);
    await runToEnd(service, PURGE_SWEEPS);
    responses.push(await page(other.url));
    const shown = ({ status, text, headers }: Awaited<ReturnType<typeof page>>) => {
      const known = [...headers].filter(([name]) => name !== "date");
      return JSON.stringify([status, text, known]);
    };
    expect(new Set(responses.map(shown)).size).toBe(1);
    expect(responses[0]).toMatchObject({ status: 404, text: expect.stringContaining("more than 90 days old") });
    const requestedAt = new Date("2026-03-10T12:00:00.000Z");
    expect(await service.prisma.dataDeletion.count({ where: { requestedAt } })).toBe(0);
  });

  test("is in the visitor's language, without scripts, not cached and not indexed", async () => {
    const { url } = await accepted(request(newUser()));
    const titles = {
      de: "Löschung Ihrer Daten",
      fr: "Suppression de vos données",
      es: "Eliminación de sus datos",
      pt: "Exclusão dos seus dados",
      it: "Eliminazione dei tuoi dati",
      ja: "データの削除",
    };
    for (const [language, title] of Object.entries(titles)) {
      const { text, headers } = await page(url, language);
      expect(text).toContain(`<h1>${title}</h1>`);
      expect(headers.get("content-language")).toBe(language);
    }
    const { headers, text } = await page(url);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(text).toContain('<meta name="robots" content="noindex">');
  });

  test("changes nothing, also for HEAD", async () => {
    const connection = await connect("PROVIDER_C", registration, newUser());
    const { url } = await accepted(request(connection.providerAccountId));
    await erase(connection.id);
    const before = await snapshot();
    const { pathname, search } = new URL(url);
    const statuses = { HEAD: 204, GET: 200 };
    for (const [method, status] of Object.entries(statuses))
      expect((await fetch(server.url + pathname + search, { method })).status).toBe(status);
    expect(await snapshot()).toBe(before);
  });

  test("stores codes only as hashes, and no id of the user", async () => {
    const user = newUser();
    const connection = await connect("PROVIDER_C", registration, user);
    const { confirmation_code: code } = await accepted(request(user));
    await erase(connection.id);
    await runToEnd(service, [ADVANCE_DATA_DELETIONS]);
    const { rows: found } = await service.pool.query<{ row: string }>("SELECT t::text AS row FROM data_deletion t");
    expect(found.length).toBeGreaterThan(0);
    for (const { row } of found) for (const text of [code, user, connection.id]) expect(row).not.toContain(text);
  });
});

test.each(["provider-a", "provider-b", "provider-z"])(
  "%s has no data deletion address and no status page",
  async (provider) => {
    expect((await requestDeletion(request(newUser()), provider)).status).toBe(404);
    expect((await fetch(`${server.url}/api/connect/${provider}/data-deletion?code=${"0".repeat(32)}`)).status).toBe(
      404,
    );
    expect(securityLines()).toEqual([]);
  },
);
