import { CONNECT_SESSION_STATUSES } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { APPLICATION } from "../testing/application.ts";
import { NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import { attemptDeadlines } from "./connectAttempt.ts";
import { decideLink, type LinkFacts } from "./link.ts";

const attempt: LinkFacts["attempt"] = {
  applicationId: "application-1",
  tenantKey: "tenant",
  externalSubjectId: "subject",
  provider: "PROVIDER_A",
  registrationId: "registration-1",
  capabilities: ["PROFILE", "CONTENT_METRICS"],
  returnUrl: "https://app.example/return",
  reconnectConnectionId: null,
  status: "EXCHANGING",
  connectionId: null,
  creatorAction: null,
  createdAt: NOW,
  ...attemptDeadlines(NOW),
};
const profile = {
  providerAccountId: "account-1",
  displayName: "Ada",
  handle: "ada",
  avatarUrl: null,
  profileUrl: null,
  description: "Posts",
};
const facts: LinkFacts = {
  attempt,
  application: APPLICATION,
  previewTemplate: null,
  registration: { id: "registration-1", capabilities: ["PROFILE", "CONTENT_METRICS"] },
  target: null,
  isRevokeSettling: false,
  isAccountRevoked: false,
  mayConnect: true,
  granted: ["PROFILE", "CONTENT_METRICS"],
  account: { ...profile, providerUserKey: "user-1" },
  existing: null,
  connectionId: "connection-1",
};
const decide = (over: Partial<LinkFacts>, now = NOW) => decideLink({ ...facts, ...over }, now);
const followUps = (over: Partial<LinkFacts>) => {
  const decision = decide(over);
  return "refusedBy" in decision ? [] : decision.followUps;
};

const consent = {
  registrationId: "registration-1",
  providerUserKey: "user-1",
  status: "CONNECTED",
  capabilities: ["PROFILE", "CONTENT_METRICS"],
  profile: { ...profile, observedAt: NOW },
  nextRetryAt: null,
  suspendedByJobId: null,
  appRemovedAt: null,
  unreadableSince: null,
  refusals: {},
  cause: null,
  causeSince: null,
  updatedAt: NOW,
};
const initialReads = { type: "ENQUEUE_INITIAL_READS", connectionId: "connection-1" };

test("links a new account: completes the attempt and creates the connection with the grant", () => {
  expect(decide({})).toEqual({
    patch: { status: "COMPLETED", resultCode: null, creatorAction: null, connectionId: "connection-1" },
    followUps: [
      {
        type: "CREATE_CONNECTION",
        connection: {
          ...consent,
          id: "connection-1",
          applicationId: "application-1",
          tenantKey: "tenant",
          externalSubjectId: "subject",
          provider: "PROVIDER_A",
          providerAccountId: "account-1",
          syncStatus: "PENDING",
          scanErrorCode: null,
          createdAt: NOW,
        },
      },
      {
        type: "ATTACH_GRANT",
        patch: { attemptId: null, connectionId: "connection-1", status: "ACTIVE", updatedAt: NOW },
      },
      initialReads,
    ],
  });
});

test("a reconnect updates the connection and replaces the stored grant", () => {
  expect(followUps({ existing: { hasGrant: true } })).toEqual([
    { type: "UPDATE_CONNECTION", id: "connection-1", patch: consent },
    {
      type: "REPLACE_GRANT",
      connectionId: "connection-1",
      patch: { registrationId: "registration-1", status: "ACTIVE", updatedAt: NOW },
    },
    initialReads,
  ]);
  expect(followUps({ existing: { hasGrant: false } })).toContainEqual(
    expect.objectContaining({ type: "ATTACH_GRANT" }),
  );
});

test("a narrower reconnect deletes the metrics, and a connection without PROFILE has no profile", () => {
  const deletion = { type: "DELETE_METRICS", connectionId: "connection-1" };
  const existing = { hasGrant: true };
  expect(followUps({ existing, granted: ["PROFILE"] })).toContainEqual(deletion);
  expect(followUps({ existing })).not.toContainEqual(deletion);
  expect(followUps({ granted: ["PROFILE"] })).not.toContainEqual(deletion);
  const [update] = followUps({ existing, granted: ["CONTENT_METRICS"] });
  expect(update).toMatchObject({ patch: { capabilities: ["CONTENT_METRICS"], profile: null } });
});

describe("refuses the account,", () => {
  const reconnect = { ...attempt, reconnectConnectionId: "connection-1" };
  const connected = { status: "RECONNECT_REQUIRED", providerAccountId: "account-1" } as const;
  const reasons = [
    ["DEADLINE_PASSED", { attempt: { ...reconnect, expiresAt: NOW } }],
    ["POLICY_CHANGED", { isRevokeSettling: true }],
    ["NO_CAPABILITY_GRANTED", { granted: [] }],
    ["NOT_A_TESTER", { mayConnect: false }],
    ["ACCOUNT_MISMATCH", { attempt: reconnect, target: { ...connected, providerAccountId: "account-2" } }],
  ] as const satisfies readonly [string, Partial<LinkFacts>][];

  test.each(reasons.map(([event], index) => [event, index] as const))(
    "with %s, also when all later reasons apply",
    (event, index) => {
      expect(decide({ target: connected, ...reasons[index]?.[1] })).toEqual({ refusedBy: event });
      const later = Object.assign(
        {},
        ...reasons
          .slice(index)
          .reverse()
          .map(([, over]) => over),
      ) as Partial<LinkFacts>;
      expect(decide(later)).toEqual({ refusedBy: event });
    },
  );

  test.each([
    [{ application: null }],
    [{ application: { ...APPLICATION, enabled: false } }],
    [{ application: { ...APPLICATION, returnUrls: [] } }],
    [{ registration: null }],
    [{ registration: { id: "registration-2", capabilities: ["PROFILE", "CONTENT_METRICS"] } as const }],
    [{ registration: { id: "registration-1", capabilities: ["PROFILE"] } as const }],
    [{ isAccountRevoked: true }],
    [{ attempt: reconnect, target: null }],
    [{ attempt: reconnect, target: { ...connected, status: "DISCONNECTED" } as const }],
  ])("because the policy changed: %o", (over) => {
    expect(decide(over)).toEqual({ refusedBy: "POLICY_CHANGED" });
  });

  test.each(CONNECT_SESSION_STATUSES.filter((status) => status !== "EXCHANGING"))(
    "when the attempt is %s",
    (status) => {
      expect(decide({ attempt: { ...attempt, status } }, addMs(NOW, 3_600_000))).toEqual({
        refusedBy: "POLICY_CHANGED",
      });
    },
  );

  test("unless a reconnect returns its own account", () => {
    expect(decide({ attempt: reconnect, target: connected })).toMatchObject({ patch: { status: "COMPLETED" } });
  });
});
