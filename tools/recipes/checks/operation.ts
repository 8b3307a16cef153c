/** Runs in a scratch copy after the operation recipe: the server and the mocks find a client by its slug through the admin SDK. */
import assert from "node:assert/strict";
import type { AdminClient, AdminReader } from "../../../packages/admin-sdk/src/index.ts";
import type { Target } from "./targets.ts";

/** The method that the recipe adds. */
type WithMethod = AdminReader & { clientBySlug(slug: string): Promise<AdminClient> };

export default async function check(target: Target): Promise<void> {
  const admin = target.admin as WithMethod;
  const { items: clients } = await admin.clients().page();
  assert(clients.length > 0, "there are clients");
  for (const client of clients) assert.deepEqual(await admin.clientBySlug(client.slug), client);
  await assert.rejects(admin.clientBySlug("no-such-client"), { name: "NotFoundError" });
}
