import { randomBytes, randomUUID } from "node:crypto";
import type { AdminMember } from "../../../_generated/adminWire.ts";
import type { Steps } from "../../../context/steps.ts";
import type { AdminDriver, PanelDriver } from "../../../target/target.ts";

/** Users of the issuer whom cases make admins temporarily; one case at a time uses each. */
export const SECOND_ADMIN = "admin-two";
export const THIRD_ADMIN = "ada";
/** Owner of the invalid keys that all cases share; no case uses this user for anything else. */
const INVALID_KEYS_OWNER = "unicode";

/** The resource that a case locks to make one of these users an admin. */
export const adminHold = (person: string) => `admin:${person}`;

export const emailOf = (person: string) => `${person}@example.test`;

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

const hex = () => randomBytes(32).toString("hex");

/** `scadm_<key-id>.<secret>` in its three parts. */
export function partsOf(key: string): { readonly prefix: string; readonly id: string; readonly secret: string } {
  const [underscore, dot] = [key.indexOf("_"), key.indexOf(".")];
  return { prefix: key.slice(0, underscore), id: key.slice(underscore + 1, dot), secret: key.slice(dot + 1) };
}

const made = new WeakMap<AdminDriver, ReturnType<typeof createInvalidKeys>>();

/** Two keys, made invalid in the two ways that take no time: created once for all cases of a run. */
function invalidKeys(t: Steps) {
  const { driver } = t.admin;
  const keys = made.get(driver) ?? createInvalidKeys(t);
  made.set(driver, keys);
  return keys;
}

async function createInvalidKeys(t: Steps) {
  return withAdmin(t, INVALID_KEYS_OWNER, async (as) => {
    const revoked = await t.admin.mint("WRITE", { as });
    const removed = await t.admin.mint("WRITE", { as });
    for (const { key } of [revoked, removed]) await t.admin.get("previewTemplate", {}, { key });
    await t.admin.inPanel("revokeApiKey", { id: revoked.id }, as);
    return { revoked: revoked.key, removed: removed.key };
  });
}

/** Invalid credentials by their name in the catalogue; null: no Authorization header. All get the same response. */
export const REFUSED_CREDENTIALS: Readonly<Record<string, (t: Steps) => Promise<string | null>>> = {
  "no-key": async () => null,
  malformed: async () => "Bearer nothing",
  unknown: async (t) => `Bearer ${partsOf(t.admin.driver.writeKey).prefix}_${randomUUID()}.${hex()}`,
  "wrong-secret": async (t) => {
    const { prefix, id } = partsOf(t.admin.driver.writeKey);
    return `Bearer ${prefix}_${id}.${hex()}`;
  },
  "foreign-prefix": async (t) => {
    const { prefix, id, secret } = partsOf(t.admin.driver.writeKey);
    return `Bearer x${prefix}_${id}.${secret}`;
  },
  revoked: async (t) => `Bearer ${(await invalidKeys(t)).revoked}`,
  "removed-admin": async (t) => `Bearer ${(await invalidKeys(t)).removed}`,
  "application-key": async (t) => `Bearer ${t.target.application.key}`,
};

/** A header line of the panel's session, or a similar one where the panel has no URL. */
export async function sessionCookie(t: Steps): Promise<string> {
  return (await t.admin.driver.panel.session?.())?.cookie ?? `social-connect-panel=${hex()}`;
}
