import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SOURCE = fileURLToPath(new URL("../..", import.meta.url));

/** Statements that write a table whose `status` is told. */
const WRITES =
  /\b(?:connection|connectAttempt|identityAttempt|job)\s*\.(?:create|update|upsert)\w*\(|\bUPDATE (?:connection|connect_attempt|identity_attempt|job)\b|\bINSERT INTO (?:connection|connect_attempt|identity_attempt|job)\b|Sweep\(\s*"\w+",\s*\{\s*table: "(?:connection|connect_attempt|identity_attempt|job)"/g;

const TELLS = "tells of a changed status";

/** Every file with such statements, their number, and how it tells of the status that they change. */
const KNOWN: Readonly<Record<string, readonly [number, string]>> = {
  "modules/clients/changeClient.ts": [2, TELLS],
  "modules/connect/abandonAttempt.ts": [1, "cancels attempts, which is not told"],
  "modules/connect/attemptRow.ts": [1, TELLS],
  "modules/connect/createConnectSession.ts": [1, "creates an attempt"],
  "modules/connect/linkAccount.ts": [1, "creates a connection, of which its attempt tells"],
  "modules/connections/changeConnection.ts": [2, TELLS],
  "modules/disconnect/applyFollowUps.ts": [5, TELLS],
  "modules/disconnect/runErase.ts": [2, TELLS],
  "modules/identity/completeIdentity.ts": [1, TELLS],
  "modules/identity/createIdentitySession.ts": [1, "creates an attempt"],
  "modules/identity/launchIdentity.ts": [1, "stays PENDING"],
  "modules/identity/redeemIdentityResult.ts": [1, "expires an attempt, which is not told"],
  "modules/imports/importLine.ts": [1, "changes no status"],
  "modules/jobs/enqueueBackgroundReads.ts": [2, "changes no status"],
  "modules/jobs/jobAttempt.ts": [2, TELLS],
  "modules/jobs/readJobs.ts": [2, "creates queued jobs"],
  "modules/jobs/startRead.ts": [1, "changes no status"],
  "modules/jobs/storeRead.ts": [2, "only background reads, and reads of applications without endpoints"],
  "modules/operations/changeJob.ts": [1, "cancels a job or queues it, which is not told"],
  "modules/registrations/callRefusals.ts": [1, "changes no status"],
  "modules/retention/expireAttempts.ts": [3, TELLS],
  "modules/retention/purge.ts": [4, "deletes, or changes no status"],
  "modules/rollups/catchUpReads.ts": [1, "changes no status"],
  "modules/rollups/resumeReads.ts": [3, "changes no status"],
};

test("every statement that can change a told status is known", () => {
  const files = globSync("**/*.ts", { cwd: SOURCE })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !/\.test\.ts$|\/testing\/|^_generated\/|^dev\/|^faults\//.test(file));
  const found = files.flatMap((file) => {
    const text = readFileSync(join(SOURCE, file), "utf8");
    const statements = text.match(WRITES)?.length ?? 0;
    return statements === 0 ? [] : [[file, [statements, text.includes("recordEvents(") ? TELLS : "no"]] as const];
  });
  const expected = Object.entries(KNOWN).map(([file, [statements, how]]) => [
    file,
    [statements, how === TELLS ? TELLS : "no"],
  ]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
});
