import { REGISTRATION_STATUSES } from "@social-connect/contract";
import { expect, test } from "vitest";
import { mayChangeRegistration, moveRegistration } from "./registration.ts";

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

test("only a published registration's addresses are fixed", () => {
  expect(REGISTRATION_STATUSES.filter((status) => !mayChangeRegistration(status))).toEqual(["PUBLISHED"]);
});
