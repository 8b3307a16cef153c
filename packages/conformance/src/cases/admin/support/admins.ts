import type { AdminMember } from "../../../_generated/adminWire.ts";
import type { Steps } from "../../../context/steps.ts";
import type { PanelDriver } from "../../../target/adminDriver.ts";

/** Users of the issuer whom cases make admins temporarily; one case at a time uses each. */
export const SECOND_ADMIN = "admin-two";
export const THIRD_ADMIN = "ada";
/** Owner of the invalid keys that all cases share; no case uses this user for anything else. */
export const INVALID_KEYS_OWNER = "unicode";

/** The resource that a case locks to make one of these users an admin. */
export function adminHold(person: string): string {
  return `admin:${person}`;
}

export function emailOf(person: string): string {
  return `${person}@example.test`;
}

/** The user is a signed-in admin while `during` runs and is always removed afterwards. */
export async function withAdmin<Result>(
  t: Steps,
  person: string,
  during: (panel: PanelDriver, member: AdminMember) => Promise<Result>,
): Promise<Result> {
  const email = emailOf(person);
  await removeMember(t, email);
  const member = await t.admin.inPanel("addAdminMember", { email });
  try {
    const panel = await t.admin.driver.signIn(person);
    if (panel === null) throw new Error(`The panel rejects ${person}, who was just added.`);
    t.equal(panel.email, email, "the signed-in user");
    return await during(panel, member);
  } finally {
    await removeMember(t, email);
  }
}

/** Including what an aborted run left. */
export async function removeMember(t: Steps, email: string): Promise<void> {
  const found = (await t.admin.get("adminMembers", {})).find((member) => member.email === email);
  if (found !== undefined) await t.admin.panel("removeAdminMember", { id: found.id });
}
