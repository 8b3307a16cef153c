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
  return applicationEnvironment({ baseUrl: consumer.baseUrl, key: consumer.key, client, example: consumer, wanted });
}
