import type { CallOptions } from "@social-connect/sdk-core";
import type { AdminClient, CreateClientInput } from "../_generated/types.ts";
import { findClient } from "../wire/reads.ts";
import { ConflictError } from "../wire/serviceErrors.ts";
import type { Settings } from "../wire/settings.ts";
import { isCreatedFrom } from "./clientChange.ts";
import { requireConfirmation } from "./confirmation.ts";
import type { WriteResult } from "./outcome.ts";
import { attemptWrite, findOutcome } from "./write.ts";

/**
 * Registers a client. The outcome is `already` if a client with this slug has the same settings, and CONFLICT with
 * SLUG_TAKEN if it has other settings.
 *
 * It reads the clients first, unless `isMissing` states that the caller just did: otherwise an existing client could be
 * mistaken for the result of this call when the response is lost.
 */
export async function createClient(
  settings: Settings,
  input: CreateClientInput,
  options: CallOptions = {},
  isMissing = false,
): Promise<WriteResult> {
  requireConfirmation(input, "createClient");
  const isDone = (client: AdminClient) => isCreatedFrom(client, input);
  const read = () => findClient(settings, input.slug, options);
  const before = isMissing ? undefined : await read();
  if (before !== undefined && isDone(before)) return { outcome: "already", client: before };
  const attempt = await attemptWrite(settings, "createClient", { input }, isDone, options);
  if (attempt.ended === "answered") return { outcome: "applied", client: attempt.client };
  if (attempt.ended === "open") return findOutcome(settings, attempt.error, read, isDone, options);
  if (attempt.error instanceof ConflictError && attempt.error.reason === "SLUG_TAKEN") {
    const client = await read();
    if (client !== undefined && isDone(client)) return { outcome: "already", client };
  }
  throw attempt.error;
}
