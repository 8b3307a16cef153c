import { attemptsToEnd, type EndAttempts, hasPassed, isUnfinished, type OpenAttempts } from "@social-connect/domain";
import type { Application, ConnectAttempt, IdentityAttempt } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { patchAttempt } from "../events/recordEvents.ts";

export function readOpenAttempts(world: World, client: Application | null): OpenAttempts {
  const { connect, identity } = openAttemptsOf(world, client?.id);
  return {
    connect: connect.map(({ status, provider, returnUrl }) => ({ status, provider, returnUrl })),
    identity: identity.map(({ returnUrl }) => ({ returnUrl })),
  };
}

export function endAttempts(world: World, client: Application, followUps: readonly EndAttempts[]): number {
  const ended = new Set<ConnectAttempt | IdentityAttempt>();
  const { connect, identity } = openAttemptsOf(world, client.id);
  for (const { type, attempts, patch } of followUps) {
    const concerned: readonly (ConnectAttempt | IdentityAttempt)[] =
      type === "END_IDENTITY_ATTEMPTS"
        ? identity
        : connect.filter((one) => one.status === attempts.status && one.provider === attempts.provider);
    for (const one of concerned) if (one.returnUrl === attempts.returnUrl) ended.add(patchAttempt(world, one, patch));
  }
  return ended.size;
}

/** Ends the attempts that the client's settings no longer allow, after a test has changed them. */
export function endDisallowedAttempts(world: World, client: Application): void {
  const { previewOriginTemplate } = world.settings;
  endAttempts(world, client, attemptsToEnd(client, readOpenAttempts(world, client), previewOriginTemplate));
}

function openAttemptsOf(world: World, clientId: string | undefined) {
  const now = world.now();
  const isOpen = (one: ConnectAttempt | IdentityAttempt) =>
    one.applicationId === clientId && !hasPassed(one.expiresAt, now);
  return {
    connect: [...world.state.connectAttempts.values()].filter((one) => isOpen(one) && isUnfinished(one.status)),
    identity: [...world.state.identityAttempts.values()].filter((one) => isOpen(one) && one.status === "PENDING"),
  };
}
