import type { AdminClient, Capability, SocialProvider } from "../_generated/types.ts";
import type { ClientDeclaration } from "./declaration.ts";

/**
 * The declaration of a client's current state, as a starting point. Its return URLs are plain strings, which is enough
 * for registered URLs.
 */
export function declareClient(client: AdminClient): ClientDeclaration {
  return {
    slug: client.slug,
    displayName: client.displayName,
    enabled: client.enabled,
    webOrigins: client.webOrigins,
    returnUrls: client.returnUrls,
    logo: client.logo,
    brandColor: client.brandColor,
    supportAddress: client.supportAddress,
    privacyUrl: client.privacyUrl,
    tenantKeys: client.tenantKeys,
    // A newer service may have more values, which are rejected when the declaration is parsed.
    providers: client.providers as readonly SocialProvider[],
    capabilities: client.capabilities as readonly Capability[],
    previewOriginsEnabled: client.previewOriginsEnabled,
    previewReturnPaths: client.previewReturnPaths,
  };
}
