import { describe, expect, test } from "vitest";
import { findUnsafe } from "./rules.ts";

const READ = { post: ["id", "title"], job: ["id"] };

async function problemsOf(sql: string, before: readonly string[] = []): Promise<string[]> {
  const earlier = before.map((text, index) => ({ name: `2_${index}`, sql: text }));
  const found = await findUnsafe([...earlier, { name: "3_new", sql }], "1_last", READ);
  return found.filter(({ migration }) => migration === "3_new").map(({ problem }) => problem);
}

const CONCURRENT = "-- no transaction\n";

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
    ["changes a type", "ALTER TABLE post ALTER COLUMN title TYPE varchar(9);", /post\.title changes/],
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
      /CHECK \(title IS NOT NULL\) NOT VALID/,
    ],
    ["drops a column in use", "ALTER TABLE post DROP COLUMN title;", /reads post\.title/],
    ["drops a table in use", "DROP TABLE job;", /reads the table job/],
    ["renames a column", "ALTER TABLE post RENAME COLUMN title TO name;", /post\.title is renamed/],
    ["renames a table", "ALTER TABLE post RENAME TO item;", /post is renamed/],
    ["renames a value", "ALTER TYPE kind RENAME VALUE 'A' TO 'B';", /enum is renamed/],
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
      /function is replaced/,
    ],
    [
      "adds a trigger while it holds a lock",
      "ALTER TABLE post ADD COLUMN text text; CREATE TRIGGER t BEFORE INSERT ON job FOR EACH ROW EXECUTE FUNCTION f();",
      /Change one existing table/,
    ],
    ["changes rows in one transaction", "UPDATE post SET title = NULL;", /in batches/],
    ["never commits a batch", `${CONCURRENT}DO $$ BEGIN UPDATE post SET title = NULL; END $$;`, /must commit/],
    [
      "holds one lock while it waits for another",
      "ALTER TABLE post ADD COLUMN a int; ALTER TABLE job ADD COLUMN a int;",
      /one existing table/,
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
    ["adds a check to validate later", "ALTER TABLE post ADD CONSTRAINT c CHECK (id > 0) NOT VALID;"],
    ["validates a constraint", "ALTER TABLE post VALIDATE CONSTRAINT c;"],
    ["makes a unique index a constraint", "ALTER TABLE post ADD CONSTRAINT c UNIQUE USING INDEX a;"],
    ["builds an index concurrently", `${CONCURRENT}CREATE INDEX CONCURRENTLY IF NOT EXISTS a ON post (title);`],
    ["drops an index concurrently", `${CONCURRENT}DROP INDEX CONCURRENTLY IF EXISTS a;`],
    ["drops a column that the release does not read", "ALTER TABLE post DROP COLUMN old;"],
    ["drops a table that the release does not read", "DROP TABLE old;"],
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

  test("requires a column after a validated check, but not before it is validated", async () => {
    const check = "ALTER TABLE post ADD CONSTRAINT c CHECK (title IS NOT NULL) NOT VALID;";
    const require = "ALTER TABLE post ALTER COLUMN title SET NOT NULL;";
    expect(await problemsOf(require, [check, "ALTER TABLE post VALIDATE CONSTRAINT c;"])).toEqual([]);
    expect(await problemsOf(require, [check])).toHaveLength(1);
  });
});

test("migrations up to the named one are not checked", async () => {
  expect(await findUnsafe([{ name: "1_last", sql: "DROP TABLE job;" }], "1_last", READ)).toEqual([]);
});
