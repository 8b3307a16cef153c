import { needsConfirmation } from "@social-connect/domain";
import type { SessionActor } from "../admin/actor.ts";
import { ConfirmationRequiredError } from "../admin/errors.ts";

/** Throws unless the person proved to the issuer who they are at most 5 minutes ago, by the issuer's own `auth_time`. */
export function requireConfirmation(actor: SessionActor, now: Date): void {
  if (needsConfirmation(actor.authenticatedAt, now)) throw new ConfirmationRequiredError();
}
