import { afterEach, expect, it, vi } from "vitest";
import { fakeApi, KEY } from "./testing/fakeApi.ts";
import { connectResult, contentPage, DISCONNECTED, job, post, SESSION_WIRE } from "./testing/samples.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

it("the first sample of the repository's README connects, reads posts and disconnects", async () => {
  const { fetch, calls } = fakeApi({
    createConnectSession: SESSION_WIRE,
    connectSessionResult: connectResult("COMPLETED"),
    requestRefresh: job("SUCCEEDED", { completeForWindow: true }),
    syncJob: job("SUCCEEDED"),
    content: contentPage([post("1"), post("2")]),
    disconnectConnection: DISCONNECTED,
  });
  vi.stubGlobal("fetch", fetch);
  vi.stubEnv("SOCIAL_CONNECT_URL", "https://sandbox.example.com");
  vi.stubEnv("SOCIAL_CONNECT_KEY", KEY);
  const { connect, readPosts, disconnect } = await import("./snippets/connectAndRead.ts");

  const { attemptId, page } = await connect("user-42");
  expect(page.html).toContain(SESSION_WIRE.launchToken);
  expect((await readPosts("user-42", attemptId)).map(({ title }) => title)).toEqual(["Post 1", "Post 2"]);
  expect(await disconnect("user-42", "connection-1")).toBe("revoked");
  expect(calls.map(({ operation }) => operation)).toContain("disconnectConnection");
});
