import { type JobPoller, NotFoundError, type SyncJob } from "@social-connect/sdk";
import { Hono } from "hono";
import { nameOf } from "../core/accounts.ts";
import type { AppEnvironment, Dependencies } from "../core/context.ts";
import { loadAccount } from "../core/load.ts";
import { ownOf } from "../core/store.ts";
import { linkButton, messagePage } from "../views/layout.ts";
import { confirmPage, receiptsPage } from "../views/receipts.ts";

export function disconnectRoutes(dependencies: Dependencies) {
  const { social, store, clock } = dependencies;
  const routes = new Hono<AppEnvironment>();

  routes.get("/accounts/:id/disconnect", async (c) => {
    const { account } = await loadAccount(dependencies, c.get("signedIn"), c.req.param("id"));
    return c.html(confirmPage(c.get("signedIn").user, account));
  });

  routes.post("/accounts/:id/disconnect", async (c) => {
    const { user, subject } = c.get("signedIn");
    const id = c.req.param("id");
    const { account } = await loadAccount(dependencies, c.get("signedIn"), id);
    const disconnection = await subject.disconnect(id);
    store.disconnections.set(id, {
      userId: user.id,
      accountName: nameOf(account),
      provider: account.connection.provider,
      at: clock.now(),
      saved: disconnection.toJSON(),
    });
    // The service erases its data, and this application erases what it stored.
    store.scans.delete(id);
    store.accounts.forget(user.id, id);
    return c.redirect(`/receipts/${encodeURIComponent(id)}`, 303);
  });

  routes.get("/receipts/:id", async (c) => {
    const { user } = c.get("signedIn");
    const connectionId = c.req.param("id");
    const disconnection = ownOf(store.disconnections, user, connectionId);
    if (disconnection === undefined) {
      const text = "This application holds no receipts for such an account.";
      return c.html(messagePage({ title: "No receipts", text, user }, linkButton("/", "Your accounts")), 404);
    }
    const { revoke, erase } = social.resume(disconnection.saved);
    const [revokeJob, eraseJob] = await Promise.all([receiptOf(revoke), receiptOf(erase)]);
    return c.html(receiptsPage({ user, connectionId, disconnection, revoke: revokeJob, erase: eraseJob }));
  });

  return routes;
}

/** Null for a receipt that has expired. */
async function receiptOf(receipt: JobPoller): Promise<SyncJob | null> {
  return receipt.poll().catch((error: unknown) => {
    if (NotFoundError.is(error)) return null;
    throw error;
  });
}
