import type { SocialConnectError } from "@social-connect/sdk-core";
import type { AdminClient } from "../_generated/types.ts";

/**
 * The outcome of a write. Rejections by the service are thrown.
 * - `applied`: this write changed the client.
 * - `already`: the client had the values before; nothing was changed.
 * - `unknown`: the response was lost, and the client, read again, does not have the values, or could not be read
 * (`client` is undefined then). `error` is the cause. The write may still be applied, so check before you retry.
 */
export type WriteResult =
  | { readonly outcome: "applied"; readonly client: AdminClient }
  | { readonly outcome: "already"; readonly client: AdminClient }
  | { readonly outcome: "unknown"; readonly client: AdminClient | undefined; readonly error: SocialConnectError };
