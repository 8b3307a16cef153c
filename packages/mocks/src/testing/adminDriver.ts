import type { AdminDriver, PanelDriver } from "@social-connect/conformance";
import type { Control } from "./control.ts";

type AdminView = Pick<AdminDriver, "readKey" | "writeKey"> & { readonly members: readonly string[] };
const REJECTED = { message: "The panel rejects this user.", extensions: { code: "UNAUTHENTICATED" } };

/** An admin's operations through the control API, without a sign-in; null for a user who is not an admin. */
export async function openPanel(control: Control, person: string): Promise<PanelDriver | null> {
  const email = `${person}@example.test`;
  const isAdmin = async () => (await control<AdminView>("GET", "admin")).members.includes(email);
  const run: PanelDriver["run"] = async (query, variables = {}) =>
    (await isAdmin()) ? control("POST", "admin/panel", { admin: email, query, variables }) : { errors: [REJECTED] };
  return (await isAdmin()) ? { email, run } : null;
}

export async function adminDriver(control: Control, adminHost: string): Promise<AdminDriver> {
  const { readKey, writeKey } = await control<AdminView>("GET", "admin");
  const signIn = (person: string) => openPanel(control, person);
  return { adminHost, readKey, writeKey, panel: (await signIn("admin")) as PanelDriver, signIn };
}
