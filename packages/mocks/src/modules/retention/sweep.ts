import {
  EXPIRED_CONTENT,
  hasPassed,
  isInFlight,
  isReceipt,
  isSessionAlive,
  moveIdentityAttempt,
  purgeBefore,
} from "@social-connect/domain";
import type { World } from "../../world/world.ts";
import { retainedEntries } from "../audit/audit.ts";
import { moveAll } from "../connect/attempts.ts";

/**
 * Expires overdue attempts and deletes expired data, by the same limits that hide it from readers. An expired post keeps
 * only its ids and its observation time. Source: service description, parts 3 and 8.
 */
export function sweep(world: World): void {
  const now = world.now();
  const { state } = world;
  moveAll(world, "DEADLINE_PASSED", (attempt) => hasPassed(attempt.expiresAt, now));
  for (const [id, attempt] of state.connectAttempts) {
    if (hasPassed(attempt.resultExpiresAt, now)) state.connectAttempts.delete(id);
  }
  for (const [id, attempt] of state.identityAttempts) {
    if (hasPassed(attempt.resultExpiresAt, now)) state.identityAttempts.delete(id);
    else if (hasPassed(attempt.expiresAt, now)) {
      attempt.status = moveIdentityAttempt(attempt.status, "DEADLINE_PASSED") ?? attempt.status;
    }
  }
  state.auditEntries = retainedEntries(world);
  for (const [hash, session] of state.panelSessions) {
    if (!isSessionAlive(session, now)) state.panelSessions.delete(hash);
  }
  for (const [hash, signIn] of state.panelSignIns) {
    if (hasPassed(signIn.expiresAt, now)) state.panelSignIns.delete(hash);
  }
  for (const connection of state.connections.values()) {
    if (connection.profile !== null && connection.profile.observedAt < purgeBefore("profile", now)) {
      connection.profile = null;
    }
  }
  for (const posts of state.content.values()) {
    for (const [id, post] of posts) {
      if (post.observedAt < purgeBefore("content", now) && post.reason !== EXPIRED_CONTENT.reason) {
        posts.set(id, { ...post, ...EXPIRED_CONTENT });
      }
    }
  }
  for (const [id, job] of state.jobs) {
    if (isInFlight(job.status)) continue;
    const isPast = isReceipt(job.kind)
      ? job.createdAt < purgeBefore("receipt", now)
      : job.finishedAt !== null && job.finishedAt < purgeBefore("job", now);
    if (isPast) state.jobs.delete(id);
  }
}
