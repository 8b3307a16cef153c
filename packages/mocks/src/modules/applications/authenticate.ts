import {
  APPLICATION_DISABLED,
  AppError,
  INVALID_APPLICATION_KEY,
  isKeyActive,
  parseApplicationKey,
} from "@social-connect/domain";
import type { Application } from "../../state/state.ts";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";

export function applicationOf(world: World, id: string): Application {
  const found = world.state.applications.get(id);
  if (found === undefined) throw new Error(`no application ${id}`);
  return found;
}

/** The application behind a call, and the key it used. */
export interface Caller {
  readonly keyId: string;
  readonly application: Application;
}

/**
 * Authenticates the caller. A missing, malformed, unknown, wrong, revoked or expired key fails with the same
 * UNAUTHENTICATED, a valid key of a disabled application with FORBIDDEN. Source: service description, part 5.
 */
export function authenticate(world: World, authorization: readonly string[]): Caller {
  const key = authorization.length === 1 ? parseApplicationKey(authorization[0] ?? null) : null;
  const row = key === null ? undefined : world.state.applicationKeys.get(key.keyId);
  const application = row && world.state.applications.get(row.applicationId);
  const now = world.now();
  if (key === null || row === undefined || application === undefined) throw unauthenticated();
  if (row.secretHash !== sha256Hex(key.secret) || !isKeyActive(row, now)) throw unauthenticated();
  if (!application.enabled) throw new AppError(APPLICATION_DISABLED);
  row.lastUsedAt = now;
  return { keyId: key.keyId, application };
}

export function unauthenticated(): AppError {
  return new AppError(INVALID_APPLICATION_KEY);
}
