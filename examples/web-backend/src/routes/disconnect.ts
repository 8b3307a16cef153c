import type { JobPoller, SyncJob } from "@social-connect/sdk";
import { NotFoundError, SocialConnectError } from "@social-connect/sdk";
import { Hono } from "hono";
import type { AppEnvironment, Dependencies } from "../core/context.ts";
import { confirmPage, receiptsPage } from "../views/disconnect.ts";
import { linkButton, messagePage } from "../views/layout.ts";

export function disconnectRoutes({ social, store, scans, clock }: Dependencies) {
  const routes = new Hono<AppEnvironment>();

  routes.get("/accounts/:id/disconnect", async (c) => {
    const { user, subject } = c.get("signedIn");
    return c.html(confirmPage(user, await listed(subject.connections(), c.req.param("id"))));
  });

  routes.post("/accounts/:id/disconnect", async (c) => {
    const { user, subject } = c.get("signedIn");
    const id = c.req.param("id");
    const connection = await listed(subject.connections(), id);
    const disconnection = await subject.disconnect(id);
    scans.forget(id);
    store.saveDisconnection(id, {
      userId: user.id,
      accountName: connection.profile?.displayName ?? connection.providerAccountId,
      provider: connection.provider,
      at: clock.now(),
      saved: disconnection.toJSON(),
    });
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
async function listed<Item extends { readonly id: string }>(items: AsyncIterable<Item>, id: string): Promise<Item> {
  for await (const item of items) if (item.id === id) return item;
  throw new NotFoundError({ code: "NOT_FOUND", message: "The connection is not listed." });
}

async function receiptOf(receipt: JobPoller): Promise<SyncJob | null> {
  try {
    return await receipt.poll();
  } catch (error) {
    if (SocialConnectError.is(error) && error.code === "NOT_FOUND") return null;
    throw error;
  }
}
