import { describe, expect, test } from "vitest";
import { findUnsafe } from "./rules.ts";

async function problemsOf(sql: string, before: readonly string[] = []): Promise<string[]> {
  const earlier = before.map((text, index) => ({ name: `1_${index}`, sql: text }));
  const found = await findUnsafe([...earlier, { name: "2_new", sql }]);
  return found.filter((line) => line.startsWith("2_new: ")).map((line) => line.slice("2_new: ".length));
}

const CONCURRENT = "-- no transaction\n";
const CONTRACT = "-- contract: version 2 no longer reads it\n";

describe("a migration is refused that", () => {
  test.each([
    ["blocks writers with an index", "CREATE INDEX post_idx ON post (title);", /post_idx CONCURRENTLY/],
    ["blocks writers with a unique index", "CREATE UNIQUE INDEX post_idx ON post (title);", /post_idx CONCURRENTLY/],
    ["blocks readers to drop an index", "DROP INDEX post_idx;", /Drop the index post_idx CONCURRENTLY/],
    ["cannot repeat an index", `${CONCURRENT}CREATE INDEX CONCURRENTLY post_idx ON post (title);`, /IF NOT EXISTS/],
    ["cannot repeat a drop", `${CONCURRENT}DROP INDEX CONCURRENTLY post_idx;`, /IF EXISTS/],
    ["needs a transaction's end", "CREATE INDEX CONCURRENTLY IF NOT EXISTS a ON post (title);", /first line/],
    ["leaves the transaction for no reason", `${CONCURRENT}ALTER TABLE post ADD COLUMN text text;`, /first line/],
    [
      "does more beside a concurrent index",
      `${CONCURRENT}CREATE INDEX CONCURRENTLY IF NOT EXISTS a ON post (title); ALTER TABLE post ADD COLUMN text text;`,
      /needs its own migration/,
    ],
    ["changes a type", "ALTER TABLE post ALTER COLUMN title TYPE varchar(9);", /new type of post\.title/],
    ["adds a required column", "ALTER TABLE post ADD COLUMN text text NOT NULL;", /NOT NULL without a default/],
    ["rewrites rows for a default", "ALTER TABLE post ADD COLUMN key uuid DEFAULT gen_random_uuid();", /no constant/],
    ["rewrites rows for a sequence", "ALTER TABLE post ADD COLUMN number bigserial;", /no constant/],
    [
      "rewrites rows for a stored expression",
      "ALTER TABLE post ADD COLUMN n int GENERATED ALWAYS AS (1) STORED;",
      /checked at once/,
    ],
    ["checks a new column at once", "ALTER TABLE post ADD COLUMN job_id uuid REFERENCES job (id);", /checked at once/],
    [
      "requires a column without proof",
      "ALTER TABLE post ALTER COLUMN title SET NOT NULL;",
      /CONSTRAINT post_title_not_null CHECK \(title IS NOT NULL\) NOT VALID/,
    ],
    [
      "drops a column in use",
      "ALTER TABLE post DROP COLUMN title;",
      /Do not drop post\.title: a release that still runs/,
    ],
    ["drops a table in use", "DROP TABLE job;", /Do not drop job: .*`-- contract: REASON`/],
    ["renames a column", "ALTER TABLE post RENAME COLUMN title TO name;", /A rename breaks/],
    ["renames a table", "ALTER TABLE post RENAME TO item;", /A rename breaks/],
    ["renames a value", "ALTER TYPE kind RENAME VALUE 'A' TO 'B';", /A rename breaks/],
    ["checks rows at once", "ALTER TABLE post ADD CONSTRAINT c CHECK (id > 0);", /post\.c NOT VALID/],
    [
      "checks references at once",
      "ALTER TABLE post ADD CONSTRAINT c FOREIGN KEY (id) REFERENCES job (id);",
      /post\.c NOT VALID/,
    ],
    ["builds an index for a constraint", "ALTER TABLE post ADD CONSTRAINT c UNIQUE (title);", /USING INDEX/],
    [
      "validates while it holds a lock",
      "ALTER TABLE post ADD CONSTRAINT c CHECK (id > 0) NOT VALID; ALTER TABLE post VALIDATE CONSTRAINT c;",
      /Validate c in its own migration/,
    ],
    [
      "replaces a function",
      "CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1';",
      /CreateFunctionStmt is not known to be safe/,
    ],
    ["drops a trigger", "DROP TRIGGER IF EXISTS fill ON post;", /OBJECT_TRIGGER is not known to be safe/],
    ["changes rows in one transaction", "UPDATE post SET title = NULL;", /in batches/],
    ["never commits a batch", `${CONCURRENT}DO $$ BEGIN UPDATE post SET title = NULL; END $$;`, /must commit/],
    [
      "holds one lock while it waits for another",
      "ALTER TABLE post ADD COLUMN a int; ALTER TABLE job ADD COLUMN a int;",
      /one existing table/,
    ],
    ["drops what depends on a type", "DROP TYPE kind CASCADE;", /CASCADE drops more than kind/],
    ["drops what depends on a constraint", "ALTER TABLE post DROP CONSTRAINT c CASCADE;", /more than post\.c,/],
    [
      "adds a trigger",
      "CREATE TRIGGER t BEFORE INSERT ON post FOR EACH ROW EXECUTE FUNCTION f();",
      /CreateTrigStmt is not known to be safe/,
    ],
    ["calls nothing a default", "ALTER TABLE post ADD COLUMN a int NOT NULL DEFAULT NULL::int;", /without a default/],
    [
      "drops the default that the previous release needs",
      "ALTER TABLE post ALTER COLUMN a DROP DEFAULT;",
      /Do not drop the default of post\.a/,
    ],
    [
      "may not create the table",
      "CREATE TABLE IF NOT EXISTS post (id int); ALTER TABLE post DROP COLUMN title;",
      /Do not drop post\.title: a release that still runs/,
    ],
    [
      "creates a table of that name in another schema",
      "CREATE TABLE old.post (id int); ALTER TABLE post DROP COLUMN title;",
      /Do not drop post\.title: a release that still runs/,
    ],
    [
      "creates a temporary table of that name",
      "CREATE TEMP TABLE post (id int); ALTER TABLE public.post DROP COLUMN title;",
      /Do not drop post\.title: a release that still runs/,
    ],
    [
      "creates the table later",
      "ALTER TABLE post DROP COLUMN title; CREATE TABLE post (id int);",
      /Do not drop post\.title: a release that still runs/,
    ],
    ["adds a child of a table", "CREATE TABLE a () INHERITS (post);", /A parent of a is not known to be safe/],
    [
      "only speaks of a commit",
      `${CONCURRENT}DO $$ BEGIN LOOP UPDATE post SET title = 'COMMIT'; /* COMMIT */ END LOOP; END $$;`,
      /must commit/,
    ],
    [
      "commits one large batch",
      `${CONCURRENT}DO $$ BEGIN UPDATE post SET title = NULL; COMMIT; END $$;`,
      /must commit after each batch/,
    ],
    [
      "changes a table in a block",
      `${CONCURRENT}DO $$ BEGIN LOOP alter table post drop title; COMMIT; END LOOP; END $$;`,
      /without ALTER/,
    ],
    ["does something unknown", "CLUSTER post;", /not known to be safe/],
    ["changes a table in an unknown way", "ALTER TABLE post SET UNLOGGED;", /not known to be safe/],
  ])("%s", async (_, sql, problem) => {
    expect(await problemsOf(sql)).toEqual([expect.stringMatching(problem)]);
  });
});

describe("a migration is accepted that", () => {
  test.each([
    [
      "creates a table with its indexes",
      "CREATE TABLE a (id int); CREATE INDEX ON a (id); ALTER TABLE a ADD CHECK (id > 0);",
    ],
    ["adds an optional column", "ALTER TABLE post ADD COLUMN a int;"],
    ["adds a column with a constant", "ALTER TABLE post ADD COLUMN a text NOT NULL DEFAULT 'x'::text;"],
    ["adds a column with an empty list", "ALTER TABLE post ADD COLUMN a text[] NOT NULL DEFAULT ARRAY[]::text[];"],
    ["adds a column with the time", "ALTER TABLE post ADD COLUMN a timestamptz NOT NULL DEFAULT now();"],
    ["adds a column of a type with a name like serial", "ALTER TABLE post ADD COLUMN a serialized;"],
    ["sets a default", "ALTER TABLE post ALTER COLUMN a SET DEFAULT gen_random_uuid();"],
    ["drops a default that no release needs", `${CONTRACT}ALTER TABLE post ALTER COLUMN title DROP DEFAULT;`],
    ["is in a transaction", "-- no transactions in other programs\nALTER TABLE post ADD COLUMN a int;"],
    ["adds a check to validate later", "ALTER TABLE post ADD CONSTRAINT c CHECK (id > 0) NOT VALID;"],
    ["validates a constraint", "ALTER TABLE post VALIDATE CONSTRAINT c;"],
    ["makes a unique index a constraint", "ALTER TABLE post ADD CONSTRAINT c UNIQUE USING INDEX a;"],
    ["builds an index concurrently", `${CONCURRENT}CREATE INDEX CONCURRENTLY IF NOT EXISTS a ON post (title);`],
    [
      "builds an index concurrently, in small letters",
      `${CONCURRENT}-- Why.\ncreate unique index\n  concurrently if not exists Post_Idx on public.post (title);`,
    ],
    ["drops an index concurrently", `${CONCURRENT}DROP INDEX CONCURRENTLY IF EXISTS a;`],
    ["drops a column that no release reads", `${CONTRACT}ALTER TABLE post DROP COLUMN old;`],
    ["drops a table that no release reads", `${CONTRACT}DROP TABLE old;`],
    [
      "sets storage options of several tables",
      "ALTER TABLE post SET (fillfactor = 90); ALTER TABLE job SET (fillfactor = 90);",
    ],
    ["adds a value", "ALTER TYPE kind ADD VALUE 'C';"],
    [
      "changes rows in batches",
      `${CONCURRENT}DO $$ BEGIN LOOP DELETE FROM post WHERE false; EXIT WHEN NOT FOUND; COMMIT; END LOOP; END $$;`,
    ],
  ])("%s", async (_, sql) => {
    expect(await problemsOf(sql)).toEqual([]);
  });

  const ADD = "ALTER TABLE post ADD CONSTRAINT post_title_not_null CHECK (title IS NOT NULL) NOT VALID;";
  const VALIDATE = "ALTER TABLE post VALIDATE CONSTRAINT post_title_not_null;";
  const [REQUIRE, DROP] = ["ALTER COLUMN title SET NOT NULL", "DROP CONSTRAINT post_title_not_null"];

  test("requires a column after a validated check, but not before it is validated", async () => {
    expect(await problemsOf(`ALTER TABLE post ${REQUIRE};`, [ADD, VALIDATE])).toEqual([]);
    expect(await problemsOf(`ALTER TABLE post ${REQUIRE};`, [ADD])).toHaveLength(1);
  });

  test("requires a column before its check is dropped, but not after, nor in the same statement", async () => {
    const before = [ADD, VALIDATE];
    expect(await problemsOf(`ALTER TABLE post ${REQUIRE}; ALTER TABLE post ${DROP};`, before)).toEqual([]);
    expect(await problemsOf(`ALTER TABLE post ${DROP}; ALTER TABLE post ${REQUIRE};`, before)).toHaveLength(1);
    // PostgreSQL drops first, in whichever order they are written.
    expect(await problemsOf(`ALTER TABLE post ${REQUIRE}, ${DROP};`, before)).toHaveLength(1);
    expect(await problemsOf(`ALTER TABLE post ${REQUIRE};`, [...before, `ALTER TABLE post ${DROP};`])).toHaveLength(1);
  });
});
