import { inspect } from "node:util";
import { type GraphQLArgument, type GraphQLInputField, getNamedType, isInputObjectType, isNonNullType } from "graphql";
import { type Steps, unregisteredTenant, withValue } from "../context/steps.ts";
import { defineCases } from "../harness/defineCase.ts";
import { CONSUMER_SCHEMA, rootFieldsOf } from "../wire/apis.ts";
import { OPERATION_NAMES, type OperationName, type Outcome } from "../wire/documents.ts";

interface Text {
  readonly path: readonly string[];
  /** It may be absent or null. */
  readonly isOptional: boolean;
}

/** Every string among these arguments or fields, at any depth. */
function textsAmong(inputs: readonly (GraphQLArgument | GraphQLInputField)[], above: readonly string[] = []): Text[] {
  return inputs.flatMap(({ name, type }) => {
    const [path, named] = [[...above, name], getNamedType(type)];
    if (isInputObjectType(named)) return textsAmong(Object.values(named.getFields()), path);
    return ["String", "ID"].includes(named.name) ? [{ path, isOptional: !isNonNullType(type) }] : [];
  });
}

const textsOf = (name: OperationName) => textsAmong(rootFieldsOf(CONSUMER_SCHEMA)[name]?.args ?? []);

/**
 * Arguments that are used after the object was found: no object exists here, so a service may report that first.
 * Cursors and URLs of existing objects are covered by their own cases.
 */
const NAMES = new Set([
  "id",
  "connectionId",
  "reconnectConnectionId",
  "resultProof",
  "providerContentId",
  "continuationCursor",
  "url",
]);
const BAD_CHARACTERS: Readonly<Record<string, string>> = {
  NUL: "a\0b",
  "an unpaired high surrogate": "a\ud800b",
  "an unpaired low surrogate": "\udc00",
  "two surrogates in the wrong order": "\udc00\ud800",
};
const OTHER_TYPES: readonly unknown[] = [true, 1.5, ["a", "b"], { a: "b" }];

const OPERATIONS = OPERATION_NAMES.filter((name) => textsOf(name).length > 0);
const SCOPED = OPERATIONS.filter((name) => textsOf(name).some(({ path }) => path.includes("scope")));

export const BAD_INPUT_CASES = defineCases({}, (test) => {
  for (const name of OPERATIONS)
    test(`S8.text.characters-${name}: No string argument of ${name} accepts NUL or an unpaired surrogate.`, async (t) => {
      const valid = t.validArguments()[name];
      for (const { path } of textsOf(name)) {
        const codes = NAMES.has(path.at(-1) ?? "") ? ["BAD_USER_INPUT", "NOT_FOUND"] : ["BAD_USER_INPUT"];
        for (const [what, text] of Object.entries(BAD_CHARACTERS))
          await t.refusesValue(name, withValue(valid, path, text), `${path.join(".")}: ${what}`, codes);
      }
    }).with({
      readSafe: true, // An unauthorized tenant is reported before anything else is checked.
      needs: unregisteredTenant(name) === "FORBIDDEN" ? ["tenant"] : [],
    });
  for (const name of OPERATIONS)
    test(`S8.text.types-${name}: No string argument of ${name} accepts a value of another type, or null where it is required.`, async (t) => {
      const valid = t.validArguments()[name];
      for (const { path, isOptional } of textsOf(name)) {
        const values = isOptional ? OTHER_TYPES : [...OTHER_TYPES, null, undefined];
        for (const value of values)
          await t.refusesValue(name, withValue(valid, path, value), `${path.join(".")} = ${JSON.stringify(value)}`);
      }
    }).with({ readSafe: true });
  for (const name of SCOPED)
    test(`S8.scope-strings.${name}: Scope strings of ${name} may have 1 to 128 characters: 129 and 0 are refused.`, async (t) => {
      const valid = t.validArguments()[name];
      const paths = textsOf(name).flatMap(({ path }) => (path.includes("scope") ? [path] : []));
      for (const path of paths) {
        for (const length of [0, 129, 5_000]) {
          const what = `${path.join(".")} of ${length} characters`;
          await t.refusesValue(name, withValue(valid, path, "x".repeat(length)), what);
        }
      }
      const longest = paths.find((path) => path.includes("externalSubjectId"));
      const outcome = await t.callWith(t.api, name, withValue(valid, longest ?? [], "x".repeat(128)));
      t.holds(outcome.ok || outcome.code !== "BAD_USER_INPUT", "128 characters are accepted", outcome);
    }).with({
      // One more pending attempt of a subject with the maximum length.
      readSafe: name !== "createConnectSession",
    });
  test("S8.scope-strings.odd-but-good: Any valid string of 1 to 128 characters is a subject, and similar strings are different subjects.", async (t) => {
    const { tenantKey } = t.scope();
    const mark = t.scope().externalSubjectId.slice(-12);
    const subjects = ["é ", "e\u0301 ", "É ", " é ", "🦜 ", "'; -- ", "%_", "../"].map((prefix) => prefix + mark);
    for (const externalSubjectId of subjects) {
      const session = await t.createSession({ scope: { tenantKey, externalSubjectId } });
      await t.resultOf(session);
      const { id } = session;
      for (const other of subjects.filter((one) => one !== externalSubjectId))
        await t.refuses("connectSessionResult", { scope: { tenantKey, externalSubjectId: other }, id }, "NOT_FOUND");
    }
  });
});

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
      ] as const)
        t.fails(await ask(from, to), "BAD_USER_INPUT", `${from} to ${to}`);
      for (const [from, to] of [
        ["0001-01-01T00:00:00Z", "0001-01-02T00:00:00Z"],
        ["9999-12-31T00:00:00Z", "9999-12-31T23:59:59Z"],
        ["2024-02-29T00:00:00Z", "2024-02-29T23:59:59Z"],
      ] as const)
        isAccepted(t, await ask(from, to), `${from} to ${to}`);
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
