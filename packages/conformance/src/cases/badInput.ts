import { caseForEach, defineCases } from "../harness/defineCase.ts";
import type { OperationName } from "../wire/documents.ts";
import { createSession, resultOf } from "./support/attempts.ts";
import { UNREGISTERED_TENANT } from "./support/tenants.ts";
import { refusesValue, validArguments, withValue } from "./support/validArguments.ts";

type Path = readonly [string, ...string[]];

/**
 * Every string argument, and whether it is an id, for which a service may answer either that it is invalid or that it
 * is unknown.
 */
const TEXTS: Readonly<Partial<Record<OperationName, readonly Path[]>>> = {
  connectSessionResult: [["scope", "tenantKey"], ["scope", "externalSubjectId"], ["id"]],
  connection: [["scope", "tenantKey"], ["scope", "externalSubjectId"], ["id"]],
  connections: [["scope", "tenantKey"], ["scope", "externalSubjectId"], ["after"]],
  content: [["scope", "tenantKey"], ["scope", "externalSubjectId"], ["connectionId"], ["window", "after"]],
  contentItem: [["scope", "tenantKey"], ["scope", "externalSubjectId"], ["connectionId"], ["providerContentId"]],
  syncJob: [["scope", "tenantKey"], ["scope", "externalSubjectId"], ["connectionId"], ["id"]],
  createConnectSession: [
    ["input", "scope", "tenantKey"],
    ["input", "scope", "externalSubjectId"],
    ["input", "returnUrl"],
    ["input", "reconnectConnectionId"],
  ],
  disconnectConnection: [["scope", "tenantKey"], ["scope", "externalSubjectId"], ["connectionId"]],
  requestRefresh: [["scope", "tenantKey"], ["scope", "externalSubjectId"], ["connectionId"], ["continuationCursor"]],
  requestContentLookup: [["scope", "tenantKey"], ["scope", "externalSubjectId"], ["connectionId"], ["url"]],
  createIdpIdentitySession: [
    ["input", "tenantKey"],
    ["input", "returnUrl"],
  ],
  redeemIdpIdentityResult: [["id"], ["tenantKey"], ["resultProof"]],
};

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
/** What may be absent or null. */
const OPTIONAL = new Set(["after", "continuationCursor", "reconnectConnectionId"]);

const BAD_CHARACTERS: Readonly<Record<string, string>> = {
  NUL: "a\0b",
  "an unpaired high surrogate": "a\ud800b",
  "an unpaired low surrogate": "\udc00",
  "two surrogates in the wrong order": "\udc00\ud800",
};
const OTHER_TYPES: readonly unknown[] = [true, 1.5, ["a", "b"], { a: "b" }];

const OPERATIONS = Object.keys(TEXTS) as OperationName[];
const SCOPED = OPERATIONS.filter((name) => TEXTS[name]?.some((path) => path.includes("scope")));

export const BAD_INPUT_CASES = defineCases({
  ...caseForEach(OPERATIONS, (name) => ({
    id: `S8.text.characters-${name}`,
    title: `No string argument of ${name} accepts NUL or an unpaired surrogate.`,
    readSafe: true,
    // An unauthorized tenant is reported before anything else is checked.
    needs: UNREGISTERED_TENANT[name] === "FORBIDDEN" ? ["tenant"] : [],
    reaches: ["rule:text.characters", `operation:${name}`],
    run: async (t) => {
      const valid = validArguments(t)[name];
      for (const path of TEXTS[name] ?? []) {
        const codes = NAMES.has(path.at(-1) ?? "") ? ["BAD_USER_INPUT", "NOT_FOUND"] : ["BAD_USER_INPUT"];
        for (const [what, text] of Object.entries(BAD_CHARACTERS))
          await refusesValue(t, name, withValue(valid, path, text), `${path.join(".")}: ${what}`, codes);
      }
    },
  })),
  ...caseForEach(OPERATIONS, (name) => ({
    id: `S8.text.types-${name}`,
    title: `No string argument of ${name} accepts a value of another type, or null where it is required.`,
    readSafe: true,
    reaches: ["rule:text.types", `operation:${name}`],
    run: async (t) => {
      const valid = validArguments(t)[name];
      for (const path of TEXTS[name] ?? []) {
        const values = OPTIONAL.has(path.at(-1) ?? "") ? OTHER_TYPES : [...OTHER_TYPES, null, undefined];
        for (const value of values) {
          const what = `${path.join(".")} = ${JSON.stringify(value)}`;
          await refusesValue(t, name, withValue(valid, path, value), what);
        }
      }
    },
  })),
  ...caseForEach(SCOPED, (name) => ({
    id: `S8.scope-strings.${name}`,
    title: `Scope strings of ${name} may have 1 to 128 characters: 129 and 0 are refused.`,
    // One more pending attempt of a subject with the maximum length.
    readSafe: name !== "createConnectSession",
    reaches: [
      "limit:scope-strings",
      "rule:SubjectScope.tenantKey.length",
      "rule:SubjectScope.externalSubjectId.length",
    ],
    run: async (t) => {
      const valid = validArguments(t)[name];
      const paths = (TEXTS[name] ?? []).filter((path) => path.includes("scope"));
      for (const path of paths) {
        for (const length of [0, 129, 5_000]) {
          const what = `${path.join(".")} of ${length} characters`;
          await refusesValue(t, name, withValue(valid, path, "x".repeat(length)), what);
        }
      }
      const longest = paths.find((path) => path.includes("externalSubjectId"));
      const outcome = await t.callWith(t.api, name, withValue(valid, longest ?? [], "x".repeat(128)));
      t.holds(outcome.ok || outcome.code !== "BAD_USER_INPUT", "128 characters are accepted", outcome);
    },
  })),
  "S8.scope-strings.odd-but-good": {
    title: "Any valid string of 1 to 128 characters is a subject, and similar strings are different subjects.",
    reaches: ["operation:createConnectSession", "code:NOT_FOUND"],
    run: async (t) => {
      const { tenantKey } = t.scope();
      const mark = t.scope().externalSubjectId.slice(-12);
      const subjects = ["é ", "e\u0301 ", "É ", " é ", "🦜 ", "'; -- ", "%_", "../"].map((prefix) => prefix + mark);
      for (const externalSubjectId of subjects) {
        const session = await createSession(t, { scope: { tenantKey, externalSubjectId } });
        await resultOf(t, session);
        const { id } = session;
        for (const other of subjects.filter((one) => one !== externalSubjectId)) {
          await t.refuses("connectSessionResult", { scope: { tenantKey, externalSubjectId: other }, id }, "NOT_FOUND");
        }
      }
    },
  },
});
