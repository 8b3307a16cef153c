import { inspect } from "node:util";
import { type Steps, withValue } from "../context/steps.ts";
import { defineCases } from "../harness/defineCase.ts";
import type { Outcome } from "../wire/documents.ts";

/** The argument is valid: at most, another scan is in flight. */
function isAccepted(t: Steps, outcome: Outcome<unknown>, what: string): void {
  const isTaken = outcome.ok || outcome.code === "SYNC_WINDOW_BUSY";
  t.holds(isTaken, `${what} is accepted`, outcome.ok ? null : outcome.message);
}

export const BAD_SCALAR_CASES = defineCases({ needs: ["provider"] }, (test) => {
  for (const [name, path] of [
    ["content", ["window", "publishedAfter"]],
    ["content", ["window", "publishedBefore"]],
    ["requestRefresh", ["window", "publishedAfter"]],
    ["requestRefresh", ["window", "publishedBefore"]],
  ] as const)
    test(`S2.DateTime.${name}-${path[1]}: ${path[1]} of ${name} accepts ISO 8601 date-times of existing days, and nothing else.`, async (t) => {
      const { scope, connectionId } = await t.connect({ account: "empty" });
      const valid = t.validArguments(scope, connectionId)[name];
      for (const value of BAD_DATE_TIMES)
        await t.refusesValue(name, withValue(valid, path, value), JSON.stringify(value));
      for (const value of ["2026-01-15T08:15:30Z", "2026-01-15T08:15:30.123Z", "2026-01-15T08:15:30+05:30"])
        isAccepted(t, await t.callWith(t.api, name, withValue(valid, path, value)), value);
    });
  for (const name of ["content", "requestRefresh"] as const)
    test(`S2.DateTime.${name}-years: ${name} accepts windows of the years that its date-times can express, and refuses windows outside of them.`, async (t) => {
      const { scope, connectionId } = await t.connect({ account: "empty" });
      const valid = t.validArguments(scope, connectionId)[name];
      const ask = (publishedAfter: string, publishedBefore: string) => {
        const ending = withValue(valid, ["window", "publishedBefore"], publishedBefore);
        return t.callWith(t.api, name, withValue(ending, ["window", "publishedAfter"], publishedAfter));
      };
      for (const [from, to] of [
        ["0000-05-01T00:00:00Z", "0000-05-02T00:00:00Z"],
        ["0001-01-01T00:00:00+23:59", "0001-01-02T00:00:00Z"],
        ["9999-12-31T00:00:00Z", "9999-12-31T23:59:59-23:59"],
      ] as const) {
        t.fails(await ask(from, to), "BAD_USER_INPUT", `${from} to ${to}`);
      }
      for (const [from, to] of [
        ["0001-01-01T00:00:00Z", "0001-01-02T00:00:00Z"],
        ["9999-12-31T00:00:00Z", "9999-12-31T23:59:59Z"],
        ["2024-02-29T00:00:00Z", "2024-02-29T23:59:59Z"],
      ] as const) {
        isAccepted(t, await ask(from, to), `${from} to ${to}`);
      }
    });
  for (const [name, path, tooMany, optional] of [
    ["connections", ["first"], 101, true],
    ["content", ["window", "first"], 51, false],
    ["requestRefresh", ["window", "maxItems"], 101, true],
  ] as const)
    test(`S8.numbers.${name}-${path.at(-1)}: ${path.at(-1)} of ${name} accepts integers in its range, and nothing else.`, async (t) => {
      const { scope, connectionId } = await t.connect({ account: "empty" });
      const valid = t.validArguments(scope, connectionId)[name];
      const numbers = [0, -1, 1.5, tooMany, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 1e21];
      for (const value of [...numbers, "5", "", true, [5, 6], {}, ...(optional ? [] : [null])])
        await t.refusesValue(name, withValue(valid, path, value), JSON.stringify(value));
      isAccepted(t, await t.callWith(t.api, name, withValue(valid, path, 5)), "5");
    });
  test("S2.ConnectInput.shape: An input with a missing field, an unknown field, an unknown enum value or null inside a list is refused.", async (t) => {
    const input = t.connectInput();
    for (const change of [
      ...["scope", "provider", "capabilities", "returnUrl"].flatMap((field) => [
        { [field]: undefined },
        { [field]: null },
      ]),
      { extra: 1 },
      { provider: "PROVIDER_Z" },
      { provider: "provider_a" },
      { provider: 1 },
      { capabilities: ["PROFILE", null] },
      { capabilities: ["EVERYTHING"] },
      { capabilities: [["PROFILE"]] },
      { capabilities: {} },
      { scope: "x" },
      { scope: [] },
      { scope: { ...input.scope, extra: 1 } },
    ]) {
      const args = { input: { ...input, ...change } };
      await t.refuses("createConnectSession", args, "BAD_USER_INPUT", inspect(change));
    }
    await t.refuses("createConnectSession", { input: null }, "BAD_USER_INPUT", "no input");
    await t.refuses("createConnectSession", {}, "BAD_USER_INPUT", "no variable");
    await t.get("createConnectSession", { input });
  }).with({ needs: [] });
});

const BAD_DATE_TIMES: readonly unknown[] = [
  "",
  "yesterday",
  "2026-01-15",
  "2026-01-15T08:15:30",
  "2026-02-30T00:00:00.000Z",
  "2026-02-29T00:00:00.000Z",
  "2026-13-01T00:00:00.000Z",
  "2026-00-10T00:00:00.000Z",
  "2026-01-00T00:00:00.000Z",
  "2026-01-15T25:00:00.000Z",
  "2026-01-15T08:60:00.000Z",
  "2026-01-15T08:15:61.000Z",
  "2026-01-15T08:15:30.000+25:00",
  "15/01/2026",
  "Thu, 15 Jan 2026 08:15:30 GMT",
  "2026-01-15T08:15:30.000Z ",
  "2026-01-15T08:15:30.000Z\0",
  "999999-01-01T00:00:00.000Z",
  1_768_464_000_000,
  true,
  [],
  {},
];
