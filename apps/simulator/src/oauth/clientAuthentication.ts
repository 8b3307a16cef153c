import { createHash, timingSafeEqual } from "node:crypto";
import type { Call } from "../shared/http.ts";
import type { ProviderKey, SimulatorClient } from "../shared/providerKeys.ts";
import type { World } from "../state/world.ts";

/**
 * The client that a call to a token endpoint proves to be, from form fields or, where `basic` allows it, from an
 * Authorization header (RFC 6749, 2.3.1). null when nothing or something wrong was sent.
 */
export function authenticateClient(
  world: World,
  call: Call,
  provider: ProviderKey,
  form: ReadonlyMap<string, string>,
  options: { idField: "client_id" | "client_key"; basic: boolean },
): SimulatorClient | null {
  const header = options.basic ? basicCredentials(call.req.header("authorization")) : null;
  const clientId = header?.id ?? form.get(options.idField);
  const clientSecret = header?.secret ?? form.get("client_secret");
  if (clientId === undefined || clientSecret === undefined) return null;
  const client = world.client(provider, clientId);
  if (client === undefined || !sameSecret(client.clientSecret, clientSecret)) return null;
  call.get("trace").clientId = client.clientId;
  return client;
}

function basicCredentials(header: string | undefined): { id: string; secret: string } | null {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header ?? "")?.[1];
  if (encoded === undefined) return null;
  const [id, secret] = Buffer.from(encoded, "base64").toString("utf8").split(":", 2);
  if (id === undefined || secret === undefined) return null;
  try {
    return { id: decodeURIComponent(id.replaceAll("+", " ")), secret: decodeURIComponent(secret.replaceAll("+", " ")) };
  } catch {
    return null;
  }
}

export function sameSecret(expected: string, given: string): boolean {
  const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(expected), hash(given));
}
