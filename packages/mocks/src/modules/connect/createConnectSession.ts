import type { ConnectInput } from "@social-connect/domain";
import {
  asUuid,
  attemptDeadlines,
  checkConnectInput,
  checkDisconnectSettled,
  checkReconnectTarget,
  checkUnfinishedAttempts,
} from "@social-connect/domain";
import type { Connection } from "../../state/state.ts";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import type { Caller } from "../applications/authenticate.ts";
import { findConnectionOfScope } from "../connections/findConnection.ts";
import { enforce, ServiceError } from "../errors.ts";
import { findPublishedRegistration } from "../registrations/findRegistration.ts";
import { isRevokeSettling, unfinishedDeadlines } from "./attempts.ts";

/**
 * Starts a connect attempt. The launch token is returned only here; the state has its hash. Source: service description,
 * part 4, createConnectSession.
 */
export function createConnectSession(world: World, { application }: Caller, input: ConnectInput) {
  const { provider, scope } = input;
  enforce(checkConnectInput(input, application, world.settings.previewOriginTemplate));
  const now = world.now();
  const target = findTarget(world, application.id, input);
  if (input.reconnectConnectionId != null) enforce(checkReconnectTarget(target, provider));
  enforce(checkDisconnectSettled(isRevokeSettling(world, application.id, scope, provider)));
  const registration = findPublishedRegistration(world, application.id, provider);
  if (!registration || !input.capabilities.every((capability) => registration.capabilities.includes(capability))) {
    throw new ServiceError({
      code: "FORBIDDEN",
      message: "The provider is not available to the application with these capabilities.",
    });
  }
  const limit = checkUnfinishedAttempts(unfinishedDeadlines(world, application.id, scope, provider), now);
  // The contract does not define the seconds, so strict mode omits them.
  enforce(limit !== null && world.settings.strict ? { code: limit.code, message: limit.message } : limit);

  const id = world.newId();
  const launchToken = world.newSecret();
  const deadlines = attemptDeadlines(now);
  world.state.connectAttempts.set(id, {
    id,
    applicationId: application.id,
    tenantKey: scope.tenantKey,
    externalSubjectId: scope.externalSubjectId,
    provider,
    registrationId: registration.id,
    capabilities: [...input.capabilities],
    returnUrl: input.returnUrl,
    reconnectConnectionId: target?.id ?? null,
    status: "CREATED",
    resultCode: null,
    connectionId: null,
    creatorAction: null,
    isExchanged: false,
    launchTokenHash: sha256Hex(launchToken),
    stateHash: null,
    browserHash: null,
    createdAt: now,
    ...deadlines,
  });
  return { id, launchUrl: `${world.settings.connectHost}/api/connect/redeem`, launchToken, ...deadlines };
}

function findTarget(world: World, applicationId: string, input: ConnectInput): Connection | null {
  const id = asUuid(input.reconnectConnectionId ?? "");
  return id === null ? null : findConnectionOfScope(world, applicationId, input.scope, id);
}
