import type { SocialProvider } from "@social-connect/contract";
import { PROVIDER_TRAITS } from "@social-connect/domain";
import { sha256Hex } from "../util/hash.ts";

/**
 * The key under which an authorization code is stored. With PKCE, a code is only valid for its own authorization request
 * (RFC 7636): with another request's state, it is unknown.
 */
export function codeKey(provider: SocialProvider, code: string, state: string): string {
  return PROVIDER_TRAITS[provider].pkce ? identityCodeKey(code, state) : sha256Hex(code);
}

/** The same for the identity provider, which always uses PKCE. */
export function identityCodeKey(code: string, state: string): string {
  return sha256Hex(`${code} ${state}`);
}
