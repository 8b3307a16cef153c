import { ROLLUP_SERIES, readClientVersion } from "@social-connect/domain";
import { beforeEach, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { createApplication } from "../testing/builders.ts";
import { service, useService } from "../testing/fixtures.ts";
import { allPages } from "../testing/outcomes.ts";
import { RollupCounts } from "./rollupCounts.ts";
import { startRollupWriter } from "./rollupWriter.ts";
import { listClientsOfSdkVersion, listSdkVersions, type SdkLibrary } from "./sdkVersions.ts";

useService();

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

beforeEach(async () => {
  await service.prisma.rollup.deleteMany();
  service.clock.set("2026-03-10T12:00:20.000Z");
});

async function client(slug: string): Promise<string> {
  return (await createApplication(service, slug)).id;
}

/** Counts a call of a client now. */
async function call(applicationId: string, header: string | null): Promise<void> {
  const counts = new RollupCounts();
  const { library, version } = readClientVersion(header);
  counts.add(ROLLUP_SERIES.clientVersions, { applicationId, kind: library, code: version });
  await startRollupWriter(service, counts).stop();
}

async function versions(): Promise<string[]> {
  const rows = await listSdkVersions(service);
  return rows.map(
    ({ library, version, clients, lastSeenAt }) =>
      `${library} ${version} ${clients} ${lastSeenAt.toISOString().slice(0, 13)}`,
  );
}

async function clients(library: SdkLibrary, version: string | null, first = 50): Promise<string[]> {
  const rows = await allPages((after) => listClientsOfSdkVersion(service, { library, version }, { first, after }));
  return rows.map(({ slug, calls, lastSeenAt }) => `${slug} ${calls} ${lastSeenAt.toISOString().slice(0, 13)}`);
}

test("counts clients by library and version, the newest version first", async () => {
  const [one, two, three] = [await client("one"), await client("two"), await client("three")];
  await call(one, "sdk/0.9.0");
  await call(two, "sdk/0.10.0");
  await call(three, "sdk/0.10.0-beta.2");
  await call(two, "admin-sdk/1.0.0");
  await call(three, null);
  await call(one, "curl/8");
  service.clock.advance(2 * HOUR);
  await call(one, "sdk/0.10.0");
  await call(one, "sdk/0.10.0");
  await call(newId(), "sdk/9.0.0");
  expect(await versions()).toEqual([
    "sdk 0.10.0 2 2026-03-10T14",
    "sdk 0.10.0-beta.2 1 2026-03-10T12",
    "sdk 0.9.0 1 2026-03-10T12",
    "admin-sdk 1.0.0 1 2026-03-10T12",
    "other null 1 2026-03-10T12",
    "none null 1 2026-03-10T12",
  ]);
  expect(await clients("sdk", "0.10.0")).toEqual(["one 2 2026-03-10T14", "two 1 2026-03-10T12"]);
  expect(await clients("sdk", "0.9.0")).toEqual(["one 1 2026-03-10T12"]);
  expect(await clients("none", null)).toEqual(["three 1 2026-03-10T12"]);
  expect(await clients("other", null)).toEqual(["one 1 2026-03-10T12"]);
  // The client of these calls was deleted.
  expect(await clients("sdk", "9.0.0")).toEqual([]);
});

test("a client counts with the last 24 hours in which it called, also after a month without calls", async () => {
  const [idle, updated] = [await client("idle"), await client("updated")];
  await call(idle, "sdk/0.1.0");
  await call(updated, "sdk/0.1.0");
  service.clock.advance(DAY - HOUR);
  await call(updated, "sdk/0.2.0");
  expect(await clients("sdk", "0.1.0")).toEqual(["idle 1 2026-03-10T12", "updated 1 2026-03-10T12"]);
  service.clock.advance(HOUR);
  await call(updated, "sdk/0.2.0");
  service.clock.advance(30 * DAY);
  expect(await versions()).toEqual(["sdk 0.2.0 1 2026-03-11T12", "sdk 0.1.0 1 2026-03-10T12"]);
  expect(await clients("sdk", "0.1.0")).toEqual(["idle 1 2026-03-10T12"]);
  expect(await clients("sdk", "0.2.0")).toEqual(["updated 2 2026-03-11T12"]);
});

test("calls with more versions than are counted by name are one row", async () => {
  const id = await client("flooding");
  const counts = new RollupCounts();
  counts.add(ROLLUP_SERIES.clientVersions, { applicationId: id, kind: "sdk", code: "other" });
  await startRollupWriter(service, counts).stop();
  await call(id, "sdk/0.1.0");
  expect(await versions()).toEqual(["sdk 0.1.0 1 2026-03-10T12", "sdk null 1 2026-03-10T12"]);
  expect(await clients("sdk", null)).toEqual(["flooding 1 2026-03-10T12"]);
});

test("pages the clients of a version by slug, and binds a cursor to the version", async () => {
  const slugs = ["page-a", "page-b", "page-c", "page-d", "page-e"];
  for (const slug of slugs.toReversed()) await call(await client(slug), "sdk/0.1.0");
  await call(await client("page-bb"), "sdk/0.2.0");
  const expected = slugs.map((slug) => `${slug} 1 2026-03-10T12`);
  for (const size of [1, 2, 5, 50]) expect(await clients("sdk", "0.1.0", size)).toEqual(expected);
  const { pageInfo } = await listClientsOfSdkVersion(service, { library: "sdk", version: "0.1.0" }, { first: 1 });
  const page = { first: 1, after: pageInfo.endCursor };
  const other = listClientsOfSdkVersion(service, { library: "sdk", version: "0.2.0" }, page);
  await expect(other).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
});
