import type { CallOptions } from "@social-connect/sdk-core";
import { pause, SocialConnectError } from "@social-connect/sdk-core";
import type { Sdk } from "../_generated/requests.ts";
import type { AdminClient } from "../types/index.ts";
import { call, shapeError } from "../wire/call.ts";
import type { WriteOperation } from "../wire/operations.ts";
import { readClient } from "../wire/reads.ts";
import { surelyDidNothing } from "../wire/retryRules.ts";
import { ConflictError, NotFoundError } from "../wire/serviceErrors.ts";
import type { Settings } from "../wire/settings.ts";
import type { ClientWrite } from "./clientWrites.ts";
import type { WriteResult } from "./outcome.ts";

/**
 * Changes a client. It looks first, so that what is so already is not sent; it sends once, again only after a fault that
 * surely did nothing; and when no answer says how it ended, it looks again instead of sending again.
 *
 * `known` is the client as it was just read, where somebody has.
 */
export async function writeClient(
  settings: Settings,
  write: ClientWrite,
  options: CallOptions = {},
  known?: AdminClient,
): Promise<WriteResult> {
  const { operation, id, holds, send } = write;
  const before = known ?? (await readClient(settings, id, options));
  if (holds(before)) return { outcome: "already", client: before };
  const look = () => readClient(settings, id, options);
  const attempt = await attemptWrite(settings, operation, send, (client) => client.id === id && holds(client), options);
  if (attempt.ended === "answered") return { outcome: "applied", client: attempt.client };
  if (attempt.ended === "refused") {
    // Somebody else was faster: that the client has it, or has it no more, is all that was wanted.
    const client = mayBeDone(attempt.error) ? await look() : undefined;
    if (client !== undefined && holds(client)) return { outcome: "already", client };
    throw attempt.error;
  }
  return lookInto(settings, attempt.error, look, holds, options);
}

export type WriteAttempt =
  | { readonly ended: "answered"; readonly client: AdminClient }
  | { readonly ended: "refused"; readonly error: SocialConnectError }
  | { readonly ended: "open"; readonly error: SocialConnectError };

/** Sends a write, and tells a refusal from an end that leaves open what was done. */
export async function attemptWrite(
  settings: Settings,
  operation: WriteOperation,
  send: (requests: Sdk) => Promise<AdminClient>,
  isDone: (client: AdminClient) => boolean,
  options: CallOptions,
): Promise<WriteAttempt> {
  let wasSent = false;
  const sendOnce = (requests: Sdk) => {
    wasSent = true;
    return send(requests);
  };
  try {
    const client = await call(settings, { operation, send: sendOnce }, options);
    // An answer that does not show what it confirms proves nothing.
    return isDone(client) ? { ended: "answered", client } : { ended: "open", error: shapeError(operation) };
  } catch (error) {
    if (!(error instanceof SocialConnectError)) throw error;
    return { ended: wasSent && !surelyDidNothing(error) ? "open" : "refused", error };
  }
}

/** A write whose answer was lost may be under way still; so long it is given before the second look. */
const SECOND_LOOK_AFTER_MS = 1_000;

/** Looks twice whether a write was applied whose answer did not say. */
export async function lookInto(
  settings: Settings,
  error: SocialConnectError,
  look: () => Promise<AdminClient | undefined>,
  isDone: (client: AdminClient) => boolean,
  { signal, deadline }: CallOptions,
): Promise<WriteResult> {
  let client: AdminClient | undefined;
  for (const delayMs of [0, SECOND_LOOK_AFTER_MS]) {
    if (deadline !== undefined && settings.clock.now() + delayMs >= deadline.getTime()) break;
    if (delayMs > 0) await pause(settings.clock, delayMs, signal);
    try {
      client = await look();
    } catch (lookError) {
      if (!(lookError instanceof SocialConnectError)) throw lookError;
      return { outcome: "unknown", client: undefined, error };
    }
    if (client !== undefined && isDone(client)) return { outcome: "applied", client };
  }
  return { outcome: "unknown", client, error };
}

function mayBeDone(error: SocialConnectError): boolean {
  return error instanceof NotFoundError || (error instanceof ConflictError && error.reason === "ALREADY_PRESENT");
}
