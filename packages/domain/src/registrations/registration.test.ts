import { REGISTRATION_STATUSES } from "@social-connect/contract";
import { expect, test } from "vitest";
import { clientIdHint, moveRegistration, unavailableReason } from "./registration.ts";

test("a registration moves exactly as its table says", () => {
  const moves = REGISTRATION_STATUSES.flatMap((from) =>
    (["PUBLISH", "PAUSE", "DISABLE"] as const).map((event) => `${from} ${event} ${moveRegistration(from, event)}`),
  );
  expect(moves).toEqual([
    "DRAFT PUBLISH PUBLISHED",
    "DRAFT PAUSE null",
    "DRAFT DISABLE DISABLED",
    "PUBLISHED PUBLISH null",
    "PUBLISHED PAUSE PAUSED",
    "PUBLISHED DISABLE DISABLED",
    "PAUSED PUBLISH PUBLISHED",
    "PAUSED PAUSE null",
    "PAUSED DISABLE DISABLED",
    "DISABLED PUBLISH PUBLISHED",
    "DISABLED PAUSE null",
    "DISABLED DISABLE null",
  ]);
});

test.each([
  [[], "NO_REGISTRATION"],
  [["DISABLED"], "REGISTRATION_DISABLED"],
  [["DISABLED", "DRAFT"], "REGISTRATION_DRAFT"],
  [["DRAFT", "PAUSED", "DISABLED"], "REGISTRATION_PAUSED"],
  [["DISABLED", "PUBLISHED"], null],
] as const)("a provider with registrations %j is unavailable for %s", (statuses, reason) => {
  expect(unavailableReason(statuses)).toBe(reason);
});

test("a hint distinguishes client ids and reveals nothing else", () => {
  expect(["", "short1", "longer7"].map(clientIdHint)).toEqual(["", "short1", "longer…"]);
});
