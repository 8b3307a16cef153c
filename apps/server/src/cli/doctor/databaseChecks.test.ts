import { expect, test } from "vitest";
import { readSettings } from "../../config/settings.ts";
import { checkConnections } from "./databaseChecks.ts";

const DATABASE_URL = "postgres://database/service";

test.each([
  [{ ROLE: "api" }, 24],
  [{ ROLE: "worker" }, 15],
  [{ ROLE: "worker", METRICS_PORT: "9464" }, 17],
  [{ ROLE: "both" }, 28],
  [{ PROCESSES: "2" }, 56],
  [{ ROLE: "api", DATABASE_DIRECT_URL: DATABASE_URL }, 1],
  [{ ROLE: "both", DATABASE_DIRECT_URL: DATABASE_URL }, 5],
])("processes with %j need room for %i connections of the database", (changes, needed) => {
  const key = `key:${Buffer.alloc(32, 1).toString("base64")}`;
  const settings = readSettings({ DATABASE_URL, ENCRYPTION_KEYS: key, ...changes });
  const room = (maxConnections: number, others = 0) => ({ maxConnections, limit: "max_connections", others });
  expect(checkConnections(settings, room(needed))).toMatchObject({ status: "ok" });
  expect(checkConnections(settings, room(needed + 2, 3))).toMatchObject({ status: "warning" });
  expect(checkConnections(settings, room(needed - 1))).toMatchObject({ status: "failed" });
});
