import {
  ADMIN_KEY_SCOPES,
  type AdminKeyScope,
  CAPABILITIES,
  type Capability,
  LIMITS,
  SOCIAL_PROVIDERS,
  type SocialProvider,
} from "@social-connect/contract";
import { keyExpiry, NO_BRANDING, PROVIDER_TRAITS, SYSTEM_ACTOR_NAME } from "@social-connect/domain";
import { randomFor, randomHex, randomUuid, seedOf } from "@social-connect/provider-fixtures";
import { defaultScopes } from "../providers/scopes.ts";
import { mockAddresses, providerIssuer } from "../state/addresses.ts";
import { emptyProviderState } from "../state/providerState.ts";
import type { Settings } from "../state/settings.ts";
import type { AdminKey, Application, MockState } from "../state/state.ts";
import { sha256Hex } from "../util/hash.ts";
import { SWEEP_EVERY_MS } from "./schedule.ts";

/** An application. By default it has every permission. */
export interface ApplicationOptions {
  /** `app` by default; generated for a further application. */
  readonly slug?: string;
  /** `acme` and `globex` by default. */
  readonly tenantKeys?: readonly string[];
  /** `https://app.example.test` by default, with the slug as the first label. */
  readonly webOrigins?: readonly string[];
  /** `/connected` on the first origin by default. */
  readonly returnUrls?: readonly string[];
  /** `/signed-in` on the first origin by default. */
  readonly identityReturnUrls?: readonly string[];
  /** All by default. */
  readonly providers?: readonly SocialProvider[];
  /** All by default. */
  readonly capabilities?: readonly Capability[];
  /** Whether it may start the identity handoff; true by default. */
  readonly idpIdentityEnabled?: boolean;
  /** Accounts that may connect in sandbox mode; by default every account except `not-a-tester`. */
  readonly testers?: Application["testers"];
}

/** The key of the default application. It follows from the seed, so snapshots do not contain it. */
export function defaultKey(seed: string): { readonly keyId: string; readonly secret: string } {
  const random = randomFor("application-key", seed);
  return { keyId: randomUuid(random), secret: randomHex(random, 32) };
}

export function defaultApplicationId(seed: string): string {
  return randomUuid(randomFor("application", seed));
}

/** The initial state: one application with a key, and a published registration of each provider. */
export function initialState(
  seed: string,
  startedAt: Date,
  clockMs: number,
  {
    application: options,
    ...settings
  }: { readonly application: ApplicationOptions } & Pick<Settings, "connectHost" | "mode">,
): MockState {
  const { mode } = settings;
  const application = newApplication(defaultApplicationId(seed), options, startedAt);
  const key = defaultKey(seed);
  const state: MockState = {
    seed,
    random: seedOf(`state ${seed}`),
    clockMs,
    startedAt,
    schedule: [{ atMs: startedAt.getTime() + SWEEP_EVERY_MS, what: "sweep", id: "" }],
    applications: new Map([[application.id, application]]),
    applicationKeys: new Map([
      [
        key.keyId,
        {
          id: key.keyId,
          applicationId: application.id,
          secretHash: sha256Hex(key.secret),
          createdAt: startedAt,
          expiresAt: null,
          lastUsedAt: null,
          revokedAt: null,
        },
      ],
    ]),
    registrations: new Map(),
    connectAttempts: new Map(),
    identityAttempts: new Map(),
    connections: new Map(),
    grants: new Map(),
    jobs: new Map(),
    content: new Map(),
    settlements: new Map(),
    dataDeletions: new Map(),
    revocations: new Map(),
    revocationCount: 0,
    eventEndpoints: new Map(),
    events: new Map(),
    eventDeliveries: new Map(),
    eventFaults: [],
    sentEvents: [],
    ...adminState(seed, startedAt, mode),
    providers: emptyProviderState(),
    heldApplicationIds: [],
    faults: [],
    calls: [],
  };
  for (const provider of SOCIAL_PROVIDERS) {
    const id = randomUuid(randomFor("registration", seed, provider));
    state.registrations.set(id, {
      id,
      provider,
      status: "PUBLISHED",
      clientId: `mock-${provider.toLowerCase().replace("_", "-")}`,
      addresses: mockAddresses(providerIssuer(settings, provider), PROVIDER_TRAITS[provider].canRevoke),
      capabilities: [...CAPABILITIES],
      scopes: defaultScopes(provider),
      allApplications: true,
      applicationIds: [],
      quota: null,
      createdAt: startedAt,
      updatedAt: startedAt,
    });
  }
  return state;
}

export const FIRST_ADMIN_EMAIL = "admin@example.test";

/** A default API key of the first admin. It follows from the seed. */
export function defaultAdminKey(
  seed: string,
  scope: AdminKeyScope,
): { readonly keyId: string; readonly secret: string } {
  const random = randomFor("admin-key", seed, scope);
  return { keyId: randomUuid(random), secret: randomHex(random, 32) };
}

export function firstAdminId(seed: string): string {
  return randomUuid(randomFor("admin", seed));
}

function adminState(seed: string, startedAt: Date, mode: Settings["mode"]) {
  const memberId = firstAdminId(seed);
  const keys = ADMIN_KEY_SCOPES.map((scope, index): [string, AdminKey] => {
    const { keyId, secret } = defaultAdminKey(seed, scope);
    return [
      keyId,
      {
        id: keyId,
        order: index + 1,
        memberId,
        createdBy: FIRST_ADMIN_EMAIL,
        label: `mock ${scope.toLowerCase()}`,
        scope,
        secretHash: sha256Hex(secret),
        createdAt: startedAt,
        expiresAt: keyExpiry(startedAt, LIMITS.adminKeyLifetimeDays[mode]),
        firstUsedAt: null,
        lastUsedAt: null,
        revokedAt: null,
      },
    ];
  });
  return {
    members: new Map([
      [memberId, { id: memberId, email: FIRST_ADMIN_EMAIL, addedAt: startedAt, addedBy: SYSTEM_ACTOR_NAME }],
    ]),
    adminKeys: new Map(keys),
    auditEntries: [],
  };
}

export function newApplication(id: string, options: ApplicationOptions, now: Date): Application {
  const { slug = "app", webOrigins = ["https://app.example.test"] } = options;
  const [origin = ""] = webOrigins;
  return {
    id,
    slug,
    displayName: slug,
    enabled: true,
    webOrigins: [...webOrigins],
    returnUrls: [...(options.returnUrls ?? [`${origin}/connected`])],
    identityReturnUrls: [...(options.identityReturnUrls ?? [`${origin}/signed-in`])],
    providers: [...(options.providers ?? SOCIAL_PROVIDERS)],
    capabilities: [...(options.capabilities ?? CAPABILITIES)],
    tenantKeys: [...(options.tenantKeys ?? ["acme", "globex"])],
    previewOriginsEnabled: false,
    previewReturnPaths: [],
    idpIdentityEnabled: options.idpIdentityEnabled ?? true,
    ...NO_BRANDING,
    testers: options.testers ?? "everyone",
    createdAt: now,
    updatedAt: now,
  };
}
