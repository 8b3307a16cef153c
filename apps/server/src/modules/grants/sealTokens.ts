import { credentialEndsAt as endOfCredential } from "@social-connect/domain";
import type { Grant } from "../../_generated/prisma/client.ts";
import type { SecretBox } from "../../platform/secrets/secretBox.ts";
import type { StoredTokens } from "../../providers/contract.ts";

type TokenColumn = "access_token" | "refresh_token";
export type TokenColumns = Pick<
  Grant,
  "accessTokenSealed" | "accessTokenExpiresAt" | "refreshTokenSealed" | "refreshTokenExpiresAt"
>;

/** Additional authenticated data for a sealed token: it cannot be decrypted in another row or column. */
export function grantTokenBinding(grantId: string, column: TokenColumn): string {
  return `provider_grant:${grantId}:${column}`;
}

/** Tokens as stored in the row of a new grant. */
export function sealTokens(secretBox: SecretBox, grantId: string, tokens: StoredTokens): TokenColumns {
  const seal = (token: string, column: TokenColumn) => secretBox.seal(token, grantTokenBinding(grantId, column));
  return {
    accessTokenSealed: seal(tokens.accessToken, "access_token"),
    accessTokenExpiresAt: tokens.accessTokenExpiresAt,
    refreshTokenSealed: tokens.refreshToken === null ? null : seal(tokens.refreshToken, "refresh_token"),
    refreshTokenExpiresAt: tokens.refreshToken === null ? null : tokens.refreshTokenExpiresAt,
  };
}

/**
 * The columns that new tokens of a stored grant change. A missing refresh token never overwrites a stored one; a lifetime that
 * comes without a refresh token belongs to the stored one.
 */
export function sealNewTokens(
  secretBox: SecretBox,
  { id, refreshTokenSealed: stored }: Pick<Grant, "id" | "refreshTokenSealed">,
  tokens: StoredTokens,
) {
  const { refreshTokenSealed, refreshTokenExpiresAt, ...access } = sealTokens(secretBox, id, tokens);
  if (refreshTokenSealed !== null) return { ...access, refreshTokenSealed, refreshTokenExpiresAt };
  const isOfStored = stored !== null && tokens.refreshTokenExpiresAt !== null;
  return isOfStored ? { ...access, refreshTokenExpiresAt: tokens.refreshTokenExpiresAt } : access;
}

/** Whether no process can read the grant's tokens again. */
export function isLostGrant(secretBox: SecretBox, { accessTokenSealed, refreshTokenSealed }: TokenColumns): boolean {
  return secretBox.isLost(accessTokenSealed) || (refreshTokenSealed !== null && secretBox.isLost(refreshTokenSealed));
}

/** Throws SecretBoxError if a token was altered or belongs to another row. */
export function openTokens(secretBox: SecretBox, grant: Grant): StoredTokens {
  const open = (sealed: string, column: TokenColumn) => secretBox.open(sealed, grantTokenBinding(grant.id, column));
  return {
    accessToken: open(grant.accessTokenSealed, "access_token"),
    accessTokenExpiresAt: grant.accessTokenExpiresAt,
    refreshToken: grant.refreshTokenSealed === null ? null : open(grant.refreshTokenSealed, "refresh_token"),
    refreshTokenExpiresAt: grant.refreshTokenExpiresAt,
  };
}

/**
 * When the credential that renews the grant expires: the refresh token, or the access token if there is no refresh
 * token.
 */
export function credentialEndsAt(
  grant: Pick<Grant, "refreshTokenSealed" | "refreshTokenExpiresAt" | "accessTokenExpiresAt">,
): Date | null {
  return endOfCredential({ ...grant, hasRefreshToken: grant.refreshTokenSealed !== null });
}
