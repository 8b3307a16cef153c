import { credentialEndsAt as endOfCredential } from "@social-connect/domain";
import type { Grant } from "../../_generated/prisma/client.ts";
import type { SecretBox } from "../../platform/secretBox.ts";
import type { StoredTokens } from "../../providers/contract.ts";

type TokenColumn = "access_token" | "refresh_token";
/** The token columns of a grant's row. */
export type TokenColumns = Pick<
  Grant,
  "accessTokenSealed" | "accessTokenExpiresAt" | "refreshTokenSealed" | "refreshTokenExpiresAt"
>;

/** What the additional data of a sealed token says; a token moved to another row or column does not open. */
export function grantTokenBinding(grantId: string, column: TokenColumn): string {
  return `provider_grant:${grantId}:${column}`;
}

/** Tokens as the grant's row keeps them. Whoever updates a row leaves null refresh columns out, so that stored ones stay. */
export function sealTokens(secretBox: SecretBox, grantId: string, tokens: StoredTokens): TokenColumns {
  const seal = (token: string, column: TokenColumn) => secretBox.seal(token, grantTokenBinding(grantId, column));
  return {
    accessTokenSealed: seal(tokens.accessToken, "access_token"),
    accessTokenExpiresAt: tokens.accessTokenExpiresAt,
    refreshTokenSealed: tokens.refreshToken === null ? null : seal(tokens.refreshToken, "refresh_token"),
    refreshTokenExpiresAt: tokens.refreshToken === null ? null : tokens.refreshTokenExpiresAt,
  };
}

/** Throws SecretBoxError when a token was altered or belongs to another row. */
export function openTokens(secretBox: SecretBox, grant: Grant): StoredTokens {
  const open = (sealed: string, column: TokenColumn) => secretBox.open(sealed, grantTokenBinding(grant.id, column));
  return {
    accessToken: open(grant.accessTokenSealed, "access_token"),
    accessTokenExpiresAt: grant.accessTokenExpiresAt,
    refreshToken: grant.refreshTokenSealed === null ? null : open(grant.refreshTokenSealed, "refresh_token"),
    refreshTokenExpiresAt: grant.refreshTokenExpiresAt,
  };
}

/** When the credential that keeps the grant alive ends: the refresh token, or the access token where there is none. */
export function credentialEndsAt(
  grant: Pick<Grant, "refreshTokenSealed" | "refreshTokenExpiresAt" | "accessTokenExpiresAt">,
): Date | null {
  return endOfCredential({ ...grant, hasRefreshToken: grant.refreshTokenSealed !== null });
}
