import { codeVerifierBinding } from "../connect/redeemLaunchToken.ts";
import { eventSecretBinding } from "../events/eventSecret.ts";
import { grantOwnerBinding } from "../grants/grantOwner.ts";
import { grantTokenBinding } from "../grants/sealTokens.ts";
import { exchangeBinding, identityResultBinding } from "../identity/identityAttempt.ts";
import { clientSecretBinding } from "../registrations/clientSecret.ts";

export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Whether the table has `application_id`. */
  readonly isOwned: boolean;
  /** The additional authenticated data of the value in the row with this ID. */
  readonly binding: (id: string) => string;
}

/** Sealed columns whose values can outlive a key. Each table has the primary key `id`. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: "provider_registration", column: "client_secret_sealed", isOwned: false, binding: clientSecretBinding },
  {
    table: "provider_grant",
    column: "access_token_sealed",
    isOwned: true,
    binding: (id) => grantTokenBinding(id, "access_token"),
  },
  {
    table: "provider_grant",
    column: "refresh_token_sealed",
    isOwned: true,
    binding: (id) => grantTokenBinding(id, "refresh_token"),
  },
  { table: "provider_grant", column: "owner_sealed", isOwned: true, binding: grantOwnerBinding },
  { table: "connect_attempt", column: "code_verifier_sealed", isOwned: true, binding: codeVerifierBinding },
  { table: "identity_attempt", column: "exchange_sealed", isOwned: true, binding: exchangeBinding },
  { table: "identity_attempt", column: "result_sealed", isOwned: true, binding: identityResultBinding },
  { table: "event_endpoint", column: "secret_sealed", isOwned: true, binding: eventSecretBinding },
  { table: "event_endpoint", column: "previous_secret_sealed", isOwned: true, binding: eventSecretBinding },
];

/** Sealed columns of rows that expire after minutes. Users whose row is lost start again. */
export const SHORT_LIVED_SEALED_COLUMNS: readonly string[] = ["admin_sign_in.exchange_sealed"];
