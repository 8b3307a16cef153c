import type { CallOptions } from "@social-connect/sdk-core";
import type { AdminClient } from "../types/index.ts";
import { findClient } from "../wire/reads.ts";
import { ConflictError } from "../wire/serviceErrors.ts";
import type { Settings } from "../wire/settings.ts";
import type { CreateClientInput } from "./clientWrites.ts";
import { isCreatedFrom } from "./clientWrites.ts";
import { requireConfirmation } from "./confirmation.ts";
import type { WriteResult } from "./outcome.ts";
import { attemptWrite, lookInto } from "./write.ts";

/**
 * Registers a client. One that is there with this slug and is just like it was created before: `already`. One that is
 * there and is not like it is a CONFLICT with SLUG_TAKEN.
 *
 * It looks first, unless `isMissing` says that somebody just has: when the answer is lost, a client that was there before
 * would be taken for the work of this call.
 */
export async function createClient(
  settings: Settings,
  input: CreateClientInput,
  options: CallOptions = {},
  isMissing = false,
): Promise<WriteResult> {
  requireConfirmation(input, "createClient");
  const isDone = (client: AdminClient) => isCreatedFrom(client, input);
  const look = () => findClient(settings, input.slug, options);
  const before = isMissing ? undefined : await look();
  if (before !== undefined && isDone(before)) return { outcome: "already", client: before };
  const attempt = await attemptWrite(
    settings,
    "createClient",
    async (requests) => (await requests.CreateClient({ input })).createClient,
    isDone,
    options,
  );
  if (attempt.ended === "answered") return { outcome: "applied", client: attempt.client };
  if (attempt.ended === "open") return lookInto(settings, attempt.error, look, isDone, options);
  if (attempt.error instanceof ConflictError && attempt.error.reason === "SLUG_TAKEN") {
    const client = await look();
    if (client !== undefined && isDone(client)) return { outcome: "already", client };
  }
  throw attempt.error;
}
