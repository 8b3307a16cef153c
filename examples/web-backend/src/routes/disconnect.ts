import { type JobPoller, NotFoundError, SocialConnectError, type SyncJob } from "@social-connect/sdk";
import { Hono } from "hono";
import { type KnownAccount, nameOf } from "../core/accounts.ts";
import type { AppEnvironment, Dependencies, SignedIn } from "../core/context.ts";
import { loadAccounts } from "../core/load.ts";
import { confirmPage, receiptsPage } from "../views/disconnect.ts";
import { linkButton, messagePage } from "../views/layout.ts";

export function disconnectRoutes(dependencies: Dependencies) {
  const { social, store, scans, clock } = dependencies;
  const routes = new Hono<AppEnvironment>();

  routes.get("/accounts/:id/disconnect", async (c) => {
    const account = await listed(dependencies, c.get("signedIn"), c.req.param("id"));
    return c.html(confirmPage(c.get("signedIn").user, account));
  });

  routes.post("/accounts/:id/disconnect", async (c) => {
    const { user, subject } = c.get("signedIn");
    const id = c.req.param("id");
    const account = await listed(dependencies, c.get("signedIn"), id);
    const disconnection = await subject.disconnect(id);
    store.saveDisconnection(id, {
      userId: user.id,
      accountName: nameOf(account),
      provider: account.connection.provider,
      at: clock.now(),
      saved: disconnection.toJSON(),
    });
    // The service erases its data, and this application erases what it stored.
    scans.forget(id);
    store.accounts.forget(user.id, id);
    return c.redirect(`/receipts/${encodeURIComponent(id)}`, 303);
  });

  routes.get("/receipts/:id", async (c) => {
    const { user } = c.get("signedIn");
    const connectionId = c.req.param("id");
    const disconnection = store.disconnectionOf(user.id, connectionId);
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

/** Read from the list, because there a connection whose grant has ended is a row and not an error. */
async function listed(dependencies: Dependencies, signedIn: SignedIn, id: string): Promise<KnownAccount> {
  const { accounts } = await loadAccounts(dependencies, signedIn);
  const account = accounts.find(({ connection }) => connection.id === id);
  if (account === undefined) throw new NotFoundError({ code: "NOT_FOUND", message: "The connection is not listed." });
  return account;
}

async function receiptOf(receipt: JobPoller): Promise<SyncJob | null> {
  try {
    return await receipt.poll();
  } catch (error) {
    if (SocialConnectError.is(error) && error.code === "NOT_FOUND") return null;
    throw error;
  }
}
