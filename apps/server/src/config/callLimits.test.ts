import { expect, test } from "vitest";
import { Secret } from "../platform/secrets/secret.ts";
import { callLimits } from "./callLimits.ts";
import { readSettings } from "./settings.ts";

test("the limits follow from the pools: the share of an application shrinks while others call", () => {
  expect(callLimits(readSettings({}))).toMatchObject({
    applications: {
      lanes: {
        query: { slots: 20, share: 2, shareAlone: 16 },
        mutation: { slots: 10, share: 2, shareAlone: 5 },
      },
      shareInAll: 1,
    },
    admins: { lanes: { admin: { slots: 5, share: 5, shareAlone: 5 } }, shareInAll: 5 },
  });
});

test("a share is at least one slot", () => {
  const settings = readSettings({ DATABASE_POOL_SIZE: "2", DATABASE_READ_POOL_SIZE: "40" });
  expect(callLimits(settings)).toMatchObject({
    applications: {
      lanes: {
        query: { slots: 80, share: 8, shareAlone: 64 },
        mutation: { slots: 2, share: 1, shareAlone: 1 },
      },
      shareInAll: 4,
    },
    admins: { lanes: { admin: { slots: 1, share: 1, shareAlone: 1 } }, shareInAll: 1 },
  });
});

test("behind a pooler, which shares connections itself, there are as many slots for queries as connections", () => {
  const settings = { ...readSettings({}), databaseDirectUrl: new Secret("postgres://127.0.0.1:5432/social_connect") };
  expect(callLimits(settings).applications.lanes.query).toEqual({ slots: 10, share: 2, shareAlone: 8 });
});
