import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import * as sdk from "../../packages/sdk/src/index.ts";
import { FAULTS } from "../../packages/sdk-core/src/faults.ts";
import { withFailureTables } from "./failedRequestPage.ts";
import { casesFor, differences, KEY, proveReused } from "./failedRequests.ts";
import { startFailingServers } from "./failingServers.ts";
import { SITUATIONS } from "./failureTable.ts";
import { failAt } from "./uses/failedRequests.ts";

it("each failure of real servers has the error and the retries of the table, in this Node", async () => {
  const folder = await mkdtemp(join(tmpdir(), "social-connect-failures-"));
  const servers = await startFailingServers(folder);
  onTestFinished(async () => {
    await servers[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  // The authority of the other certificates is trusted only by programs that are started with it.
  const withoutPlaces = casesFor("Node 24", "http1", servers).filter(({ name }) => !/certificate/.test(name));
  const reports = await failAt(sdk, withoutPlaces, KEY);
  const found = differences("Node 24", "http1", reports).filter((line) => !/certificate/.test(line));
  expect(found).toEqual([]);
  await proveReused("this Node", servers, ({ cases }) => failAt(sdk, cases, KEY));
  const isTold = async () => [{ name: "closed", read: ONCE, other: ONCE }];
  await expect(proveReused("unsent", servers, isTold)).rejects.toThrow("unsent: 0 requests for");
});

const ONCE = { outcome: "NO_RESPONSE", requests: 1, mayHaveBeenSent: true, message: "" };

it("the reference page shows the tables (`-u` writes them)", async () => {
  const file = fileURLToPath(new URL("../../docs/reference/failed-requests.md", import.meta.url));
  const page = await readFile(file, "utf8");
  await expect(withFailureTables(page)).toMatchFileSnapshot(file);
  for (const problem of Object.keys(FAULTS)) expect(page).toContain(`| \`${problem}\` |`);
  for (const { name } of SITUATIONS) expect(page).toContain(`| ${name} |`);
});
