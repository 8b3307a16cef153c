import { randomBytes, randomUUID } from "node:crypto";
import type { CaseContext } from "../../../harness/context.ts";
import type { AdminDriver } from "../../../target/adminDriver.ts";
import { OWNER_OF_DEAD_KEYS, withAdmin } from "./admins.ts";

const hex = () => randomBytes(32).toString("hex");

/** `scadm_<key-id>.<secret>` in its three parts. */
export function partsOf(key: string): { readonly prefix: string; readonly id: string; readonly secret: string } {
  const [underscore, dot] = [key.indexOf("_"), key.indexOf(".")];
  return { prefix: key.slice(0, underscore), id: key.slice(underscore + 1, dot), secret: key.slice(dot + 1) };
}

interface DeadKeys {
  readonly revoked: string;
  readonly removed: string;
}

const made = new WeakMap<AdminDriver, Promise<DeadKeys>>();

/** Two keys that were good, and died in the two ways that need no time: made once for all cases of a run. */
function deadKeys(t: CaseContext): Promise<DeadKeys> {
  const { driver } = t.admin;
  const keys = made.get(driver) ?? makeDeadKeys(t);
  made.set(driver, keys);
  return keys;
}

async function makeDeadKeys(t: CaseContext): Promise<DeadKeys> {
  return withAdmin(t, OWNER_OF_DEAD_KEYS, async (as) => {
    const revoked = await t.admin.mint("WRITE", { as });
    const removed = await t.admin.mint("WRITE", { as });
    for (const { key } of [revoked, removed]) await t.admin.get("previewTemplate", {}, { key });
    await t.admin.inPanel("revokeApiKey", { id: revoked.id }, as);
    return { revoked: revoked.key, removed: removed.key };
  });
}

/** What opens nothing, by its name in the catalogue; null is no Authorization header at all. All of it answers alike. */
export const REFUSED_CREDENTIALS: Readonly<Record<string, (t: CaseContext) => Promise<string | null>>> = {
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
  revoked: async (t) => `Bearer ${(await deadKeys(t)).revoked}`,
  "removed-admin": async (t) => `Bearer ${(await deadKeys(t)).removed}`,
  "application-key": async (t) => `Bearer ${t.target.application.key}`,
};

/** A header line of the panel's session, or one that looks like it where the panel has no address of its own. */
export async function sessionCookie(t: CaseContext): Promise<string> {
  const session = await t.admin.driver.panel.session?.();
  return session?.cookie ?? `social-connect-panel=${hex()}`;
}
