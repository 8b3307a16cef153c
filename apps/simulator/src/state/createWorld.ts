import { createCatalogue } from "../accounts/catalogue.ts";
import { createPosts } from "../accounts/posts.ts";
import { createMovableClock, type TimeSource } from "../shared/clock.ts";
import type { GrantEnd } from "../shared/grantEnd.ts";
import type { App } from "../shared/http.ts";
import {
  type ByProvider,
  fixturesOf,
  type ProviderKey,
  type SimulatorClient,
  type SimulatorClients,
} from "../shared/providerKeys.ts";
import { createCodes } from "./codes.ts";
import { createConsentRequests } from "./consentRequests.ts";
import { createFaultQueue } from "./faultQueue.ts";
import { createGrants, type Grant } from "./grants.ts";
import { createLimits, type LimitSettings } from "./limits.ts";
import type { ProviderProfile } from "./providerProfile.ts";
import { createRequestLog } from "./requestLog.ts";
import type { SavedState } from "./stateFile.ts";

/** A profile with its endpoints. */
export interface Provider extends ProviderProfile {
  routes(app: App, world: World): void;
}

export interface WorldSettings {
  readonly time: TimeSource;
  readonly seed: string;
  readonly providers: ByProvider<Provider>;
  readonly clients: SimulatorClients;
  readonly limits: LimitSettings;
  readonly saved: SavedState | null;
  /** Origin of the control API and the pictures. */
  readonly baseUrl: () => string;
  /** Origin of a provider; its paths start at the root, like the real API's. */
  readonly providerUrl: (provider: ProviderKey) => string;
  readonly save: () => void;
}

export type World = ReturnType<typeof createWorld>;

export function createWorld(settings: WorldSettings) {
  const { saved, save } = settings;
  const clock = createMovableClock(settings.time, saved?.clockOffsetMs ?? 0);
  const anchor = clock.now();
  const createdAt = saved === null ? anchor : new Date(saved.createdAt);
  const catalogue = createCatalogue(saved?.accounts);
  const grants = createGrants(clock, save);
  if (saved !== null) grants.restore(saved.grants);
  return {
    createdAt,
    clock,
    providers: settings.providers,
    catalogue,
    posts: createPosts({ seed: settings.seed, createdAt, anchor }, saved?.posts),
    grants,
    codes: createCodes(clock),
    consentRequests: createConsentRequests(clock),
    faults: createFaultQueue(),
    log: createRequestLog(clock),
    limits: createLimits(clock, settings.limits),
    baseUrl: settings.baseUrl,
    providerUrl: settings.providerUrl,
    clients: (provider: ProviderKey): readonly SimulatorClient[] => settings.clients[provider] ?? [],
    client: (provider: ProviderKey, clientId: string) =>
      settings.clients[provider]?.find((client) => client.clientId === clientId),
    accountOf: (grant: Grant) => {
      const account = catalogue.byName(grant.provider, grant.accountName);
      if (account === undefined) throw new Error(`Unknown account at ${grant.provider}: ${grant.accountName}`);
      return account;
    },
    /** Ends a grant and, at some providers, the user's other grants. */
    endGrant: (grant: Grant, cause: GrantEnd) => {
      const together =
        fixturesOf(grant.provider).grantsEndTogether && cause !== "refresh-reused" && cause !== "code-reused"
          ? grants.select(
              (other) =>
                other.provider === grant.provider &&
                other.clientId === grant.clientId &&
                other.personKey === grant.personKey,
            )
          : [grant];
      for (const each of together) grants.end(each, cause);
    },
    save,
  };
}
