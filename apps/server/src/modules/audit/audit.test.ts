import { type AuditExportFormat, changesOf } from "@social-connect/domain";
import { expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { SYSTEM } from "../admin/actor.ts";
import { PURGE_SWEEPS } from "../retention/purge.ts";
import { createAdminMember, createApiKey, sessionOf } from "../testing/admins.ts";
import { service, useService } from "../testing/fixtures.ts";
import { allPages } from "../testing/outcomes.ts";
import { runToEnd } from "../testing/runToEnd.ts";
import { exportAuditEntries } from "./exportAuditEntries.ts";
import { type AuditFilter, changesOfEntry, listAuditEntries, readAuditEntry } from "./listAuditEntries.ts";
import { recordAudit } from "./recordAudit.ts";

useService();

const DAY = 86_400_000;

async function record(summary: string, clientSlug?: string): Promise<void> {
  const change = { action: "Client created", target: { type: "CLIENT", id: newId() }, summary, changes: [] } as const;
  const about = clientSlug === undefined ? change : { ...change, clientSlug };
  await recordAudit(service.prisma, SYSTEM, service.clock.current, about);
}

async function textsOf(parts: AsyncIterable<string>): Promise<string[]> {
  const texts: string[] = [];
  for await (const text of parts) texts.push(text);
  return texts;
}

async function summaries(filter: AuditFilter = {}, first = 100): Promise<string[]> {
  const found = await allPages((after) => listAuditEntries(service, filter, { first, after }));
  return found.map(({ summary }) => summary);
}

test("an entry is shown and stored for 30 days, and hidden afterwards even before the purge", async () => {
  await record("old");
  const { id } = await service.prisma.auditEntry.findFirstOrThrow({ where: { summary: "old" } });
  service.clock.advance(30 * DAY - 1);
  await runToEnd(service, PURGE_SWEEPS);
  expect(await summaries()).toEqual(["old"]);
  expect((await readAuditEntry(service, id))?.summary).toBe("old");
  service.clock.advance(1);
  expect(await summaries()).toEqual([]);
  expect(await readAuditEntry(service, id)).toBeNull();
  service.clock.advance(1);
  expect((await runToEnd(service, PURGE_SWEEPS))["deleteAuditEntries"]).toBe(1);
  expect(await service.prisma.auditEntry.count()).toBe(0);
});

test("entries with the same time are listed in the order of events, newest first", async () => {
  const inOrder = Array.from({ length: 12 }, (_, index) => `change ${index}`);
  for (const summary of inOrder) await record(summary, "one-moment");
  expect(await summaries({ clientSlug: "one-moment" }, 5)).toEqual(inOrder.toReversed());
  await service.prisma.auditEntry.deleteMany({ where: { clientSlug: "one-moment" } });
});

test("an inactive key is listed as long as the audit log may mention it", async () => {
  const { id } = await createApiKey(service, await createAdminMember(service), "READ");
  const count = () => service.prisma.adminApiKey.count({ where: { id } });
  service.clock.advance(31 * DAY);
  await runToEnd(service, PURGE_SWEEPS);
  expect(await count()).toBe(1);
  service.clock.advance(1);
  await runToEnd(service, PURGE_SWEEPS);
  expect(await count()).toBe(0);
});

test("pages of any size show every entry once, newest first, even with equal times", async () => {
  for (const round of [1, 2, 3]) {
    for (const name of ["a", "b", "c"]) await record(`${round}${name}`, name);
    service.clock.advance(1);
  }
  const whole = await summaries();
  expect(whole).toHaveLength(9);
  expect(whole.map(([round]) => round).join("")).toBe("333222111");
  for (const size of [1, 2, 4]) expect(await summaries({}, size)).toEqual(whole);
  expect((await summaries({ clientSlug: "b" }, 2)).toSorted()).toEqual(["1b", "2b", "3b"]);
  expect(await summaries({ action: "Client disabled" })).toEqual([]);
  expect(await summaries({ apiKeyId: newId() })).toEqual([]);
});

test("filters by actor, target and time; the start is inclusive, the end exclusive", async () => {
  const member = await createAdminMember(service, "filters@example.test");
  const actor = sessionOf(service, member);
  const target = { type: "REGISTRATION", id: newId() } as const;
  const begin = service.clock.current;
  for (const summary of ["first", "second", "third"]) {
    await recordAudit(service.prisma, actor, service.clock.current, {
      action: "Registration changed",
      target,
      summary,
      changes: [],
    });
    service.clock.advance(1_000);
  }
  const at = (seconds: number) => new Date(begin.getTime() + seconds * 1_000);
  expect(await summaries({ actor: "filters@example.test" }, 2)).toEqual(["third", "second", "first"]);
  expect(await summaries({ actor: "Filters@example.test" })).toEqual([]);
  expect(await summaries({ targetId: target.id, from: at(1) })).toEqual(["third", "second"]);
  expect(await summaries({ targetType: "REGISTRATION", from: at(0), to: at(2) })).toEqual(["second", "first"]);
  expect(await summaries({ targetType: "JOB" })).toEqual([]);
  expect(await summaries({ actor: "filters@example.test", targetType: "CLIENT" })).toEqual([]);
  // A start before the retention time does not bring expired entries back.
  service.clock.advance(30 * DAY);
  expect(await summaries({ targetId: target.id, from: at(-1) })).toEqual([]);
});

test("exports what the filter matches, newest first, with an entry about the export", async () => {
  const member = await createAdminMember(service);
  const actor = sessionOf(service, member);
  for (const summary of ["=1+1", "plain", "b,c"]) {
    await record(summary, "exported");
    service.clock.advance(1);
  }
  await record("of another", "other");
  const read = async (format: AuditExportFormat, limit?: number) => {
    const filter = { clientSlug: "exported" };
    const { parts, ...found } = await exportAuditEntries(service, actor, format, filter, limit);
    return { ...found, lines: (await textsOf(parts)).join("").split(/\r?\n/).slice(0, -1) };
  };
  const csv = await read("csv");
  expect(csv).toMatchObject({ entries: 3, isLimited: false, lines: { length: 4 } });
  expect(csv.lines[0]).toBe(
    '"at","actor","apiKeyId","action","targetType","targetId","clientSlug","summary","id","before","after","unchanged"',
  );
  expect(csv.lines[1]).toContain('"Client created","CLIENT",');
  expect(csv.lines.slice(1).map((line) => line.split('"exported",')[1]?.split(',"')[0])).toEqual([
    '"b,c"',
    '"plain"',
    `"'=1+1"`,
  ]);
  const jsonl = await read("jsonl", 2);
  expect(jsonl).toMatchObject({ entries: 2, isLimited: true });
  expect(jsonl.lines.map((line) => JSON.parse(line).summary)).toEqual(["b,c", "plain"]);
  const entries = await service.prisma.auditEntry.findMany({
    where: { actor: member.email },
    orderBy: { summary: "asc" },
  });
  expect(entries).toMatchObject([
    {
      action: "Audit log exported",
      targetId: member.id,
      summary: `${member.email} exported 2 entries of the audit log as JSON lines (clientSlug exported).`,
    },
    { summary: `${member.email} exported 3 entries of the audit log as CSV (clientSlug exported).` },
  ]);
});

test("an export names before and after of a change, and what earlier releases did not record", async () => {
  const listed = Array.from({ length: 12 }, (_, index) => `https://${index}.example`);
  const changes = changesOf(
    { enabled: true, url: "a", listed },
    { enabled: false, url: null, listed: [...listed.slice(1), "https://new.example"] },
  );
  const target = { type: "CLIENT", id: newId() } as const;
  const about = { action: "Client disabled", target, clientSlug: "sides", summary: "new" } as const;
  await recordAudit(service.prisma, SYSTEM, service.clock.current, { ...about, changes });
  service.clock.advance(1);
  const { id } = await service.prisma.auditEntry.findFirstOrThrow({ where: { targetId: target.id } });
  await service.prisma
    .$executeRaw`INSERT INTO audit_entry (id, at, actor, action, target_type, target_id, client_slug, summary)
    VALUES (gen_random_uuid(), ${service.clock.current}, 'System', 'Client disabled', 'CLIENT', '', 'sides', 'old')`;
  service.clock.advance(1);
  const actor = sessionOf(service, await createAdminMember(service));
  const read = async (format: AuditExportFormat) => {
    const { parts } = await exportAuditEntries(service, actor, format, { clientSlug: "sides" });
    return (await textsOf(parts)).join("").trim().split(/\r?\n/);
  };
  expect((await read("jsonl")).map((line) => JSON.parse(line))).toMatchObject([
    { summary: "old", before: "not recorded", after: "not recorded", unchanged: "not recorded" },
    {
      id,
      before: { enabled: true, url: "a", listed: ["https://0.example"] },
      after: { enabled: false, listed: ["https://new.example"] },
      unchanged: { listed: 11 },
    },
  ]);
  const [, old, recorded] = await read("csv");
  expect(old).toMatch(/,"not recorded","not recorded","not recorded"$/);
  expect(recorded).toContain(',"{""enabled"":true,""url"":""a"",""listed"":[""https://0.example""]}",');
  expect(recorded?.endsWith(',"{""listed"":11}"')).toBe(true);
  expect(changesOfEntry(await readAuditEntry(service, id))).toEqual(changes);
  await service.prisma.auditEntry.deleteMany({ where: { clientSlug: "sides" } });
});

test("a long export is read in parts, each entry once", async () => {
  await service.pool.query(
    `INSERT INTO audit_entry (id, at, actor, action, target_type, target_id, client_slug, summary)
     SELECT gen_random_uuid(), $1::timestamptz - (n / 3) * interval '1 second', 'System', 'Client created', 'CLIENT', '', 'long', n::text
       FROM generate_series(1, 2500) n`,
    [service.clock.current],
  );
  service.clock.advance(1);
  const actor = sessionOf(service, await createAdminMember(service));
  const { parts } = await exportAuditEntries(service, actor, "jsonl", { clientSlug: "long" });
  const texts = await textsOf(parts);
  expect(texts).toHaveLength(3);
  const found = texts.join("").split("\n").slice(0, -1);
  expect(new Set(found.map((line) => JSON.parse(line).summary)).size).toBe(2_500);
  await service.prisma.auditEntry.deleteMany({ where: { clientSlug: "long" } });
});

test("a cursor of one list is invalid for another", async () => {
  for (const summary of ["first", "second"]) await record(summary, "a");
  const { pageInfo } = await listAuditEntries(service, { clientSlug: "a" }, { first: 1, after: null });
  const foreign = listAuditEntries(service, { clientSlug: "b" }, { first: 1, after: pageInfo.endCursor });
  await expect(foreign).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
});

test("a page deep in a hundred thousand entries uses the index", async () => {
  await service.pool.query(
    `INSERT INTO audit_entry (id, at, actor, action, target_type, target_id, summary)
     SELECT gen_random_uuid(), $1::timestamptz - n * interval '20 seconds', 'System', 'Client created', 'CLIENT', '', 'many'
       FROM generate_series(1, 100000) n`,
    [service.clock.current],
  );
  await service.pool.query("ANALYZE audit_entry");
  const middle = service.clock.fromNow(-10 * DAY);
  const { rows } = await service.pool.query<{ "QUERY PLAN": string }>(
    `EXPLAIN SELECT * FROM audit_entry WHERE at > $1 AND at <= $2 AND (at < $2 OR (at = $2 AND id < $3))
      ORDER BY at DESC, id DESC LIMIT 51`,
    [service.clock.fromNow(-30 * DAY), middle, newId()],
  );
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toContain("audit_entry_at_id_idx");
  expect(plan).not.toMatch(/Seq Scan|Sort/);
});

test("entries with a rare actor, target or action are found by an index, in their order", async () => {
  // A hundred of twenty thousand entries have another value in one column.
  await service.pool.query(
    `INSERT INTO audit_entry (id, at, actor, target_id, target_type, action, summary)
     SELECT gen_random_uuid(), $1::timestamptz - n * interval '20 seconds',
            CASE WHEN n % 200 = 0 THEN 'rare' ELSE 'System' END,
            CASE WHEN n % 200 = 1 THEN 'rare' ELSE n::text END,
            CASE WHEN n % 200 = 2 THEN 'rare' ELSE 'CLIENT' END,
            CASE WHEN n % 200 = 3 THEN 'rare' ELSE 'Client created' END, 'many'
       FROM generate_series(1, 20000) n`,
    [service.clock.current],
  );
  await service.pool.query("ANALYZE audit_entry");
  for (const column of ["actor", "target_id", "target_type", "action"]) {
    const { rows } = await service.pool.query<{ "QUERY PLAN": string }>(
      `EXPLAIN SELECT * FROM audit_entry WHERE at > $1 AND at < $2 AND ${column} = 'rare' ORDER BY at DESC, id DESC LIMIT 51`,
      [service.clock.fromNow(-30 * DAY), service.clock.current],
    );
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toContain(`audit_entry_${column}_at_id_idx`);
    expect(plan).not.toMatch(/Seq Scan|Sort/);
  }
});
