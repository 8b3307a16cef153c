import type { ClientEntries } from "../modules/clients/clientEntries.ts";
import { type ApplicationEnvironment, applicationEnvironment } from "./applicationEnvironment.ts";
import type { DevFile } from "./devFile.ts";

/** What an integrator's own application needs of its client. */
export interface OwnClient {
  readonly tenantKeys: readonly string[];
  readonly returnUrls: readonly string[];
}

/** The environment of an integrator's own application at a running development environment. */
export function ownEnvironment(
  { consumer }: Pick<DevFile, "consumer">,
  client: OwnClient,
  wanted: ClientEntries,
): ApplicationEnvironment {
  const { baseUrl, key, eventSecret = null } = consumer;
  return applicationEnvironment({ baseUrl, key, eventSecret, client, example: consumer, wanted });
}
