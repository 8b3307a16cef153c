import { launchPage, SocialConnect } from "@social-connect/sdk";
import { afterEach, expect, it, vi } from "vitest";
import { fakeApi, KEY as key } from "./testing/fakeApi.ts";
import {
  connectResult,
  contentPage,
  DISCONNECTED,
  job,
  post,
  SESSION_WIRE,
  WINDOW as window,
} from "./testing/samples.ts";

/** The service of the snippet: the user consents, the account has two posts, and the provider revokes the grant. */
const { fetch, calls } = fakeApi({
  createConnectSession: SESSION_WIRE,
  connectSessionResult: connectResult("COMPLETED"),
  requestRefresh: job("SUCCEEDED", { completeForWindow: true }),
  syncJob: job("SUCCEEDED"),
  content: contentPage([post("1"), post("2")]),
  disconnectConnection: DISCONNECTED,
});

afterEach(() => {
  vi.unstubAllGlobals();
});

it("the quick start connects, waits, reads posts and disconnects", async () => {
  vi.stubGlobal("fetch", fetch);
  const lines: unknown[][] = [];
  const console = { log: (...line: unknown[]) => lines.push(line) };
  const pages: string[] = [];
  const sendToBrowser = (page: ReturnType<typeof launchPage>) => pages.push(page.html);
  const baseUrl = "https://sandbox.example.com";
  const returnUrl = "https://app.example.com/return";

  const social = new SocialConnect({ baseUrl, key });
  const user = social.forSubject({ tenantKey: "acme", externalSubjectId: "user-42" });

  // Keep session.id with your signed-in user; the page takes the browser to the provider's consent.
  const session = await user.connect({
    provider: "PROVIDER_A",
    capabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"],
    returnUrl,
  });
  sendToBrowser(launchPage(session));

  const result = await user.connectResult(session.id).wait();
  if (result.status === "COMPLETED") {
    await user.refresh(result.connectionId, { window }).scanAll();
    for await (const item of user.content(result.connectionId, window)) {
      console.log(item.publishedAt, item.title, item.metrics);
    }
    const disconnection = await user.disconnect(result.connectionId);
    console.log(await disconnection.settled());
  }

  expect(pages[0]).toContain(SESSION_WIRE.launchToken);
  expect(lines).toEqual([
    ["2026-02-20T08:00:00.000Z", "Post 1", []],
    ["2026-02-20T08:00:00.000Z", "Post 2", []],
    ["revoked"],
  ]);
  expect(calls.map((call) => call.operation)).toContain("disconnectConnection");
});
