import { scenario } from "./scenario.ts";

/** Linked accounts in every status, from just linked to erased. */
export const CONNECTIONS = {
  connected: scenario({
    summary: "An account has just been linked, and nothing of it has been read yet.",
    reaches: [
      "ConnectionStatus.CONNECTED",
      "SyncStatus.PENDING",
      "JobStatus.QUEUED",
      "incompleteReason.SCAN_RUNNING",
      "code.NOT_FOUND",
      "code.UNAUTHENTICATED",
    ],
    seenBy: ["connections", "syncJob", "content", "connection"],
    prepare: (builder) => builder.link(),
  }),

  "connected-everywhere": scenario({
    summary: "The person has linked an account at each of the three providers, and all of them are read.",
    reaches: [
      "ConnectionStatus.CONNECTED",
      "SocialProvider.PROVIDER_A",
      "SocialProvider.PROVIDER_B",
      "SocialProvider.PROVIDER_C",
      "ContentKind.VIDEO",
      "ContentKind.IMAGE",
      "ContentKind.CAROUSEL",
    ],
    seenBy: ["connections", "content"],
    prepare: async (builder) => ({
      providerA: await builder.linkAndRead({ provider: "PROVIDER_A" }),
      providerB: await builder.linkAndRead({ provider: "PROVIDER_B" }),
      providerC: await builder.linkAndRead({ provider: "PROVIDER_C" }),
    }),
  }),

  "many-connections": scenario({
    summary: "The person has linked 45 accounts: more than two pages of them.",
    reaches: ["ConnectionStatus.CONNECTED"],
    seenBy: ["connections"],
    prepare: (builder) => {
      const numbers = Array.from({ length: 45 }, (_, index) => index + 1);
      return { connectionIds: numbers.map((number) => builder.link({ account: `channel-${number}` }).connectionId) };
    },
  }),

  "partly-granted": scenario({
    summary: "The person has granted the profile alone, although posts were asked for too.",
    reaches: ["Capability.PROFILE", "code.CAPABILITY_UNAVAILABLE"],
    seenBy: ["connections", "content"],
    prepare: async (builder) => {
      const linked = builder.link({ provider: "PROVIDER_B", account: "partial-scopes" });
      await builder.mock.settle();
      return linked;
    },
  }),

  suspended: scenario({
    summary: "An account is SUSPENDED, because the same person's other account there is being disconnected.",
    reaches: [
      "ConnectionStatus.SUSPENDED",
      "SyncStatus.STALE",
      "Availability.UNAVAILABLE",
      "reason.AUTHORIZATION_SUSPENDED",
      "code.AUTHORIZATION_SUSPENDED",
      "code.FORBIDDEN",
    ],
    seenBy: ["connections", "content", "createConnectSession"],
    prepare: async (builder) => {
      const suspended = await builder.linkAndRead({ account: "sibling-1" });
      const leaving = await builder.linkAndRead({ account: "sibling-2" });
      builder.disconnect(leaving.connectionId);
      return { ...suspended, leavingConnectionId: leaving.connectionId };
    },
  }),

  "reconnect-required": scenario({
    summary: "An account's grant is gone, after its posts had been read. The person has to connect again.",
    reaches: [
      "ConnectionStatus.RECONNECT_REQUIRED",
      "SyncStatus.STALE",
      "reason.RECONNECT_REQUIRED",
      "code.RECONNECT_REQUIRED",
    ],
    seenBy: ["connections", "content"],
    prepare: async (builder) => {
      const read = await builder.linkAndRead();
      builder.mock.connection(read.connectionId).loseGrant();
      return read;
    },
  }),

  "disconnect-settling": scenario({
    summary: "An account was disconnected a moment ago: both jobs wait, and a reconnect of it is refused.",
    reaches: [
      "ConnectionStatus.DISCONNECTED",
      "reason.DISCONNECT_IN_PROGRESS",
      "code.DISCONNECT_IN_PROGRESS",
      "JobStatus.CANCELED",
      "errorCode.DISCONNECTED",
    ],
    seenBy: ["connections", "syncJob", "createConnectSession"],
    prepare: async (builder) => {
      const { connectionId } = await builder.linkAndRead();
      const canceledJobId = builder.refresh(connectionId);
      return { ...builder.disconnect(connectionId), canceledJobId };
    },
  }),

  "disconnect-retrying": scenario({
    summary: "The provider has refused twice to take the grant back; content is erased, the revoke is tried again.",
    reaches: ["ConnectionStatus.DELETING", "JobStatus.QUEUED"],
    seenBy: ["connections", "syncJob"],
    prepare: async (builder) => {
      const { connectionId } = await builder.linkAndRead({ account: "revoke-fails-twice" });
      const facts = builder.disconnect(connectionId);
      while (builder.mock.job(facts.revokeJobId).state.nextRetryAt === null) await builder.mock.step();
      return facts;
    },
  }),

  disconnected: scenario({
    summary: "An account was disconnected, its grant given back and everything erased; the receipts are left.",
    reaches: ["JobStatus.SUCCEEDED", "code.NOT_FOUND"],
    seenBy: ["connection", "syncJob"],
    prepare: async (builder) => {
      const { connectionId } = await builder.linkAndRead();
      const facts = builder.disconnect(connectionId);
      await builder.mock.settle();
      return facts;
    },
  }),

  "disconnect-needs-person": scenario({
    summary:
      "An account was disconnected at a provider that takes no grant back: the person has to remove the app there.",
    reaches: ["ConnectCreatorAction.REMOVE_APP_AT_PROVIDER", "errorCode.REVOKE_UNSUPPORTED", "JobStatus.FAILED"],
    seenBy: ["syncJob"],
    prepare: async (builder) => {
      const { connectionId } = await builder.linkAndRead({ provider: "PROVIDER_C" });
      const facts = builder.disconnect(connectionId);
      await builder.mock.settle();
      return facts;
    },
  }),

  "disconnect-rejected": scenario({
    summary: "The provider has refused for good to take the grant back; everything stored is erased all the same.",
    reaches: ["ConnectCreatorAction.REMOVE_APP_AT_PROVIDER", "errorCode.REVOKE_REJECTED"],
    seenBy: ["syncJob"],
    prepare: async (builder) => {
      const { connectionId } = await builder.linkAndRead({ account: "revoke-rejected" });
      const facts = builder.disconnect(connectionId);
      await builder.mock.settle();
      return facts;
    },
  }),
} as const;
