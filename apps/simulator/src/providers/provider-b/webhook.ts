import { createHmac } from "node:crypto";
import type { Account } from "../../accounts/account.ts";
import { SECOND_MS } from "../../shared/clock.ts";
import type { SimulatorClient } from "../../shared/providerKeys.ts";
import { sendToClient } from "../../shared/sendToClient.ts";

/** The user disconnected the application in the provider's app. */
const REMOVED_BY_USER = 1;

/**
 * Sends `authorization.removed`, signed now: HMAC-SHA256 with the application's secret over the time, "." and the body. A
 * delayed event has an earlier `create_time`.
 */
export async function sendAuthorizationRemoved(account: Account, client: SimulatorClient, removedAt: Date, now: Date) {
  const body = JSON.stringify({
    client_key: client.clientId,
    event: "authorization.removed",
    create_time: Math.floor(removedAt.getTime() / SECOND_MS),
    user_openid: account.accountId,
    content: JSON.stringify({ reason: REMOVED_BY_USER }),
  });
  const time = Math.floor(now.getTime() / SECOND_MS);
  const signature = createHmac("sha256", client.clientSecret).update(`${time}.${body}`).digest("hex");
  const headers = { "content-type": "application/json", "tiktok-signature": `t=${time},s=${signature}` };
  const response = await sendToClient(client.webhookUrl, body, headers);
  return response?.status ?? null;
}
