import { describe, expect, test } from "vitest";
import { HOUR, NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import {
  asAskedFor,
  CALL_KINDS,
  type CallKind,
  type CallRefusal,
  type CallRefusals,
  decideRefusedCall,
  endedCapabilities,
  refusalMessage,
  type TriedConnection,
} from "./callRefusals.ts";

const answer = { code: "98765", message: "Unsupported request - method type: get" };
const hours = (count: number) => addMs(NOW, count * HOUR);
/** Another connection that was read at this hour, or refused. */
const read = (hour: number): TriedConnection => ({
  ...{ triedAt: hours(hour), lastSuccessfulSyncAt: hours(hour), profileObservedAt: hours(hour), refusals: {} },
});
const refused = (kind: CallKind, hour: number): TriedConnection => ({
  ...read(hour),
  refusals: { [kind]: { lastAt: hours(hour).toISOString() } as CallRefusal },
});

/** The verdicts of refusals at these hours; the last good answer was at hour 0. */
function verdicts(
  at: readonly number[],
  others: (hour: number) => readonly TriedConnection[],
  kind: CallKind = "LIST",
) {
  let before: CallRefusals = {};
  return at.map((hour) => {
    const call = { kind, answer, before, goodAt: hours(0), others: others(hour) };
    const decided = decideRefusedCall(call, hours(hour));
    before = decided.refusals;
    return decided.verdict;
  });
}

describe("refusals of one connection over time", () => {
  const othersAreRead = (hour: number) => [read(hour), read(hour), read(hour)];
  test.each<[string, number[], string[]]>([
    ["a single refusal ends nothing, however late", [40], ["COUNTED"]],
    ["two attempts within an hour count once", [30, 30.9], ["COUNTED", "COUNTED"]],
    ["two attempts an hour apart do not end it within a day", [1, 2, 23.9], ["COUNTED", "COUNTED", "COUNTED"]],
    ["two attempts an hour apart end it after a day", [2, 23, 24], ["COUNTED", "COUNTED", "ENDED"]],
    ["the second attempt ends it if the day has passed", [23, 24], ["COUNTED", "ENDED"]],
    ["it stays ended", [23, 24, 24.1, 60], ["COUNTED", "ENDED", "ENDED", "ENDED"]],
  ])("%s", (_, at, expected) => {
    for (const kind of CALL_KINDS) expect(verdicts(at, othersAreRead, kind)).toEqual(expected);
  });

  test("asks for the next attempt after an hour, and when the day has passed", () => {
    const first = decideRefusedCall({ kind: "LIST", answer, before: {}, goodAt: NOW, others: [] }, hours(2));
    expect(first.nextTryAt).toEqual(hours(24));
    const late = decideRefusedCall({ kind: "LIST", answer, before: {}, goodAt: NOW, others: [] }, hours(23.5));
    expect(late.nextTryAt).toEqual(hours(24.5));
  });

  test("counts from the first refusal if no good answer is known, and separately for each kind of call", () => {
    const first = decideRefusedCall({ kind: "LOOKUP", answer, before: {}, goodAt: null, others: [] }, NOW);
    expect(first.refusals.LOOKUP).toMatchObject({ goodAt: NOW.toISOString(), attempts: 1, ...answer, endedAt: null });
    const other = { kind: "METRICS", answer, before: first.refusals, goodAt: null, others: [] } as const;
    expect(decideRefusedCall(other, hours(1)).refusals).toMatchObject({
      LOOKUP: { attempts: 1 },
      METRICS: { attempts: 1, since: hours(1).toISOString() },
    });
  });
});

describe("refusals of a registration", () => {
  test.each<[string, (hour: number) => readonly TriedConnection[], string]>([
    ["two of two connections are not enough", (hour) => [refused("LIST", hour)], "COUNTED"],
    ["two of three are most", (hour) => [refused("LIST", hour), read(hour)], "REGISTRATION"],
    ["two of four are half", (hour) => [refused("LIST", hour), read(hour), read(hour)], "COUNTED"],
    ["refusals of another kind do not count", (hour) => [refused("TOKEN", hour), refused("TOKEN", hour)], "COUNTED"],
    [
      "refusals of an earlier hour do not count",
      (hour) => [refused("LIST", hour - 1), refused("LIST", hour - 2)],
      "COUNTED",
    ],
  ])("%s", (_, others, verdict) => {
    expect(verdicts([3], others)).toEqual([verdict]);
  });

  test("nothing ends while most connections are refused, and a lasting refusal without another read is the registration's", () => {
    const most = (hour: number) => [refused("LIST", hour), refused("LIST", hour)];
    expect(verdicts([1, 3, 30, 60], most)).toEqual(["REGISTRATION", "REGISTRATION", "REGISTRATION", "REGISTRATION"]);
    expect(verdicts([1, 3, 24], () => [])).toEqual(["COUNTED", "COUNTED", "REGISTRATION"]);
    // Read last before the first refusal: it may be refused as well.
    expect(verdicts([2, 24], () => [read(1)])).toEqual(["COUNTED", "REGISTRATION"]);
    expect(verdicts([2, 24], () => [read(3)])).toEqual(["COUNTED", "ENDED"]);
  });
});

describe("what has ended", () => {
  const ended = (kind: CallKind): CallRefusals => ({
    [kind]: {
      ...(decideRefusedCall({ kind, answer, before: {}, goodAt: null, others: [] }, NOW).refusals[kind] as CallRefusal),
      endedAt: NOW.toISOString(),
    },
  });
  test.each([
    ["TOKEN", [], "CONNECTED"],
    ["ACCOUNT", [], "CONNECTED"],
    ["LIST", ["CONTENT_LIST"], "RECONNECT_REQUIRED"],
    ["METRICS", ["CONTENT_METRICS"], "RECONNECT_REQUIRED"],
    ["LOOKUP", ["CONTENT_LOOKUP"], "RECONNECT_REQUIRED"],
  ] as const)("%s ends %j, and a requested read finds %s", (kind, capabilities, status) => {
    expect(endedCapabilities(ended(kind))).toEqual(capabilities);
    expect(asAskedFor({ status: "RECONNECT_REQUIRED", refusals: ended(kind) }).status).toBe(status);
  });

  test("a connection whose grant has ended, or that is disconnected, is not tried", () => {
    expect(asAskedFor({ status: "RECONNECT_REQUIRED", refusals: {} }).status).toBe("RECONNECT_REQUIRED");
    expect(asAskedFor({ status: "DISCONNECTED", refusals: ended("TOKEN") }).status).toBe("DISCONNECTED");
  });
});

test.each([
  ["a secret of the request", "The secret s3cr3t-value is wrong", "The secret … is wrong"],
  [
    "a token, an id and an address",
    `Token ${"a1".repeat(20)} of someone@example.com, 17900000000000001`,
    "Token … of … …",
  ],
  ["line breaks and controls", "First\r\n\u0007second\u202e", "First second"],
])("a message shows no %s", (_, text, shown) => {
  expect(refusalMessage(text, ["s3cr3t-value"])).toBe(shown);
});

test("a message has at most 200 characters, and is null without text", () => {
  expect(refusalMessage("word ".repeat(1_000))).toHaveLength(200);
  expect([refusalMessage(" "), refusalMessage(7), refusalMessage(undefined)]).toEqual([null, null, null]);
});
