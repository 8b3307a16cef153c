import { ADMIN_OPERATIONS, API_KEY_OPERATIONS } from "@social-connect/contract";
import { isUnionType } from "graphql";
import { expect, test } from "vitest";
import { ADMIN_SCHEMA } from "../wire/apis.ts";
import { ADMIN_CLASSES, CONFIRMED_OPERATIONS, DESCRIBED_OPERATIONS, PANEL_OWN_OPERATIONS } from "./adminOperations.ts";

const queries = ADMIN_SCHEMA.getQueryType()?.getFields() ?? {};
const mutations = ADMIN_SCHEMA.getMutationType()?.getFields() ?? {};
const roots = { ...queries, ...mutations };

function unionOf(name: string) {
  const type = ADMIN_SCHEMA.getType(String(roots[name]?.type).replace("!", ""));
  return isUnionType(type) ? type : null;
}

test("the published admin schema has every described operation", () => {
  expect(DESCRIBED_OPERATIONS.filter((name) => roots[name] === undefined)).toEqual([]);
});

test("operations for keys return the record, panel operations a union of typed errors", () => {
  for (const name of DESCRIBED_OPERATIONS.filter((one) => one in mutations)) {
    const union = unionOf(name);
    expect([name, union !== null]).toEqual([name, ADMIN_CLASSES[name] === "PANEL"]);
    if (union === null) continue;
    const errors = union
      .getTypes()
      .filter((type) => type.getInterfaces().some(({ name: base }) => base === "PanelError"));
    expect([name, union.getTypes().length - errors.length]).toEqual([name, 1]);
  }
});

test("every root field is nullable, so that an error in one leaves the other fields of the document", () => {
  expect(Object.values(roots).filter(({ type }) => String(type).endsWith("!"))).toEqual([]);
});

test("the contract package's list of operations has the described class of each, and otherwise only panel operations", () => {
  const kindOf = (name: string) => (name in queries ? "query" : "mutation");
  const listed = Object.entries(ADMIN_OPERATIONS).map(([name, { kind, access }]) => `${kind} ${name} ${access}`);
  const described = DESCRIBED_OPERATIONS.map((name) => `${kindOf(name)} ${name} ${ADMIN_CLASSES[name]}`);
  const own = PANEL_OWN_OPERATIONS.map((name) => `${kindOf(name)} ${name} PANEL`);
  expect(listed.toSorted()).toEqual([...described, ...own].toSorted());
  const callable = DESCRIBED_OPERATIONS.filter((name) => ADMIN_CLASSES[name] !== "PANEL");
  expect(Object.keys(API_KEY_OPERATIONS).toSorted()).toEqual(callable.toSorted());
});

test("exactly the operations that need a confirmation can return ConfirmationRequiredError", () => {
  const confirmed: readonly string[] = CONFIRMED_OPERATIONS;
  for (const [name, { needsConfirmation }] of Object.entries(ADMIN_OPERATIONS)) {
    const answers =
      unionOf(name)
        ?.getTypes()
        .map((member) => member.name) ?? [];
    const isDescribed = confirmed.includes(name);
    const expected = [name, isDescribed, isDescribed];
    expect([name, needsConfirmation, answers.includes("ConfirmationRequiredError")]).toEqual(expected);
  }
});
