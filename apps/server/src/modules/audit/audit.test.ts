import { expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { SYSTEM } from "../admin/actor.ts";
import { PURGE_SWEEPS } from "../retention/purge.ts";
import { createAdminMember, createApiKey } from "../testing/admins.ts";
import { allPages } from "../testing/outcomes.ts";
import { runToEnd } from "../testing/runToEnd.ts";
import { service } from "../testing/serviceOfFile.ts";
import type { AuditFilter } from "./listAuditEntries.ts";
import { listAuditEntries, readAuditEntry } from "./listAuditEntries.ts";
import { recordAudit } from "./recordAudit.ts";

const DAY = 86_400_000;

async function record(summary: string, clientSlug?: string): Promise<void> {
  const change = { action: "Client created", target: { type: "CLIENT", id: newId() }, summary } as const;
  const about = clientSlug === undefined ? change : { ...change, clientSlug };
  await recordAudit(service.prisma, SYSTEM, service.clock.current, about);
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

test("a cursor of one list is invalid for another", async () => {
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
