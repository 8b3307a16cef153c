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

  it("shows why a post was not found", async () => {
    const { result } = await lookUp((mock) => mock.account("PROVIDER_A", "another-channel").posts()[0]?.url);
    expect(result.status).toBe(404);
    expect(result.text).toContain("belongs to another account");
  });

  it("shows a page for an address that the service rejects", async () => {
    const { answer } = await lookUp(() => "no address");
    expect(answer.status).toBe(400);
  });
});
