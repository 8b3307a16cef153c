import { expect, test } from "vitest";
import { Secret } from "../platform/secret.ts";
import { callLimits } from "./callLimits.ts";
import { readSettings } from "./settings.ts";

const FREQUENT_READS = new Set(["content"]);
const QUEUE = { queueLength: 64, queueMs: 15_000 };

test("the default limits follow from the pools: the share of an application shrinks while others call", () => {
  expect(callLimits(readSettings({}), FREQUENT_READS)).toEqual({
    query: {
      ...{ slots: 20, share: 2, shareInAll: 1, shareAlone: 16, operationSlots: 5, ...QUEUE },
      sharing: { operations: FREQUENT_READS, operationSlots: 16 },
    },
    mutation: { slots: 10, share: 2, shareInAll: 1, shareAlone: 5, operationSlots: 5, ...QUEUE },
    admin: { slots: 5, share: 5, shareInAll: 5, shareAlone: 5, operationSlots: 5, ...QUEUE },
  });
});

test("each setting changes its limit, and a share is at least one slot and not larger when others call", () => {
  const settings = readSettings({
    DATABASE_POOL_SIZE: "2",
    DATABASE_READ_POOL_SIZE: "40",
    CALL_SHARE_PERCENT: "60",
    CALL_SHARE_ALONE_PERCENT: "30",
    CALL_QUEUE_LENGTH: "0",
    CALL_QUEUE_SECONDS: "2",
  });
  const queue = { queueLength: 0, queueMs: 2_000 };
  expect(callLimits(settings, FREQUENT_READS)).toEqual({
    query: {
      ...{ slots: 80, share: 24, shareInAll: 12, shareAlone: 24, operationSlots: 20, ...queue },
      sharing: { operations: FREQUENT_READS, operationSlots: 64 },
    },
    mutation: { slots: 2, share: 1, shareInAll: 12, shareAlone: 1, operationSlots: 1, ...queue },
    admin: { slots: 1, share: 1, shareInAll: 1, shareAlone: 1, operationSlots: 1, ...queue },
  });
});

test("behind a pooler frequent reads use the connections of the pool, so an operation leaves half of them to others", () => {
  const settings = { ...readSettings({}), databaseDirectUrl: new Secret("postgres://127.0.0.1:5432/social_connect") };
  expect(callLimits(settings, FREQUENT_READS).query).toEqual({
    slots: 10,
    share: 2,
    shareInAll: 1,
    shareAlone: 8,
    operationSlots: 5,
    ...QUEUE,
  });
});
