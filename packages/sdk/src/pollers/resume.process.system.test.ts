import { runProgram } from "@social-connect/sdk-core/testing/runProgram";
import { startService, type TestServer } from "@social-connect/sdk-core/testing/servers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fakeApi, KEY, type Replies } from "../testing/fakeApi.ts";
import type { ProcessInput } from "../testing/oneProcess.ts";
import { connectResult, DISCONNECTED, job, SESSION_WIRE } from "../testing/samples.ts";
import type { SavedPoller } from "./saved.ts";

const REPLIES: Replies = {
  createConnectSession: SESSION_WIRE,
  connectSessionResult: [connectResult("AUTHORIZING"), connectResult("COMPLETED")],
  requestRefresh: [job("QUEUED"), job("SUCCEEDED", { id: "job-2", completeForWindow: true })],
  requestContentLookup: job("QUEUED", { id: "lookup-1" }),
  disconnectConnection: DISCONNECTED,
  syncJob: ({ body }) => {
    const { id } = body.variables;
    if (id === "job-1") return job("SUCCEEDED", { completeForWindow: false, continuationCursor: "cursor-1" });
    if (id === "lookup-1") return job("SUCCEEDED", { id: "lookup-1", resultProviderContentId: "p" });
    return job("SUCCEEDED", { id: String(id) });
  },
};

const api = fakeApi(REPLIES);
let service: TestServer;

beforeAll(async () => {
  service = await startService(api.fetch);
});

afterAll(() => service.close());

function runProcess(fields: Omit<ProcessInput, "baseUrl">): Promise<string> {
  const input = JSON.stringify({ ...fields, baseUrl: service.url });
  return runProgram(new URL("../testing/oneProcess.ts", import.meta.url), { input });
}

it("another process resumes saved pollers with the same result, and the saved JSON has no secrets", async () => {
  const saved = await runProcess({});
  for (const secret of [KEY, KEY.slice(37), SESSION_WIRE.launchToken]) expect(saved).not.toContain(secret);
  const pollers: SavedPoller[] = JSON.parse(saved);
  expect(pollers.map(({ kind }) => kind)).toEqual(["connect-result", "refresh", "lookup", "disconnect"]);

  const [connected, scanned, found, disconnection] = JSON.parse(await runProcess({ saved: pollers }));
  expect(connected).toEqual(connectResult("COMPLETED"));
  expect(scanned).toMatchObject({ complete: true, last: { id: "job-2" }, jobs: [{ id: "job-1" }, { id: "job-2" }] });
  expect(found).toMatchObject({ status: "SUCCEEDED", resultProviderContentId: "p" });
  expect(disconnection).toBe("revoked");
  // No job was started a second time.
  const begun = ["createConnectSession", "requestContentLookup", "disconnectConnection"] as const;
  expect(begun.map((operation) => api.of(operation).length)).toEqual([1, 1, 1]);
}, 60_000);
