import { expect, test } from "vitest";
import { SYSTEM } from "../admin/actor.ts";
import { createAdminMember, createApiKey, sessionOf } from "../testing/admins.ts";
import { service, useService } from "../testing/fixtures.ts";
import { outcomeOf } from "../testing/outcomes.ts";
import { addAdmin, addFirstAdmins, removeAdmin } from "./admins.ts";

useService();

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
  expect(await outcomeOf(removeAdmin(service, SYSTEM, first?.id ?? ""))).toBe("CONFLICT");
  const second = await addAdmin(service, SYSTEM, "second@example.test");
  const both = [first?.id ?? "", second.id];
  const results = await Promise.all(both.map((id) => outcomeOf(removeAdmin(service, SYSTEM, id))));
  expect(results).toContain("done");
  expect(await service.prisma.adminMember.count()).toBe(1);
});

test("an email address is one admin regardless of case, and has to be valid", async () => {
  const member = await addAdmin(service, SYSTEM, " New.Admin@Example.test ");
  expect(member.email).toBe("new.admin@example.test");
  expect(await outcomeOf(addAdmin(service, SYSTEM, "NEW.ADMIN@example.test"))).toBe("CONFLICT ALREADY_PRESENT");
  for (const wrong of ["", "nobody", "a@b", "a b@example.test", `${"x".repeat(250)}@example.test`]) {
    expect([wrong, await outcomeOf(addAdmin(service, SYSTEM, wrong))]).toEqual([wrong, "BAD_USER_INPUT"]);
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
  const added = await outcomeOf(addAdmin(service, SYSTEM, "unseen@example.test"));
  await service.pool.query("ALTER TABLE audit_entry_away RENAME TO audit_entry");
  expect(added).not.toBe("done");
  expect(await service.prisma.adminMember.count({ where: { email: "unseen@example.test" } })).toBe(0);
  expect(await outcomeOf(addAdmin(service, SYSTEM, "unseen@example.test"))).toBe("done");
});
