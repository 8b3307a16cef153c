import { buildSchema, findBreakingChanges, findDangerousChanges } from "graphql";
import { expect, test } from "vitest";
import { ADMIN_SCHEMA_TEXT } from "../_generated/adminSchema.ts";
import { CONSUMER_SCHEMA_TEXT } from "../_generated/consumerSchema.ts";
import { schemaDifferences } from "./schemaDifferences.ts";

const SCHEMA = `
  directive @cached(seconds: Int) on FIELD
  scalar Time
  interface Node { id: ID! }
  union Found = Post | Person
  enum Color { RED GREEN }
  input Window { from: Time!, to: Time, first: Int! = 10 }
  type Post implements Node { id: ID! title: String tags: [String] }
  type Person { name: String! }
  type Query { posts(window: Window!, color: Color = RED): [Post!]! find(text: String!): Found }
`;

/** Changes of the schema with the reported differences. */
const CHANGES: readonly (readonly [from: string, to: string, reported: readonly string[]])[] = [
  ["title: String ", "", ["breaking Post.title"]],
  ["title: String ", "title: String! ", ["safe Post.title"]],
  ["title: String ", "title: Int ", ["breaking Post.title"]],
  ["tags: [String]", "tags: [String!]!", ["safe Post.tags"]],
  ["tags: [String]", "tags: String", ["breaking Post.tags"]],
  ["name: String!", "name: String", ["breaking Person.name"]],
  ["name: String!", "name: String! age: Int", ["safe Person.age"]],
  ["RED GREEN", "RED GREEN BLUE", ["dangerous Color.BLUE"]],
  ["RED GREEN", "RED", ["breaking Color.GREEN"]],
  ["to: Time,", "to: Time!,", ["breaking Window.to"]],
  ["from: Time!", "from: Time", ["safe Window.from"]],
  ["to: Time,", "", ["breaking Window.to"]],
  ["to: Time,", "to: Time, after: String,", ["dangerous Window.after"]],
  ["to: Time,", "to: Time, after: String!,", ["breaking Window.after"]],
  ["color: Color = RED", "color: Color = GREEN", ["dangerous Query.posts(color:)"]],
  ["color: Color = RED", "", ["breaking Query.posts(color:)"]],
  ["color: Color = RED", "color: Color = RED, after: String", ["dangerous Query.posts(after:)"]],
  ["text: String!", "text: String!, in: ID!", ["breaking Query.find(in:)"]],
  ["text: String!", "text: String", ["safe Query.find(text:)"]],
  [" | Person", "", ["breaking Found.Person"]],
  ["= Post | Person", "= Post | Person | Query", ["dangerous Found.Query"]],
  [" implements Node", "", ["breaking Post implements Node"]],
  ["type Person {", "type Person implements Node { id: ID!", ["dangerous Person implements Node", "safe Person.id"]],
  ["scalar Time", "enum Time { NOW }", ["breaking Time"]],
  ["scalar Time", "scalar Time scalar Count", ["safe Count"]],
  ["directive @cached(seconds: Int) on FIELD", "", ["breaking @cached"]],
];

test.each(CHANGES)("%s → %s", async (from, to, reported) => {
  const changed = SCHEMA.replace(from, to);
  expect(changed).not.toBe(SCHEMA);
  const differences = await schemaDifferences(SCHEMA, changed);
  expect(differences.map(({ level, coordinate }) => `${level} ${coordinate}`)).toEqual(reported);
  // The judgement of the reference implementation, which has no coordinates.
  const [before, after] = [buildSchema(SCHEMA), buildSchema(changed)];
  const countOf = (level: string) => differences.filter((difference) => difference.level === level).length;
  expect(countOf("breaking")).toBe(findBreakingChanges(before, after).length);
  expect(countOf("dangerous")).toBe(findDangerousChanges(before, after).length);
});

test("a removed type is reported once, without its members", async () => {
  const differences = await schemaDifferences(
    SCHEMA,
    SCHEMA.replace(/enum Color.*/, "").replace(", color: Color = RED", ""),
  );
  expect(differences).toEqual([
    { level: "breaking", coordinate: "Color", text: "Type 'Color' was removed." },
    {
      level: "breaking",
      coordinate: "Query.posts(color:)",
      text: "Argument 'color: Color' was removed from field 'Query.posts'.",
    },
  ]);
});

test("a default value of an input field is compared", async () => {
  const changed = SCHEMA.replace(" = 10", "");
  expect(await schemaDifferences(SCHEMA, changed)).toEqual([
    {
      level: "dangerous",
      coordinate: "Window.first",
      text: "Input field 'Window.first' default value changed from '10' to 'undefined'.",
    },
  ]);
});

test.each([CONSUMER_SCHEMA_TEXT, ADMIN_SCHEMA_TEXT])("ignores order, comments and descriptions", async (text) => {
  const types = text.split(/\n\n(?=\w)/).toReversed();
  const other = types.join("\n\n").replace("type Query {", '"What can be read."\ntype Query {');
  expect(other).not.toBe(text);
  expect(await schemaDifferences(text, other)).toEqual([]);
});
