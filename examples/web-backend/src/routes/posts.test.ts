import { describe, expect, it } from "vitest";
import { job, refusal, startExample } from "../testing/fakeService.ts";

describe("looking up a post", () => {
  it("leads to the post that was found", async () => {
    const { browser } = startExample({
      requestContentLookup: job("QUEUED"),
      syncJob: job("SUCCEEDED", { resultProviderContentId: "post/1" }),
    });
    const visitor = await browser().signIn();
    const { location } = await visitor.post("/accounts/connection-1/lookup", {
      url: "https://videos.example/watch?v=1",
    });
    expect(await visitor.get(location ?? "")).toMatchObject({
      status: 303,
      location: "/accounts/connection-1/posts/post%2F1",
    });
    expect((await visitor.get("/accounts/connection-1/posts/post%2F1")).text).toContain("Night train to the coast");
  });

  it("shows why a post was not found", async () => {
    const { browser } = startExample({
      requestContentLookup: job("QUEUED"),
      syncJob: job("FAILED", { errorCode: "CONTENT_NOT_OWNED" }),
    });
    const visitor = await browser().signIn();
    const { location } = await visitor.post("/accounts/connection-1/lookup", {
      url: "https://videos.example/watch?v=1",
    });
    const { status, text } = await visitor.get(location ?? "");
    expect(status).toBe(404);
    expect(text).toContain("belongs to another account");
  });

  it("refuses what the service refuses, with a page", async () => {
    const { browser } = startExample({ requestContentLookup: refusal("BAD_USER_INPUT") });
    const answer = await (await browser().signIn()).post("/accounts/connection-1/lookup", { url: "no address" });
    expect(answer.status).toBe(400);
  });
});
