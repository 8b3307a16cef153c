import { testDatabase } from "@social-connect/testkit";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { onTrail, type Span } from "../call/trail.ts";
import { type Database, openDatabase } from "./database.ts";
import { statementName } from "./tracedStatements.ts";

/** The spans that ended, with the name of the work that they belong to. */
const ended: [parent: string, name: string, error: string | null][] = [];

class NamedSpan implements Span {
  readonly traceParent: string;

  constructor(name: string) {
    this.traceParent = name;
  }

  readonly set = () => undefined;
  readonly rename = () => undefined;
  readonly end = () => undefined;
}

const tracing = {
  start: (name: string, _kind: unknown, parent: Span | string | null) => ({
    ...new NamedSpan(name),
    end: (error: string | null) => void ended.push([(parent as Span).traceParent, name, error]),
  }),
};

let database: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  const created = await testDatabase();
  drop = created.drop;
  database = openDatabase({ url: created.url, poolSize: 1, tracing });
});
beforeEach(() => {
  ended.length = 0;
});
afterAll(async () => {
  await database.close();
  await drop();
});

function within<T>(name: string, work: () => Promise<T>): Promise<T> {
  return onTrail({ correlationId: null, span: new NamedSpan(name) }, work);
}

test("a statement is a span of the work that sent it, also if it waits for a connection", async () => {
  const named = (name: string) => database.pool.query({ name, text: "SELECT $1::text", values: ["x"] });
  await Promise.all(["one", "two", "three"].map((work) => within(work, () => named(`read.${work}`))));
  expect(ended.toSorted()).toEqual([
    ["one", "read.one", null],
    ["three", "read.three", null],
    ["two", "read.two", null],
  ]);
});

test("statements of Prisma, of its transactions and of shared connections are spans too", async () => {
  await within("ordinary", async () => await database.prisma.sweepState.count());
  await within("transaction", () => database.prisma.$transaction((each) => each.sweepState.deleteMany()));
  await within("hot", () => database.hotReads.query({ name: "hot.read", text: "SELECT 1", values: [] }));
  const of = (work: string) => ended.filter(([parent]) => parent === work).map(([, name]) => name);
  expect(of("ordinary")).toEqual(["SELECT sweep_state"]);
  expect(of("transaction")).toEqual(["BEGIN", "DELETE sweep_state", "COMMIT"]);
  expect(of("hot")).toEqual(["hot.read"]);
});

test("a failed statement has the kind of its error, and work without a trace has no spans", async () => {
  await expect(within("failing", () => database.pool.query("SELECT 'canary' / 0"))).rejects.toThrow();
  expect(ended).toEqual([["failing", "SELECT", "error 22P02"]]);
  await database.pool.query("SELECT 1");
  expect(ended).toHaveLength(1);
});

test.each([
  [{ name: "content.50", text: "SELECT secret" }, "content.50"],
  [{ text: 'SELECT "public"."job"."id" FROM "public"."job" WHERE "id" = $1' }, "SELECT job"],
  ["INSERT INTO connection (id) VALUES ('canary')", "INSERT connection"],
  ["UPDATE grant_x SET token = 'canary'", "UPDATE grant_x"],
  ["WITH due AS (SELECT 1 FROM pgboss.job) SELECT 1", "WITH job"],
  ["SET LOCAL app.secret = 'canary'", "SET"],
  ["'canary'", "statement"],
  [undefined, "statement"],
])("names a statement without its values: %j", (statement, name) => {
  expect(statementName(statement)).toBe(name);
});
