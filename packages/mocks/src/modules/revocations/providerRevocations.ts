import { LIMITS, type SocialProvider } from "@social-connect/contract";
import {
  addMs,
  hasPassed,
  isConcernedByRevocation,
  type NewRevocation,
  type RevocationKey,
} from "@social-connect/domain";
import type { Revocation } from "../../state/state.ts";
import { deleteWhere } from "../../util/deleteWhere.ts";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";

export function beginRevocation(world: World, { keys, ...revocation }: NewRevocation): void {
  world.state.revocations.set(revocation.id, {
    ...revocation,
    keys: hashesOf(keys),
    generation: nextGeneration(world),
    isEnded: revocation.endedAt !== null,
  });
}

/** Ends a revoke. It may have affected every exchange that started before. */
export function endRevocation(world: World, id: string): void {
  const revocation = world.state.revocations.get(id);
  if (revocation === undefined || revocation.isEnded) return;
  Object.assign(revocation, { isEnded: true, endedAt: world.now(), generation: nextGeneration(world) });
}

/** A revocation since `since` that may have ended a grant with one of these keys, preferably one in progress. */
export function findRevocationSince(world: World, keys: readonly RevocationKey[], since: number): Revocation | null {
  const hashes = hashesOf(keys);
  const found = [...world.state.revocations.values()].filter(
    (one) => isConcernedByRevocation(one, since) && one.keys.some((key) => hashes.includes(key)),
  );
  return found.find(({ isEnded }) => !isEnded) ?? found[0] ?? null;
}

export function wasRevokingSince(
  world: World,
  applicationId: string,
  provider: SocialProvider,
  since: number,
): boolean {
  return [...world.state.revocations.values()].some(
    (one) => one.applicationId === applicationId && one.provider === provider && isConcernedByRevocation(one, since),
  );
}

export function deleteEndedRevocations(world: World): void {
  const isOver = (endedAt: Date) => hasPassed(addMs(endedAt, LIMITS.connectDeadlineMs), world.now());
  deleteWhere(world.state.revocations, ({ endedAt }) => endedAt !== null && isOver(endedAt));
}

function nextGeneration({ state }: World): number {
  state.revocationCount += 1;
  return state.revocationCount;
}

/** The record outlives an erased account, so it contains hashes only. */
function hashesOf(keys: readonly RevocationKey[]): string[] {
  return keys.map((key) => sha256Hex(JSON.stringify(key)));
}
