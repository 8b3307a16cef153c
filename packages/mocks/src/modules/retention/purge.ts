import {
  changeAttempt,
  decideIdentityEnd,
  EXPIRED_CONTENT,
  hasPassed,
  isInFlight,
  isPastRetention,
  jobIsReadable,
  purgeBefore,
} from "@social-connect/domain";
import { deleteWhere } from "../../util/deleteWhere.ts";
import type { World } from "../../world/world.ts";
import { retainedEntries } from "../audit/audit.ts";
import { deleteEvents } from "../events/endDeliveries.ts";
import { patchAttempt } from "../events/recordEvents.ts";

/** Stores the EXPIRED status that readers of overdue attempts already see. Source: service description, part 3. */
export function expireAttempts(world: World): void {
  const now = world.now();
  for (const attempt of world.state.connectAttempts.values()) {
    if (hasPassed(attempt.expiresAt, now)) patchAttempt(world, attempt, changeAttempt(attempt, "DEADLINE_PASSED"));
  }
  for (const attempt of world.state.identityAttempts.values()) {
    if (hasPassed(attempt.expiresAt, now))
      patchAttempt(world, attempt, decideIdentityEnd(attempt, "DEADLINE_PASSED", now));
  }
}

/**
 * Deletes data after its retention period, by the same limits that reads enforce. An expired post keeps only its ids and its
 * observation time. Source: service description, part 8.
 */
export function purge(world: World): void {
  const now = world.now();
  const { state } = world;
  const isPast = (at: Date) => hasPassed(at, now);
  deleteWhere(state.connectAttempts, ({ resultExpiresAt }) => isPast(resultExpiresAt));
  deleteWhere(state.identityAttempts, ({ resultExpiresAt }) => isPast(resultExpiresAt));
  deleteWhere(state.dataDeletions, ({ requestedAt }) => isPastRetention("dataDeletion", requestedAt, now));
  state.auditEntries = retainedEntries(world);
  deleteEvents(world, ({ occurredAt }) => isPastRetention("event", occurredAt, now));
  deleteWhere(state.jobs, (job) => !isInFlight(job.status) && !jobIsReadable(job, now));
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
}
