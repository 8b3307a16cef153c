import type { AdminMember } from "../../../_generated/adminWire.ts";
import type { CaseContext } from "../../../harness/context.ts";
import type { PanelDriver } from "../../../target/adminDriver.ts";

/** People whom the issuer knows and cases make admins for a while; one case at a time uses each. */
export const SECOND_ADMIN = "admin-two";
export const THIRD_ADMIN = "ada";
/** Whose dead keys all cases share; no case uses the person for anything else. */
export const OWNER_OF_DEAD_KEYS = "unicode";

/** What a case holds that makes one of these people an admin. */
export function adminHold(person: string): string {
  return `admin:${person}`;
}

export function emailOf(person: string): string {
  return `${person}@example.test`;
}

/** While `during` runs the person is an admin who is signed in; afterwards the person is none, however it ended. */
export async function withAdmin<Result>(
  t: CaseContext,
  person: string,
  during: (panel: PanelDriver, member: AdminMember) => Promise<Result>,
): Promise<Result> {
  const email = emailOf(person);
  await removeMember(t, email);
  const member = await t.admin.inPanel("addAdminMember", { email });
  try {
    const panel = await t.admin.driver.signIn(person);
    if (panel === null) throw new Error(`The panel does not let ${person} in, who was just added.`);
    t.equal(panel.email, email, "who signed in");
    return await during(panel, member);
  } finally {
    await removeMember(t, email);
  }
}

/** Also what a run that was broken off has left behind. */
export async function removeMember(t: CaseContext, email: string): Promise<void> {
  const found = (await t.admin.get("adminMembers", {})).find((member) => member.email === email);
  if (found !== undefined) await t.admin.panel("removeAdminMember", { id: found.id });
}
