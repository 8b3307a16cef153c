import { codeVerifierBinding } from "../connect/redeemLaunchToken.ts";
import { grantOwnerBinding } from "../grants/grantOwner.ts";
import { grantTokenBinding } from "../grants/sealTokens.ts";
import { exchangeBinding, identityResultBinding } from "../identity/identityAttempt.ts";
import { clientSecretBinding } from "../registrations/registrationAccess.ts";

export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** What the value in the row of this id is bound to. */
  readonly binding: (id: string) => string;
}

/** Every column whose values are sealed and stay long enough to outlive a key. Its rows have the primary key `id`. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: "provider_registration", column: "client_secret_sealed", binding: clientSecretBinding },
  { table: "provider_grant", column: "access_token_sealed", binding: (id) => grantTokenBinding(id, "access_token") },
  { table: "provider_grant", column: "refresh_token_sealed", binding: (id) => grantTokenBinding(id, "refresh_token") },
  { table: "provider_grant", column: "owner_sealed", binding: grantOwnerBinding },
  { table: "connect_attempt", column: "code_verifier_sealed", binding: codeVerifierBinding },
  { table: "identity_attempt", column: "exchange_sealed", binding: exchangeBinding },
  { table: "identity_attempt", column: "result_sealed", binding: identityResultBinding },
];

/** Sealed columns of rows that live for minutes: whoever loses one begins anew. */
export const SHORT_LIVED_SEALED_COLUMNS: readonly string[] = ["admin_sign_in.exchange_sealed"];
