import { createHmac } from "node:crypto";
import type { Account } from "../../accounts/account.ts";
import { appScopedIdFor } from "../../accounts/ids.ts";
import { SECOND_MS } from "../../shared/clock.ts";
import type { SimulatorClient } from "../../shared/providerKeys.ts";
import { sendToClient } from "../../shared/sendToClient.ts";

/** `base64url(signature).base64url(payload)`, HMAC-SHA256 with the application's secret over the encoded payload. */
function signedRequest(payload: Readonly<Record<string, unknown>>, clientSecret: string): string {
  const encoded = Buffer.from(JSON.stringify(payload)).toString("base64url");
  return `${createHmac("sha256", clientSecret).update(encoded).digest("base64url")}.${encoded}`;
}

/** The same for a removed app and for a data deletion request. The user's id is scoped to the application. */
function messageOf(account: Account, client: SimulatorClient, at: Date): URLSearchParams {
  const payload = {
    algorithm: "HMAC-SHA256",
    issued_at: Math.floor(at.getTime() / SECOND_MS),
    user_id: appScopedIdFor(account.accountId, client.clientId),
  };
  return new URLSearchParams({ signed_request: signedRequest(payload, client.clientSecret) });
}

export async function sendDeauthorization(account: Account, client: SimulatorClient, removedAt: Date) {
  const response = await sendToClient(client.deauthorizationUrl, messageOf(account, client, removedAt));
  return response?.status ?? null;
}

/** Asks the application to delete the user's data. Returns its response. */
export function sendDeletionRequest(account: Account, client: SimulatorClient, requestedAt: Date) {
  return sendToClient(client.dataDeletionUrl, messageOf(account, client, requestedAt));
}
