import { CAPABILITIES, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import {
  clientIdHint,
  effectiveQuota,
  PROVIDER_TRAITS,
  providerSlug,
  shownOverride,
  shownQuota,
  unavailableReason,
} from "@social-connect/domain";
import { PROVIDERS } from "../../providers/providers.ts";
import { defaultScopes } from "../../providers/scopes.ts";
import { mockAddresses, providerCallback, providerIssuer } from "../../state/addresses.ts";
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
    scopes: scopesView(scopes),
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

/** The data for registering the service at a provider: here, the mock's own pages. */
export function providerSetup({ settings }: World, provider: SocialProvider) {
  const { messages } = PROVIDERS[provider];
  const slug = providerSlug(provider);
  const addressOf = (message: (typeof messages)[number], path: string) =>
    messages.includes(message) ? `${settings.connectHost}/api/connect/${path}` : null;
  return {
    provider,
    publicApiName: `The mock's ${provider}`,
    publicAddresses: mockAddresses(providerIssuer(settings, provider), PROVIDER_TRAITS[provider].canRevoke),
    publicScopes: scopesView(defaultScopes(provider)),
    redirectUri: providerCallback(settings, provider),
    deauthorizationUrl: addressOf("deauthorization", `deauthorize/${slug}`),
    webhookUrl: addressOf("webhook", `${slug}/webhook`),
    dataDeletionUrl: addressOf("data-deletion", `${slug}/data-deletion`),
    canRevoke: PROVIDER_TRAITS[provider].canRevoke,
  };
}

function scopesView(scopes: Registration["scopes"]) {
  return CAPABILITIES.map((capability) => ({ capability, scopes: scopes[capability] }));
}

function clientsOf(world: World, { applicationIds }: Registration) {
  return applicationIds.flatMap((id) => world.state.applications.get(id) ?? []);
}
