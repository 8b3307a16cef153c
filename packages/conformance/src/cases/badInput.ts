import { type GraphQLArgument, type GraphQLInputField, getNamedType, isInputObjectType, isNonNullType } from "graphql";
import { unregisteredTenant, withValue } from "../context/steps.ts";
import { defineCases } from "../harness/defineCase.ts";
import { CONSUMER_SCHEMA, rootFieldsOf } from "../wire/apis.ts";
import { OPERATION_NAMES, type OperationName } from "../wire/documents.ts";

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
        for (const value of values) {
          const what = `${path.join(".")} = ${JSON.stringify(value)}`;
          await t.refusesValue(name, withValue(valid, path, value), what);
        }
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
      for (const other of subjects.filter((one) => one !== externalSubjectId)) {
        await t.refuses("connectSessionResult", { scope: { tenantKey, externalSubjectId: other }, id }, "NOT_FOUND");
      }
    }
  });
});
