import { CAPABILITIES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import {
  clientIdHint,
  effectiveQuota,
  PROVIDER_TRAITS,
  shownOverride,
  shownQuota,
  unavailableReason,
} from "@social-connect/domain";
import type { Registration } from "../../state/state.ts";
import type { World } from "../../world/world.ts";

export function listRegistrations(world: World) {
  const all = [...world.state.registrations.values()].toReversed();
  return SOCIAL_PROVIDERS.flatMap((provider) => all.filter((one) => one.provider === provider)).map((one) =>
    registrationView(world, one),
  );
}

export function registrationView(world: World, registration: Registration) {
  const { id, provider, status, clientId, capabilities, allApplications, updatedAt } = registration;
  const applications = allApplications
    ? null
    : clientsOf(world, registration)
        .map(({ slug }) => slug)
        .sort();
  return { id, provider, status, clientIdHint: clientIdHint(clientId), capabilities, applications, updatedAt };
}

export function registrationDetail(world: World, registration: Registration) {
  const { scopes, applicationIds, allApplications, quota, ...rest } = registration;
  const usual = PROVIDER_TRAITS[registration.provider].quota;
  const clients = clientsOf(world, registration).sort((one, other) => (one.slug < other.slug ? -1 : 1));
  const connections = [...world.state.connections.values()];
  return {
    ...rest,
    scopes: CAPABILITIES.map((capability) => ({ capability, scopes: scopes[capability] })),
    clientIds: allApplications ? null : applicationIds.toSorted(),
    clients: allApplications ? null : clients,
    quota: shownQuota(effectiveQuota(usual, quota)),
    defaultQuota: shownQuota(usual),
    quotaOverride: shownOverride(quota),
    // The mock counts no calls of its providers.
    quotaUse: [],
    connectionCount: connections.filter(({ registrationId }) => registrationId === registration.id).length,
  };
}

export function readProviderAvailability(world: World) {
  return SOCIAL_PROVIDERS.map((provider) => {
    const rows = [...world.state.registrations.values()].filter((one) => one.provider === provider);
    const reason = unavailableReason(rows.map(({ status }) => status));
    return { provider, available: reason === null, reason };
  });
}

function clientsOf(world: World, { applicationIds }: Registration) {
  return applicationIds.flatMap((id) => world.state.applications.get(id) ?? []);
}
