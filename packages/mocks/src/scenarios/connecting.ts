import { CONNECT_RESULT_CODES, type ConnectResultCode } from "@social-connect/contract";
import type { LinkOptions, ScenarioBuilder } from "./builder.ts";
import { scenario } from "./scenario.ts";

export const CONNECTING = {
  "nothing-linked": scenario({
    summary: "The application may use every provider, and no account is linked.",
    reaches: {},
    seenBy: ["connections"],
    prepare: () => ({}),
  }),

  "connect-under-way": scenario({
    summary: "Three attempts: one is created, one waits for consent, one exchanges its code.",
    reaches: { ConnectSessionStatus: ["CREATED", "AUTHORIZING", "EXCHANGING"], code: ["BAD_USER_INPUT"] },
    seenBy: ["connectSessionResult", "createConnectSession"],
    prepare: (builder) => {
      const [created, authorizing, exchanging] = [builder.begin(), builder.begin(), builder.begin()];
      builder.mock.connect(authorizing.id).launch();
      builder.mock.connect(exchanging.id).exchanging();
      return { created, authorizingId: authorizing.id, exchangingId: exchanging.id };
    },
  }),

  "connect-ended": scenario({
    summary: "One attempt for each resultCode, and a completed one.",
    reaches: {
      ConnectSessionStatus: ["COMPLETED", "DENIED", "FAILED", "EXPIRED", "CANCELED"],
      resultCode: CONNECT_RESULT_CODES,
      ConnectCreatorAction: ["REMOVE_APP_AT_PROVIDER"],
    },
    seenBy: ["connectSessionResult"],
    prepare: endEveryWay,
  }),

  "identity-sessions": scenario({
    summary: "One identity session in each status. The completed session has a result to redeem.",
    reaches: { IdpIdentityStatus: ["PENDING", "COMPLETED", "DENIED", "FAILED", "EXPIRED"] },
    seenBy: ["redeemIdpIdentityResult"],
    prepare: async (builder) => {
      const expired = builder.beginIdentity();
      await builder.mock.identity(expired.id).expire();
      const pending = builder.beginIdentity();
      const completed = builder.beginIdentity();
      const denied = builder.beginIdentity();
      const failed = builder.beginIdentity();
      builder.mock.identity(completed.id).signIn("ada");
      builder.mock.identity(denied.id).deny();
      builder.mock.identity(failed.id).fail();
      return { pending, completed, denied, failed, expired };
    },
  }),
} as const;

async function endEveryWay(
  builder: ScenarioBuilder,
): Promise<{ readonly completedId: string; readonly byResultCode: Readonly<Record<ConnectResultCode, string>> }> {
  const { mock } = builder;
  const begin = (options?: LinkOptions) => builder.begin(options).id;
  const expired = begin();
  await mock.connect(expired).expire();
  const linked = builder.link();
  const again = { reconnectConnectionId: linked.connectionId };

  const byResultCode: Record<ConnectResultCode, string> = {
    DEADLINE_PASSED: expired,
    USER_DENIED: mock.connect(begin()).deny().id,
    NO_CAPABILITY_GRANTED: mock.connect(begin()).deny("NO_CAPABILITY_GRANTED").id,
    PROVIDER_ERROR: mock.connect(begin()).fail("PROVIDER_ERROR").id,
    // This provider has no revocation, so only the person can end the grant.
    NOT_A_TESTER: builder.connect({ provider: "PROVIDER_C", account: "not-a-tester" }).id,
    ACCOUNT_MISMATCH: builder.connect({ ...again, account: "channel-2" }).id,
    EXCHANGE_FAILED: builder.connect({ account: "exchange-refused" }).id,
    PROVIDER_UNAVAILABLE: mock.connect(begin()).fail("PROVIDER_UNAVAILABLE").id,
    POLICY_CHANGED: mock.connect(begin()).fail("POLICY_CHANGED").id,
    SUPERSEDED: mock.connect(begin(again)).cancel("SUPERSEDED").id,
    RECONNECT_TARGET_GONE: mock.connect(begin(again)).cancel("RECONNECT_TARGET_GONE").id,
    APPLICATION_DISABLED: mock.connect(begin()).cancel("APPLICATION_DISABLED").id,
  };
  return { completedId: linked.sessionId, byResultCode };
}
