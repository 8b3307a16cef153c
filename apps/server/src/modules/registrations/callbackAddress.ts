import type { SocialProvider } from "@social-connect/contract";
import { providerSlug } from "@social-connect/domain";
import type { Service } from "../service.ts";

/** Each provider has its own redirect URI, so that one provider's code cannot be sent to another (RFC 9700 4.4.2). */
export function redirectUri(service: Pick<Service, "connectHost">, provider: SocialProvider): string {
  return `${service.connectHost}/api/connect/callback/${providerSlug(provider)}`;
}

/** Where a provider sends webhooks. */
export function webhookUrl(service: Pick<Service, "connectHost">, provider: SocialProvider): string {
  return `${service.connectHost}/api/connect/${providerSlug(provider)}/webhook`;
}

/** Where a provider sends data deletion requests. */
export function dataDeletionUrl(service: Pick<Service, "connectHost">, provider: SocialProvider): string {
  return `${service.connectHost}/api/connect/${providerSlug(provider)}/data-deletion`;
}

/** The public page that shows the status of a data deletion request. */
export function deletionStatusUrl(
  service: Pick<Service, "connectHost">,
  provider: SocialProvider,
  code: string,
): string {
  return `${dataDeletionUrl(service, provider)}?code=${code}`;
}
