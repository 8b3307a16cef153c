import { asUuid, type ConnectInput, decideCreateConnectSession, enforce, isRefusal } from "@social-connect/domain";
import type { Connection } from "../../state/state.ts";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import type { Caller } from "../applications/authenticate.ts";
import { findConnectionOfScope } from "../connections/findConnection.ts";
import { findPublishedRegistration } from "../registrations/findRegistration.ts";
import { isRevokeSettling, recentAttempts, unfinishedAttempts } from "./attempts.ts";

/**
 * Starts a connect attempt. The launch token is returned only here; the state has its hash. Source: service description,
 * part 4, createConnectSession.
 */
export function createConnectSession(world: World, { application }: Caller, input: ConnectInput) {
  const { provider, scope } = input;
  const { strict, previewOriginTemplate: previewTemplate, connectHost } = world.settings;
  const target = findTarget(world, application.id, input);
  const unfinished = unfinishedAttempts(world, application.id, scope, provider);
  const facts = {
    application,
    previewTemplate,
    target,
    targetStatus: target?.status ?? null,
    isRevokeSettling: isRevokeSettling(world, application.id, scope, provider),
    registration: findPublishedRegistration(world, application.id, provider),
    unfinished: unfinished.map(({ expiresAt }) => expiresAt),
    newest: unfinished.at(-1)?.createdAt ?? null,
    recent: recentAttempts(world, world.state.connectAttempts, application.id),
  };
  const decision = decideCreateConnectSession(facts, input, world.now());
  // The contract does not define the seconds, so strict mode omits them.
  const isLimited = strict && isRefusal(decision) && decision.code === "RATE_LIMITED";
  const { patch } = enforce(isLimited ? { code: decision.code, message: decision.message } : decision);
  const id = world.newId();
  const launchToken = world.newSecret();
  world.state.connectAttempts.set(id, {
    ...patch,
    id,
    exchangeGeneration: null,
    launchTokenHash: sha256Hex(launchToken),
    stateHash: null,
    browserHash: null,
  });
  const { expiresAt, resultExpiresAt } = patch;
  return { id, launchUrl: `${connectHost}/api/connect/redeem`, launchToken, expiresAt, resultExpiresAt };
}

function findTarget(world: World, applicationId: string, input: ConnectInput): Connection | null {
  const id = asUuid(input.reconnectConnectionId ?? "");
  return id === null ? null : findConnectionOfScope(world, applicationId, input.scope, id);
}
