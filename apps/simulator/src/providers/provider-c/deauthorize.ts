import { createHmac } from "node:crypto";
import { appScopedIdFor } from "../../accounts/ids.ts";
import { SECOND_MS } from "../../shared/clock.ts";
import type { Grant } from "../../state/grant.ts";
import type { World } from "../../state/world.ts";

const DEADLINE_MS = 5_000;

/** `base64url(signature).base64url(payload)`, HMAC-SHA256 with the application's secret over the encoded payload. */
function signedRequest(payload: Readonly<Record<string, unknown>>, clientSecret: string): string {
  const encoded = Buffer.from(JSON.stringify(payload)).toString("base64url");
  return `${createHmac("sha256", clientSecret).update(encoded).digest("base64url")}.${encoded}`;
}

/** Notifies the application of its removal. Returns the status of its response; null without a URL or a response. */
export async function sendDeauthorization(world: World, grant: Grant, removedAt: Date): Promise<number | null> {
  const client = world.client(grant.provider, grant.clientId);
  if (client?.deauthorizationUrl === undefined) return null;
  const account = world.accountOf(grant);
  const payload = {
    algorithm: "HMAC-SHA256",
    issued_at: Math.floor(removedAt.getTime() / SECOND_MS),
    user_id: appScopedIdFor(account.accountId, client.clientId),
  };
  const body = new URLSearchParams({ signed_request: signedRequest(payload, client.clientSecret) });
  try {
    const response = await fetch(client.deauthorizationUrl, {
      method: "POST",
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}
