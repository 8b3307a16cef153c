import { randomUUID } from "node:crypto";
import type { Case } from "../../harness/defineCase.ts";
import { defineCase } from "../../harness/defineCase.ts";
import { adminHold, emailOf, SECOND_ADMIN, THIRD_ADMIN, withAdmin } from "./support/admins.ts";

export const MEMBER_CASES: readonly Case[] = [
  defineCase({
    id: "S5.admin.confirmation",
    title:
      "Minting a key, issuing an application key and publishing need a sign-in of at most five minutes ago; other changes do not.",
    part: 5,
    lane: "timeline",
    needs: ["admin", "clock"],
    application: "none",
    reaches: [
      "admin-type:ConfirmationRequiredError",
      ...["mintApiKey", "issueClientCredential", "publishRegistration"].map(
        (name) => `admin-rule:confirmation.${name}`,
      ),
    ],
    run: (t) =>
      withAdmin(t, SECOND_ADMIN, async (panel) => {
        const client = await t.admin.client();
        const registration = (await t.admin.get("adminRegistrations", {})).find(({ status }) => status === "PUBLISHED");
        const mint = { label: "confirmed", scope: "READ", lifetimeDays: 1 } as const;
        const as = { as: panel, asItIs: true };
        t.holds((await t.admin.panel("mintApiKey", mint, as)).ok, "right after signing in");
        await t.until(new Date((await t.door("clock").now()).getTime() + 301_000));
        await t.admin.panelRefuses("mintApiKey", mint, "ConfirmationRequiredError", null, as);
        await t.admin.panelRefuses("issueClientCredential", { id: client.id }, "ConfirmationRequiredError", null, as);
        const published = { id: registration?.id ?? "" };
        await t.admin.panelRefuses("publishRegistration", published, "ConfirmationRequiredError", null, as);
        const other = await t.admin.panel("setClientDisplayName", { id: client.id, displayName: "Unconfirmed" }, as);
        t.holds(other.ok, "another change needs none", other);
        await t.admin.inPanel("issueClientCredential", { id: client.id }, panel);
        t.holds((await t.admin.panel("mintApiKey", mint, as)).ok, "after confirming");
      }),
  }),
  defineCase({
    id: "S5.admin.sign-in",
    title:
      "An admin is a verified address on the list, and one account from the first sign-in on; nobody else is let in.",
    part: 5,
    needs: ["admin"],
    application: "none",
    holds: [adminHold(THIRD_ADMIN)],
    reaches: ["admin-auth:sign-in", "admin-operation:addAdminMember", "admin-operation:adminMembers"],
    run: async (t) => {
      for (const person of ["no-email", "admin-unverified", "admin-other-account", THIRD_ADMIN]) {
        t.equal(await t.admin.door.signIn(person), null, `${person} stays outside`);
      }
      await withAdmin(t, THIRD_ADMIN, async (_, member) => {
        t.equal([member.email, member.bound], [emailOf(THIRD_ADMIN), false], "as they were added");
        t.equal(member.addedBy, t.admin.door.panel.email, "by whom");
        const listed = (await t.admin.get("adminMembers", {})).find(({ id }) => id === member.id);
        t.equal(listed, { ...member, bound: true }, "once they have signed in");
        await t.admin.panelRefuses("addAdminMember", { email: member.email }, "ConflictError", "ALREADY_PRESENT");
        const shouting = { email: member.email.toUpperCase() };
        await t.admin.panelRefuses("addAdminMember", shouting, "ConflictError", "ALREADY_PRESENT");
      });
      for (const email of ["", "nobody", "a@b@c", "x\0@example.test", `${"a".repeat(300)}@example.test`])
        await t.admin.panelRefuses("addAdminMember", { email }, "InvalidInputError");
      await t.admin.panelRefuses("removeAdminMember", { id: randomUUID() }, "NotFoundError");
      await t.admin.panelRefuses("removeAdminMember", { id: "nobody" }, "NotFoundError");
    },
  }),
  defineCase({
    id: "S5.admin.last-admin",
    title: "The last admin cannot be removed.",
    part: 5,
    lane: "alone",
    needs: ["admin"],
    application: "none",
    reaches: ["admin-rule:last-admin", "admin-operation:adminMembers"],
    run: async (t) => {
      const members = await t.admin.get("adminMembers", {});
      // Where there are more, who is the last is not for a case to find out.
      if (members.length === 1)
        await t.admin.panelRefuses("removeAdminMember", { id: members[0]?.id ?? "" }, "ConflictError");
      const own = t.admin.door.panel.email;
      t.holds(
        (await t.admin.get("adminMembers", {})).some(({ email }) => email === own),
        "the admin is still one",
      );
    },
  }),
];
