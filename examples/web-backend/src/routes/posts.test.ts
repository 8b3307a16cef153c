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
    expect(result).toMatchObject({ status: 303, location: `${path}?found` });
    expect((await visitor.get(`${path}?found`)).text).toContain(`data-draft-done="lookup ${id}"`);
    expect((await visitor.get(`/accounts/${id}/lookup`)).text).toContain('value=""');
    expect((await visitor.get(path)).text).toContain(post?.title);
  });

  it("shows why a post was not found, beside what was typed", async () => {
    const { mock, result } = await lookUp((mock) => mock.account("PROVIDER_A", "another-channel").posts()[0]?.url);
    expect(result.status).toBe(404);
    expect(result.text).toContain("belongs to another account");
    expect(result.text).toContain(`value="${mock.account("PROVIDER_A", "another-channel").posts()[0]?.url}"`);
  });

  it("keeps what was typed when the service rejects it, and escapes it", async () => {
    const { id, visitor, answer } = await lookUp(() => 'no "address"');
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('value="no &quot;address&quot;"');
    expect(answer.text).toContain('aria-invalid="true" aria-describedby="url-problem"');
    expect((await visitor.get(`/accounts/${id}`)).text).toContain('value="no &quot;address&quot;"');
  });

  it("keeps what was typed during an outage, for its user only", async () => {
    const { mock, browser, link } = startExample();
    const id = await link();
    const visitor = await browser().signIn();
    mock.faults.always("requestContentLookup", { status: 503 });
    const answer = await visitor.post(`/accounts/${id}/lookup`, { url: "https://videos.example/watch?v=1" });
    expect(answer.status).toBe(503);
    expect(answer.text).toContain('value="https://videos.example/watch?v=1"');
    expect((await visitor.get(`/accounts/${id}/lookup`)).text).toContain('value="https://videos.example/watch?v=1"');
    const other = await browser().signIn("user-yuki");
    expect((await other.get(`/accounts/${id}/lookup`)).text).toContain('value=""');
  });
});

describe("views over time", () => {
  it("are drawn from the numbers of each read, with a table, and end with the account", async () => {
    const { mock, browser, link } = startExample();
    const id = await link();
    await mock.settle();
    const post = mock.connection(id).publish({ metrics: { VIEWS: "100" } });
    const visitor = await browser().signIn();
    const path = `/accounts/${id}/posts/${encodeURIComponent(post.id)}`;
    const first = await visitor.get(path);
    expect(first.text).toContain("There is one reading so far.");
    expect(first.text).not.toContain("<polyline");
    await visitor.get(path);
    expect((await visitor.get(path)).text).toContain("There is one reading so far.");

    await mock.clock.advance("1h");
    mock.connection(id).account.change(post.id, { metrics: { VIEWS: "98765432109876543210" } });
    mock.connection(id).observe(post.id);
    const second = await visitor.get(path);
    expect(second.text).toMatch(/<polyline points="16,184 624,16"/);
    expect(second.text).toMatch(/<td class="known">100<\/td>.*<td class="known">98,765,432,109,876,543,210<\/td>/s);

    await visitor.post(`/accounts/${id}/disconnect`);
    expect((await visitor.get(path)).text).not.toContain("Views over time");
  });
});
