import type { SocialConnectError } from "@social-connect/sdk-core";
import type { AdminClient } from "../types/index.ts";

/**
 * How a write ended, when it was not refused. A refusal is thrown.
 *
 * - `applied`: the client is as wanted, and it was this write.
 * - `already`: it was as wanted before; nothing was changed.
 * - `unknown`: no answer said, and the client, read again, is not as wanted (yet), or could not be read (`client` is
 *   undefined then). `error` is what happened. The write may still come to be applied, so look before you repeat it.
 */
export type WriteResult =
  | { readonly outcome: "applied"; readonly client: AdminClient }
  | { readonly outcome: "already"; readonly client: AdminClient }
  | { readonly outcome: "unknown"; readonly client: AdminClient | undefined; readonly error: SocialConnectError };
