import { beforeEach, expect, test } from "vitest";
import { createAdminMember, sessionOf } from "../testing/admins.ts";
import { application, connect, service, useApplicationPerTest } from "../testing/fixtures.ts";
import { exportConnections } from "./exportConnections.ts";
import { openConnectionList } from "./openConnectionList.ts";

useApplicationPerTest();

const USER = "=HYPERLINK(user-7)";
let clientSlug: string;
let actor: ReturnType<typeof sessionOf>;

beforeEach(async () => {
  const where = { id: application.id };
  clientSlug = (await service.prisma.application.findUniqueOrThrow({ where })).slug;
  actor = sessionOf(service, await createAdminMember(service));
  for (const [index, externalSubjectId] of [USER, "user-8", "user-9"].entries()) {
    service.clock.advance(1_000);
    const data = { cause: "GRANT_ENDED", causeSince: service.clock.current, status: "RECONNECT_REQUIRED" } as const;
    await connect({ externalSubjectId, accountId: `account-${index}`, data });
  }
});

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const part of parts) text += part;
  return text;
}

const entries = async (action: string) =>
  (await service.prisma.auditEntry.findMany({ where: { action, clientSlug } })).map(({ summary }) => summary);

test("exports the list in its order with protected cells, and is recorded before with its filters", async () => {
  const { rows, isLimited, parts } = await exportConnections(service, actor, { clientSlug, order: "USER" });
  expect([rows, isLimited]).toEqual([3, false]);
  expect(await entries("Connections exported")).toEqual([
    `${actor.email} exported 3 connections as CSV (clientSlug ${clientSlug}).`,
  ]);
  const [header, ...lines] = (await textOf(parts)).split("\r\n").slice(0, -1);
  expect(header).toContain('"externalSubjectId","clientSlug","tenantKey","provider","status","cause","since"');
  expect(lines.map((line) => line.split(",")[0])).toEqual([`"'${USER}"`, '"user-8"', '"user-9"']);
  expect(lines[1]).toContain(`"RECONNECT_REQUIRED","GRANT_ENDED","`);
  const limited = await exportConnections(service, actor, { clientSlug }, 2);
  expect([limited.rows, limited.isLimited]).toEqual([2, true]);
  expect((await textOf(limited.parts)).split("\r\n")).toHaveLength(4);
});

test("an opened list is recorded once for its filters, and not page by page", async () => {
  const open = (after: string | null, filter: object = {}) =>
    openConnectionList(service, actor, { clientSlug, ...filter }, { first: 2, after });
  const { pageInfo } = await open(null);
  await open(pageInfo.endCursor);
  await open(null, { order: "USER" });
  expect(await entries("Connections listed")).toEqual([
    `${actor.email} opened the list of connections (clientSlug ${clientSlug}).`,
  ]);
  await open(null, { cause: "GRANT_ENDED" });
  service.clock.advance(16 * 60_000);
  await open(null);
  expect(await entries("Connections listed")).toHaveLength(3);
});

test("a search for a user is recorded each time, without the id", async () => {
  for (let time = 0; time < 2; time += 1)
    await openConnectionList(service, actor, { clientSlug, externalSubjectId: USER }, { after: null });
  const summaries = await entries("Connections listed");
  expect(summaries).toHaveLength(2);
  expect(summaries.join()).not.toContain("user-7");
  const unknown = openConnectionList(service, actor, { clientSlug: "nobody" }, { after: null });
  await expect(unknown).rejects.toMatchObject({ field: "clientSlug" });
});
