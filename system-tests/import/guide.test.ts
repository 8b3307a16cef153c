import { readFile } from "node:fs/promises";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../packages/testkit/src/database.ts";

test("the guide's query writes a line for each row that has a refresh token", async () => {
  const guide = await readFile(new URL("../../docs/how-to/move-in.md", import.meta.url), "utf8");
  const query = /```sql\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
  const { url, drop } = await testDatabase();
  onTestFinished(drop);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`CREATE TABLE linked_channel
    (tenant text, user_id int, channel_id text, refresh_token text, scope text, created_at timestamptz)`);
  await client.query(`INSERT INTO linked_channel VALUES
    ('acme', 42, 'UCabc', 'refresh', 'one two', '2025-03-01T12:00:00+02:00'), ('acme', 43, 'UCdef', NULL, NULL, now())`);
  const { rows } = await client.query({ text: query, rowMode: "array" });
  const line = {
    ...{ provider: "PROVIDER_A", client: "shop", tenantKey: "acme", externalSubjectId: "42" },
    ...{ accountId: "UCabc", refreshToken: "refresh", scopes: ["one", "two"], connectedAt: "2025-03-01T10:00:00Z" },
  };
  expect(rows).toEqual([[line]]);
});
