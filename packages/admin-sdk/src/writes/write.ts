import { type CallOptions, pause, SocialConnectError, shapeError, type VariablesOf } from "@social-connect/sdk-core";
import type { Documents } from "../_generated/documents.ts";
import type { WriteOperation } from "../_generated/operations.ts";
import type { AdminClient } from "../_generated/types.ts";
import { exchange } from "../wire/call.ts";
import { surelyDidNothing } from "../wire/retryRules.ts";
import { ConflictError, NotFoundError } from "../wire/serviceErrors.ts";
import type { Settings } from "../wire/settings.ts";
import { afterChange, type ClientChange, isSameClient } from "./clientChange.ts";
import type { WriteResult } from "./outcome.ts";

/**
 * Changes a client. It reads the client first and sends nothing if the client already has the values. It sends the
 * change once, and retries only after a fault that certainly had no effect. If the response is lost, it reads the client
 * again instead of retrying.
 *
 * `known` is the client if the caller has just read it.
 */
export async function changeClient(
  settings: Settings,
  id: string,
  change: ClientChange,
  options: CallOptions = {},
  known?: AdminClient,
): Promise<WriteResult> {
  const read = async () => (await exchange(settings, "adminClient", { id }, options)).data;
  const holds = (client: AdminClient) => isSameClient(client, afterChange(client, change));
  const before = known ?? (await read());
  if (holds(before)) return { outcome: "already", client: before };
  const { operation, ...rest } = change;
  const isDone = (client: AdminClient) => client.id === id && holds(client);
  const attempt = await attemptWrite(settings, operation, { id, ...rest }, isDone, options);
  if (attempt.ended === "answered") return { outcome: "applied", client: attempt.client };
  if (attempt.ended === "refused") {
    // Another caller made the same change first, so the client already has the target state.
    const client = mayBeDone(attempt.error) ? await read() : undefined;
    if (client !== undefined && holds(client)) return { outcome: "already", client };
    throw attempt.error;
  }
  return findOutcome(settings, attempt.error, read, holds, options);
}

type WriteAttempt =
  | { readonly ended: "answered"; readonly client: AdminClient }
  | { readonly ended: "refused"; readonly error: SocialConnectError }
  | { readonly ended: "open"; readonly error: SocialConnectError };

/** Sends a write, and distinguishes a rejection from an unknown outcome. */
export async function attemptWrite(
  settings: Settings,
  operation: WriteOperation,
  variables: VariablesOf<Documents, WriteOperation>,
  isDone: (client: AdminClient) => boolean,
  options: CallOptions,
): Promise<WriteAttempt> {
  let wasSent = false;
  const onSend = () => {
    wasSent = true;
  };
  try {
    const { data: client } = await exchange(settings, operation, variables, options, onSend);
    // A response without the target state does not confirm the write.
    return isDone(client) ? { ended: "answered", client } : { ended: "open", error: shapeError(operation) };
  } catch (error) {
    if (!(error instanceof SocialConnectError)) throw error;
    return { ended: wasSent && !surelyDidNothing(error) ? "open" : "refused", error };
  }
}

/** A write with a lost response may still be running; the second read waits this long. */
const SECOND_READ_AFTER_MS = 1_000;

/** Reads the client up to twice to find out whether a write with a lost response was applied. */
export async function findOutcome(
  settings: Settings,
  error: SocialConnectError,
  read: () => Promise<AdminClient | undefined>,
  isDone: (client: AdminClient) => boolean,
  { signal, deadline }: CallOptions,
): Promise<WriteResult> {
  let client: AdminClient | undefined;
  for (const delayMs of [0, SECOND_READ_AFTER_MS]) {
    if (deadline !== undefined && settings.clock.now() + delayMs >= deadline.getTime()) break;
    if (delayMs > 0) await pause(settings.clock, delayMs, signal);
    try {
      client = await read();
    } catch (readError) {
      if (!(readError instanceof SocialConnectError)) throw readError;
      return { outcome: "unknown", client: undefined, error };
    }
    if (client !== undefined && isDone(client)) return { outcome: "applied", client };
  }
  return { outcome: "unknown", client, error };
}

function mayBeDone(error: SocialConnectError): boolean {
  return error instanceof NotFoundError || (error instanceof ConflictError && error.reason === "ALREADY_PRESENT");
}
