import { expect, test } from "vitest";
import { judgeSchemaChange } from "./schemaChange.ts";

const RELEASED = `
  """Its state."""
  enum Status { ON OFF }
  input Filter { name: String! }
  type Thing { id: ID! name: String status(detail: Boolean): Status! }
  type Query { thing(id: ID!): Thing things(filter: Filter): [Thing!]! }
`;

function change(from: string, to: string) {
  const changed = RELEASED.replace(from, to);
  expect(changed).not.toBe(RELEASED);
  return judgeSchemaChange(RELEASED, changed);
}

test.each([
  ["a removed field", "name: String status", "status"],
  ["a field of another type", "name: String status", "name: Int status"],
  ["an answer that may now be absent", "things(filter: Filter): [Thing!]!", "things(filter: Filter): [Thing!]"],
  ["a removed argument", "status(detail: Boolean)", "status"],
  ["an argument that is now needed", "thing(id: ID!)", "thing(id: ID!, version: Int!)"],
  ["a removed enum value", "{ ON OFF }", "{ ON }"],
  ["an input field that is now needed", "{ name: String! }", "{ name: String! age: Int! }"],
])("a change that breaks a caller is major: %s", async (_, from, to) => {
  expect(await change(from, to)).toMatchObject({ bump: "major", reasons: [expect.stringMatching(/./)] });
});

test.each([
  ["a new field", "id: ID! name", "id: ID! nick: String name", "nick"],
  ["a new operation", "type Query {", "type Query { newest: Thing", "newest"],
  ["a new optional argument", "thing(id: ID!)", "thing(id: ID!, version: Int)", "version"],
  ["a new enum value, which callers take as data", "{ ON OFF }", "{ ON OFF STANDBY }", "STANDBY"],
  ["a new type", "type Query {", "type Other { id: ID! } type Query { other: Other", "Other"],
  ["a field that is now never absent", "name: String status", "name: String! status", "String!"],
  ["a deprecation", "name: String status", 'name: String @deprecated(reason: "gone") status', "deprecated"],
])("a change that adds is minor: %s", async (_, from, to, reason) => {
  const { bump, reasons } = await change(from, to);
  expect(bump).toBe("minor");
  expect(reasons.join("\n")).toContain(reason);
});

test("other words are a patch, another order and other comments are nothing", async () => {
  expect((await change("Its state.", "How it is.")).bump).toBe("patch");
  expect((await change("enum Status { ON OFF }", "# said\nenum Status { OFF ON }")).bump).toBe("none");
  expect(await judgeSchemaChange(RELEASED, RELEASED)).toEqual({ bump: "none", reasons: [] });
});

test("what is added beside something that breaks does not hide it", async () => {
  expect((await change("name: String status", "nick: String status")).bump).toBe("major");
});

test("reports a schema that cannot be read", async () => {
  await expect(judgeSchemaChange("type {", RELEASED)).rejects.toThrow("Syntax Error");
});
