import { describe, expect, it } from "vitest";
import { startExample } from "../testing/example.ts";

describe("looking up a post", () => {
  async function lookUp(urlOf: (mock: ReturnType<typeof startExample>["mock"], id: string) => string | undefined) {
    const { mock, browser, link } = startExample();
    const id = await link();
    await mock.settle();
    const visitor = await browser().signIn();
    const answer = await visitor.post(`/accounts/${id}/lookup`, { url: urlOf(mock, id) ?? "" });
    return { mock, id, visitor, answer, result: await visitor.get(answer.location ?? "/") };
  }

  it("leads to the post that was found", async () => {
    const { mock, id, visitor, result } = await lookUp((mock, id) => mock.connection(id).account.posts()[0]?.url);
    const post = mock.connection(id).account.posts()[0];
    const path = `/accounts/${id}/posts/${encodeURIComponent(post?.id ?? "")}`;
    expect(result).toMatchObject({ status: 303, location: path });
    expect((await visitor.get(path)).text).toContain(post?.title);
  });

  it("shows why a post was not found, beside what was typed", async () => {
    const { mock, result } = await lookUp((mock) => mock.account("PROVIDER_A", "another-channel").posts()[0]?.url);
    expect(result.status).toBe(404);
    expect(result.text).toContain("belongs to another account");
    expect(result.text).toContain(`value="${mock.account("PROVIDER_A", "another-channel").posts()[0]?.url}"`);
  });

  it("keeps what was typed when the service rejects it, and escapes it", async () => {
    const { answer } = await lookUp(() => 'no "address"');
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('value="no &quot;address&quot;"');
    expect(answer.text).toContain('aria-invalid="true" aria-describedby="url-problem"');
  });

  it("keeps what was typed during an outage", async () => {
    const { mock, browser, link } = startExample();
    const id = await link();
    const visitor = await browser().signIn();
    mock.faults.always("requestContentLookup", { status: 503 });
    const answer = await visitor.post(`/accounts/${id}/lookup`, { url: "https://videos.example/watch?v=1" });
    expect(answer.status).toBe(503);
    expect(answer.text).toContain('value="https://videos.example/watch?v=1"');
  });
});
