import { describe, expect, test } from "vitest";
import { addMs } from "../time/time.ts";
import {
  CONFIRMATION_AGE_MS,
  decideConfirmSession,
  decideOpenSession,
  decideSessionUse,
  decideSignOut,
  needsConfirmation,
  SESSION_IDLE_MS,
  SESSION_LIFETIME_MS,
  signInCallbackOutcome,
} from "./adminSession.ts";

const NOW = new Date("2026-05-01T12:00:00Z");
const admin = { id: "a1", email: "ada@shop.example" };
const target = { type: "ADMIN", id: "a1" };
const session = {
  authenticatedAt: addMs(NOW, -60_000),
  memberId: "a1",
  expiresAt: addMs(NOW, 1),
  lastSeenAt: addMs(NOW, 1 - SESSION_IDLE_MS),
};

test("a confirmation is valid for five minutes and not a millisecond longer", () => {
  expect(needsConfirmation(addMs(NOW, -CONFIRMATION_AGE_MS), NOW)).toBe(false);
  expect(needsConfirmation(addMs(NOW, -CONFIRMATION_AGE_MS - 1), NOW)).toBe(true);
});

test.each([
  ["in time", { expiresAt: addMs(NOW, 1), isUsed: false }, "code=c", null],
  ["declined", { expiresAt: addMs(NOW, 1), isUsed: false }, "error=access_denied", "denied"],
  ["late", { expiresAt: NOW, isUsed: false }, "error=access_denied", "unknown-state"],
  ["used before", { expiresAt: addMs(NOW, 1), isUsed: true }, "error=access_denied", "unknown-state"],
] as const)("a sign-in callback that is %s", (_, signIn, query, expected) => {
  expect(signInCallbackOutcome(signIn, new URLSearchParams(query), NOW)).toBe(expected);
});

const signedIn = (before: Date | null, after: Date | null) => [
  { field: "signedInAt", before: before?.toISOString() ?? null, after: after?.toISOString() ?? null },
];

describe("opening a session", () => {
  test("gives it 12 hours, with its audit entry", () => {
    expect(decideOpenSession(admin, addMs(NOW, -1), NOW)).toEqual({
      patch: {
        memberId: "a1",
        authenticatedAt: addMs(NOW, -1),
        createdAt: NOW,
        lastSeenAt: NOW,
        expiresAt: addMs(NOW, SESSION_LIFETIME_MS),
      },
      followUps: [],
      audit: {
        action: "Admin signed in",
        summary: "ada@shop.example signed in to the panel.",
        target,
        changes: signedIn(null, addMs(NOW, -1)),
      },
    });
  });

  test("takes no authentication time from the future", () => {
    expect(decideOpenSession(admin, addMs(NOW, 1), NOW).patch.authenticatedAt).toEqual(NOW);
  });
});

describe("confirming a session", () => {
  test("keeps its end", () => {
    expect(decideConfirmSession(session, admin, addMs(NOW, 1), NOW)).toEqual({
      patch: { authenticatedAt: NOW, lastSeenAt: NOW },
      followUps: [],
      audit: {
        action: "Admin confirmed",
        summary: "ada@shop.example confirmed who they are.",
        target,
        changes: signedIn(session.authenticatedAt, NOW),
      },
    });
  });

  test.each([
    ["is unknown", null],
    ["belongs to another admin", { ...session, memberId: "a2" }],
    ["expires now", { ...session, expiresAt: NOW }],
    ["was idle for an hour", { ...session, lastSeenAt: addMs(NOW, -SESSION_IDLE_MS) }],
  ])("is refused for a session that %s", (_, stored) => {
    expect(decideConfirmSession(stored, admin, NOW, NOW)).toMatchObject({ code: "UNAUTHENTICATED" });
  });
});

test.each([
  ["unknown", null, "UNAUTHENTICATED"],
  ["within its idle hour", session, NOW],
  ["at its end", { ...session, expiresAt: NOW }, "UNAUTHENTICATED"],
  ["after an idle hour", { ...session, lastSeenAt: addMs(NOW, -SESSION_IDLE_MS) }, "UNAUTHENTICATED"],
  ["used more than a second ago", { ...session, lastSeenAt: addMs(NOW, -1_001) }, NOW],
  ["used a second ago", { ...session, lastSeenAt: addMs(NOW, -1_000) }, null],
])("a call with a session %s", (_, stored, expected) => {
  const use = decideSessionUse(stored, NOW);
  expect(use && ("code" in use ? use.code : use.patch.lastSeenAt)).toEqual(expected);
});

test("signing out is audited once", () => {
  expect(decideSignOut(admin, { authenticatedAt: NOW })).toMatchObject({
    audit: {
      action: "Admin signed out",
      summary: "ada@shop.example signed out of the panel.",
      target,
      changes: signedIn(NOW, null),
    },
  });
  expect(decideSignOut(admin, null)).toBeNull();
});
