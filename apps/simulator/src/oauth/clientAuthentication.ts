import type { Account } from "../accounts/account.ts";
import type { Call } from "../shared/http.ts";
import type { ProviderKey, SimulatorClient } from "../shared/providerKeys.ts";
import type { World } from "../state/createWorld.ts";
import type { FoundToken } from "../state/grants.ts";

/** Where a provider's requests have the client's id and secret. */
export interface ClientFields {
  readonly idField: "client_id" | "client_key";
  /** Whether the Authorization header may have them. */
  readonly basic: boolean;
}

/**
 * Authenticates a client by its form fields or, if `basic` allows it, by its Authorization header (RFC 6749, 2.3.1). Returns
 * null if the credentials are missing or wrong.
 */
export function authenticateClient(
  world: World,
  call: Call,
  provider: ProviderKey,
  form: ReadonlyMap<string, string>,
  options: ClientFields,
): SimulatorClient | null {
  const header = options.basic ? basicCredentials(call.req.header("authorization")) : null;
  const clientId = header?.id ?? form.get(options.idField);
  const clientSecret = header?.secret ?? form.get("client_secret");
  if (clientId === undefined || clientSecret === undefined) return null;
  const client = world.client(provider, clientId);
  if (client?.clientSecret !== clientSecret) return null;
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

/** The grant and the account of an access token, also if it has expired or ended; null for an unknown token. */
export function findCaller(
  world: World,
  call: Call,
  provider: ProviderKey,
  accessToken: string | null,
): (FoundToken & { readonly account: Account }) | null {
  const found = world.grants.find(accessToken ?? "");
  if (found === null || found.grant.provider !== provider || found.token.kind === "refresh") return null;
  const account = world.accountOf(found.grant);
  Object.assign(call.get("trace"), { account: account.name, clientId: found.grant.clientId });
  return { ...found, account };
}
