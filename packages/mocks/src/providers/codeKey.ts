import type { SocialProvider } from "@social-connect/contract";
import { PROVIDER_TRAITS } from "@social-connect/domain";
import { sha256Hex } from "../util/hash.ts";

/**
 * What a provider's code is kept under. With PKCE it is of use to the request that it answers alone (RFC 7636): brought to
 * another one, with that one's state, it is a code that the provider does not know.
 */
export function codeKey(provider: SocialProvider, code: string, state: string): string {
  return PROVIDER_TRAITS[provider].pkce ? identityCodeKey(code, state) : sha256Hex(code);
}

/** The same for a code of the identity provider, where PKCE is always in use. */
export function identityCodeKey(code: string, state: string): string {
  return sha256Hex(`${code} ${state}`);
}
