import type { Capability } from "@social-connect/contract";
import {
  type ConnectAttemptEvent,
  connectionRevocationKeys,
  decideLink,
  isDisconnected,
  isSameScope,
  type LinkFacts,
  type LinkFollowUp,
  PROVIDER_TRAITS,
} from "@social-connect/domain";
import type { AccountProfile } from "../../providers/accounts.ts";
import type { Application, ConnectAttempt, Connection, Grant } from "../../state/state.ts";
import { found } from "../../util/misuse.ts";
import type { World } from "../../world/world.ts";
import { patchAttempt, patchConnection } from "../events/recordEvents.ts";
import { grantOfConnection } from "../grants/grants.ts";
import { enqueueInitialReads } from "../jobs/backgroundReads.ts";
import { findPublishedRegistration } from "../registrations/findRegistration.ts";
import { findRevocationSince } from "../revocations/providerRevocations.ts";
import { isRevokeSettling } from "./attempts.ts";

export interface ConsentedAccount {
  readonly grant: Grant;
  readonly account: AccountProfile;
  readonly granted: readonly Capability[];
  /** The account's script is `not-a-tester`. */
  readonly notATester: boolean;
}

/** Links a consented account after checking the current state. Returns the reason of a refusal, or null. */
export function linkAccount(
  world: World,
  attempt: ConnectAttempt,
  consented: ConsentedAccount,
): Exclude<ConnectAttemptEvent, "ACCOUNT_CONNECTED"> | null {
  const change = decideLink(readFacts(world, attempt, consented), world.now());
  if ("refusedBy" in change) return change.refusedBy;
  for (const followUp of change.followUps) applyFollowUp(world, followUp, consented.grant);
  patchAttempt(world, attempt, change.patch);
  return null;
}

function readFacts(world: World, attempt: ConnectAttempt, consented: ConsentedAccount): LinkFacts {
  const { account, granted } = consented;
  const { applicationId, provider } = attempt;
  const { mode, previewOriginTemplate } = world.settings;
  const application = world.state.applications.get(applicationId) ?? null;
  const keys = connectionRevocationKeys({ ...attempt, ...account }, PROVIDER_TRAITS[provider]);
  const existing = findLive(world, attempt, account.providerAccountId);
  return {
    attempt,
    application,
    previewTemplate: previewOriginTemplate,
    registration: findPublishedRegistration(world, applicationId, provider),
    target: world.state.connections.get(attempt.reconnectConnectionId ?? "") ?? null,
    isRevokeSettling: isRevokeSettling(world, applicationId, attempt, provider),
    isAccountRevoked: findRevocationSince(world, keys, attempt.exchangeGeneration ?? 0) !== null,
    mayConnect: mode === "live" || (application !== null && isTester(application, attempt, consented)),
    granted,
    account,
    existing: existing && { hasGrant: grantOfConnection(world, existing.id) !== null },
    connectionId: existing?.id ?? world.newId(),
  };
}

function isTester({ testers }: Application, { provider }: ConnectAttempt, consented: ConsentedAccount): boolean {
  if (testers === "everyone") return !consented.notATester;
  const { providerAccountId } = consented.account;
  return testers.some((one) => one.provider === provider && one.providerAccountId === providerAccountId);
}

function applyFollowUp(world: World, followUp: LinkFollowUp, given: Grant): void {
  const { connections, content, grants } = world.state;
  switch (followUp.type) {
    case "CREATE_CONNECTION":
      connections.set(followUp.connection.id, { ...NEW_CONNECTION, ...followUp.connection });
      return;
    case "UPDATE_CONNECTION":
      patchConnection(world, found(connections, followUp.id, "connection"), followUp.patch);
      return;
    case "DELETE_METRICS": {
      const posts = content.get(followUp.connectionId);
      for (const [id, post] of posts ?? []) posts?.set(id, { ...post, metrics: [] });
      return;
    }
    case "ATTACH_GRANT":
      Object.assign(given, followUp.patch);
      return;
    case "REPLACE_GRANT":
      replaceGrant(world, followUp, given);
      grants.delete(given.id);
      return;
    case "ENQUEUE_INITIAL_READS":
      enqueueInitialReads(world, found(connections, followUp.connectionId, "connection"));
  }
}

const NEW_CONNECTION = {
  triedAt: null,
  lastSuccessfulSyncAt: null,
  nextScanAt: null,
  nextProfileAt: null,
  revokeJobId: null,
  eraseJobId: null,
};

function findLive(world: World, attempt: ConnectAttempt, providerAccountId: string): Connection | null {
  for (const one of world.state.connections.values()) {
    if (one.applicationId !== attempt.applicationId || one.provider !== attempt.provider) continue;
    if (!isSameScope(one, attempt) || isDisconnected(one.status)) continue;
    if (one.providerAccountId === providerAccountId) return one;
  }
  return null;
}

function replaceGrant(
  world: World,
  { connectionId, patch }: Extract<LinkFollowUp, { type: "REPLACE_GRANT" }>,
  { accessTokenExpiresAt, hasRefreshToken, refreshTokenExpiresAt, providerGrantId }: Grant,
): void {
  const stored = grantOfConnection(world, connectionId);
  if (stored === null) return;
  const refresh = hasRefreshToken ? { hasRefreshToken, refreshTokenExpiresAt } : {};
  const version = stored.version + 1;
  const fence = { version, renewalUnanswered: false };
  Object.assign(stored, { ...patch, accessTokenExpiresAt, ...refresh, providerGrantId, ...fence });
}
