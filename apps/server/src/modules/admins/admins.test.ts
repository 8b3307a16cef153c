import type { AppError } from "@social-connect/domain";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SYSTEM } from "../admin/actor.ts";
import { createAdminMember, createApiKey, sessionOf } from "../testing/admins.ts";
import type { TestService } from "../testing/testService.ts";
import { startTestService } from "../testing/testService.ts";
import { addAdmin, addFirstAdmins } from "./addAdmin.ts";
import { removeAdmin } from "./removeAdmin.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

async function codeOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => "done",
    (error: AppError) => [error.code, error.reason],
  );
}

test("the deployment's first admins are added only while the list is empty", async () => {
  await Promise.all([addFirstAdmins(service, ["a@example.test"]), addFirstAdmins(service, ["a@example.test"])]);
  await addFirstAdmins(service, ["b@example.test"]);
  const members = await service.prisma.adminMember.findMany();
  expect(members.map(({ email, addedBy, subject }) => ({ email, addedBy, subject }))).toEqual([
    { email: "a@example.test", addedBy: "System", subject: null },
  ]);
});

test("the last admin cannot be removed, even by concurrent calls", async () => {
  const [first] = await service.prisma.adminMember.findMany();
  expect(await codeOf(removeAdmin(service, SYSTEM, first?.id ?? ""))).toEqual(["CONFLICT", undefined]);
  const second = await addAdmin(service, SYSTEM, "second@example.test");
  const results = await Promise.all([first?.id ?? "", second.id].map((id) => codeOf(removeAdmin(service, SYSTEM, id))));
  expect(results).toContain("done");
  expect(await service.prisma.adminMember.count()).toBe(1);
});

test("an email address is one admin regardless of case, and has to be valid", async () => {
  const member = await addAdmin(service, SYSTEM, " New.Admin@Example.test ");
  expect(member.email).toBe("new.admin@example.test");
  expect(await codeOf(addAdmin(service, SYSTEM, "NEW.ADMIN@example.test"))).toEqual(["CONFLICT", "ALREADY_PRESENT"]);
  for (const wrong of ["", "nobody", "a@b", "a b@example.test", `${"x".repeat(250)}@example.test`]) {
    expect([wrong, await codeOf(addAdmin(service, SYSTEM, wrong))]).toEqual([wrong, ["BAD_USER_INPUT", undefined]]);
  }
});

test("removing an admin revokes all their keys, and both are in the audit log with the actor", async () => {
  const [keeper, leaver] = [await createAdminMember(service), await createAdminMember(service)];
  const { id } = await createApiKey(service, leaver, "WRITE");
  await removeAdmin(service, sessionOf(service, keeper), leaver.id);
  const key = await service.prisma.adminApiKey.findUniqueOrThrow({ where: { id } });
  expect(key).toMatchObject({ memberId: null, revokedAt: service.clock.current, createdBy: leaver.email });
  const entry = await service.prisma.auditEntry.findFirstOrThrow({ where: { targetId: leaver.id } });
  expect(entry).toMatchObject({ actor: keeper.email, action: "Admin removed", targetType: "ADMIN" });
});

test("a change is rolled back when its audit entry cannot be written", async () => {
  await service.pool.query("ALTER TABLE audit_entry RENAME TO audit_entry_away");
  const added = await codeOf(addAdmin(service, SYSTEM, "unseen@example.test"));
  await service.pool.query("ALTER TABLE audit_entry_away RENAME TO audit_entry");
  expect(added).not.toBe("done");
  expect(await service.prisma.adminMember.count({ where: { email: "unseen@example.test" } })).toBe(0);
  expect(await codeOf(addAdmin(service, SYSTEM, "unseen@example.test"))).toBe("done");
});
