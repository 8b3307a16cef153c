import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import type { DisconnectFacts, LinkOptions, ScenarioBuilder } from "./builder.ts";
import { scenario } from "./scenario.ts";

export const CONNECTIONS = {
  connected: scenario({
    summary: "An account has just been linked and has not been read.",
    reaches: {
      ConnectionStatus: ["CONNECTED"],
      SyncStatus: ["PENDING"],
      JobStatus: ["QUEUED"],
      incompleteReason: ["SCAN_RUNNING"],
      code: ["NOT_FOUND", "UNAUTHENTICATED"],
    },
    seenBy: ["connections", "syncJob", "content", "connection"],
    prepare: (builder) => builder.link(),
  }),

  "connected-everywhere": scenario({
    summary: "The person has linked an account at each provider, and all have been read.",
    reaches: {
      ConnectionStatus: ["CONNECTED"],
      SocialProvider: SOCIAL_PROVIDERS,
      ContentKind: ["VIDEO", "IMAGE", "CAROUSEL"],
    },
    seenBy: ["connections", "content"],
    prepare: async (builder) => ({
      providerA: await builder.linkAndRead({ provider: "PROVIDER_A" }),
      providerB: await builder.linkAndRead({ provider: "PROVIDER_B" }),
      providerC: await builder.linkAndRead({ provider: "PROVIDER_C" }),
    }),
  }),

  "many-connections": scenario({
    summary: "The person has linked 45 accounts, more than two pages.",
    reaches: { ConnectionStatus: ["CONNECTED"] },
    seenBy: ["connections"],
    prepare: (builder) => {
      const numbers = Array.from({ length: 45 }, (_, index) => index + 1);
      return { connectionIds: numbers.map((number) => builder.link({ account: `channel-${number}` }).connectionId) };
    },
  }),

  "partly-granted": scenario({
    summary: "The person has granted only the profile, although posts were requested too.",
    reaches: { Capability: ["PROFILE"], code: ["CAPABILITY_UNAVAILABLE"] },
    seenBy: ["connections", "content"],
    prepare: async (builder) => {
      const linked = builder.link({ provider: "PROVIDER_B", account: "partial-scopes" });
      await builder.mock.settle();
      return linked;
    },
  }),

  suspended: scenario({
    summary: "An account is SUSPENDED, because another account of the person at the provider is being disconnected.",
    reaches: {
      ConnectionStatus: ["SUSPENDED"],
      SyncStatus: ["STALE"],
      Availability: ["UNAVAILABLE"],
      reason: ["AUTHORIZATION_SUSPENDED"],
      code: ["AUTHORIZATION_SUSPENDED", "FORBIDDEN"],
    },
    seenBy: ["connections", "content", "createConnectSession"],
    prepare: async (builder) => {
      const suspended = await builder.linkAndRead({ account: "sibling-1" });
      const leaving = await builder.linkAndRead({ account: "sibling-2" });
      builder.disconnect(leaving.connectionId);
      return { ...suspended, leavingConnectionId: leaving.connectionId };
    },
  }),

  "reconnect-required": scenario({
    summary: "An account's grant has ended after its posts were read. The person has to reconnect.",
    reaches: {
      ConnectionStatus: ["RECONNECT_REQUIRED"],
      SyncStatus: ["STALE"],
      reason: ["RECONNECT_REQUIRED"],
      code: ["RECONNECT_REQUIRED"],
    },
    seenBy: ["connections", "content"],
    prepare: async (builder) => {
      const read = await builder.linkAndRead();
      builder.mock.connection(read.connectionId).loseGrant();
      return read;
    },
  }),

  "disconnect-settling": scenario({
    summary: "An account was just disconnected: both jobs are queued, and a reconnect is refused.",
    reaches: {
      ConnectionStatus: ["DISCONNECTED"],
      reason: ["DISCONNECT_IN_PROGRESS"],
      code: ["DISCONNECT_IN_PROGRESS"],
      JobStatus: ["CANCELED"],
      errorCode: ["DISCONNECTED"],
    },
    seenBy: ["connections", "syncJob", "createConnectSession"],
    prepare: async (builder) => {
      const { connectionId } = await builder.linkAndRead();
      const canceledJobId = builder.refresh(connectionId);
      return { ...builder.disconnect(connectionId), canceledJobId };
    },
  }),

  "disconnect-retrying": scenario({
    summary: "The provider was unavailable for two revokes. Content is erased, and the revoke will be retried.",
    reaches: { ConnectionStatus: ["DELETING"], JobStatus: ["QUEUED"] },
    seenBy: ["connections", "syncJob"],
    prepare: async (builder) => {
      const { connectionId } = await builder.linkAndRead({ account: "revoke-fails-twice" });
      const facts = builder.disconnect(connectionId);
      await builder.stepToRetry(facts.revokeJobId);
      return facts;
    },
  }),

  disconnected: scenario({
    summary: "An account was disconnected, its grant revoked and everything erased. The receipts remain.",
    reaches: { JobStatus: ["SUCCEEDED"], code: ["NOT_FOUND"] },
    seenBy: ["connection", "syncJob"],
    prepare: (builder) => disconnected(builder),
  }),

  "disconnect-needs-person": scenario({
    summary: "An account was disconnected at a provider without revocation. The person has to remove the app there.",
    reaches: {
      ConnectCreatorAction: ["REMOVE_APP_AT_PROVIDER"],
      errorCode: ["REVOKE_UNSUPPORTED"],
      JobStatus: ["FAILED"],
    },
    seenBy: ["syncJob"],
    prepare: (builder) => disconnected(builder, { provider: "PROVIDER_C" }),
  }),

  "disconnect-rejected": scenario({
    summary: "The provider has permanently rejected the revoke. All stored data is erased.",
    reaches: { ConnectCreatorAction: ["REMOVE_APP_AT_PROVIDER"], errorCode: ["REVOKE_REJECTED"] },
    seenBy: ["syncJob"],
    prepare: (builder) => disconnected(builder, { account: "revoke-rejected" }),
  }),
} as const;

async function disconnected(builder: ScenarioBuilder, options?: LinkOptions): Promise<DisconnectFacts> {
  const { connectionId } = await builder.linkAndRead(options);
  const facts = builder.disconnect(connectionId);
  await builder.mock.settle();
  return facts;
}
