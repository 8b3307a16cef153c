/** Reads of selected fields, on a real HTTP server that runs documents on the published schema. */
import { ConfigurationError } from "@social-connect/sdk-core";
import { describe, expect, expectTypeOf, it } from "vitest";
import { type CallOptions, type ContentItem, metric } from "./index.ts";
import { fakeClient } from "./testing/fakeApi.ts";
import { connection, contentPage, post, WINDOW } from "./testing/samples.ts";
import { schemaServer } from "./testing/schemaServer.ts";

const METRICS = ["VIEWS", "LIKES"].map((name, index) => {
  return { name, value: `${index + 1}`, availability: "AVAILABLE", reason: null, sourceField: "f", observedAt: "t" };
});
const PROFILE = {
  providerAccountId: "a",
  displayName: "Mara",
  handle: "@mara",
  avatarUrl: null,
  profileUrl: null,
  description: null,
  observedAt: "t",
};

describe("select", () => {
  it("of a post reads and returns the selected fields only, and narrows the type", async () => {
    const { user, requests } = await schemaServer({ contentItem: post("p", { metrics: METRICS }) });
    const found = await user.contentItem("c", "p", {
      select: { title: true, metrics: { name: true, value: true } },
    });
    expectTypeOf(found).toEqualTypeOf<{
      readonly title: string | null;
      readonly metrics: readonly {
        readonly name: ContentItem["metrics"][number]["name"];
        readonly value: string | null;
      }[];
    } | null>();
    expect(found).toEqual({ title: "Post p", metrics: METRICS.map(({ name, value }) => ({ name, value })) });
    expect(found && metric(found, "LIKES")).toBe(2n);
    expect(requests[0]?.body.query).toMatch(/\{title metrics\{name value\}\}\}$/);
  });

  it("of a connection can select the fields of its profile, or all of them", async () => {
    const { user } = await schemaServer({ connection: connection("c", { profile: PROFILE }) });
    const name = await user.connection("c", { select: { profile: { displayName: true } } });
    expectTypeOf(name).toEqualTypeOf<{ readonly profile: { readonly displayName: string | null } | null }>();
    expect(name).toEqual({ profile: { displayName: "Mara" } });
    const { profile } = await user.connection("c", { select: { profile: true }, timeoutMs: 60_000 });
    expect(profile).toEqual(PROFILE);
  });

  it("of a list selects fields of its items; a page keeps its own fields", async () => {
    const { user, requests } = await schemaServer({ content: contentPage([post("1"), post("2")]) });
    const posts = user.content("c", WINDOW, { select: { providerContentId: true }, pageSize: 7 });
    const page = await posts.page();
    expectTypeOf(page.items).toEqualTypeOf<readonly { readonly providerContentId: string }[]>();
    expectTypeOf(page.pageInfo.completeForWindow).toEqualTypeOf<boolean>();
    expect(page.items).toEqual([{ providerContentId: "1" }, { providerContentId: "2" }]);
    expect(page.pageInfo.completeForWindow).toBe(true);
    expect(requests[0]?.body.variables).toMatchObject({ window: { ...WINDOW, first: 7 } });
    for await (const item of posts) expectTypeOf(item).toEqualTypeOf<{ readonly providerContentId: string }>();

    const { user: other } = await schemaServer({
      connections: { items: [connection("c")], pageInfo: { endCursor: null, hasNextPage: false } },
    });
    const statuses = await other.connections({ select: { id: true, status: true } }).toArray({ limit: 5 });
    expect(statuses).toEqual([{ id: "c", status: "CONNECTED" }]);
  });

  it("keeps null for a post that was never observed", async () => {
    const { user } = await schemaServer({ contentItem: null });
    expect(await user.contentItem("c", "p", { select: { title: true } })).toBeNull();
  });

  it.each([
    ["a misspelled field", { tilte: true }, "Unknown property of select `tilte`. Did you mean `title`?"],
    [
      "a misspelled inner field",
      { metrics: { vlaue: true } },
      "Unknown property of select.metrics `vlaue`. Did you mean `value`?",
    ],
    ["fields of a scalar", { title: { length: true } }, "select.title must be true."],
    ["another value than true", { metrics: "all" }, "select.metrics must be an object."],
    ["false", { title: false }, "select.title must be true."],
    ["nothing", {}, "select must select at least one field."],
    ["an empty selection of an object", { metrics: {} }, "select.metrics must select at least one field."],
    ["a list", ["title"], "select must be an object."],
    ["null", null, "select must be an object."],
  ])("refuses %s before anything is sent", async (_, select, message) => {
    const { api, user } = fakeClient({});
    const options = { select } as unknown as CallOptions;
    await expect(user.contentItem("c", "p", options)).rejects.toThrow(message);
    expect(() => user.content("c", WINDOW, options)).toThrow(ConfigurationError);
    expect(api.calls).toHaveLength(0);
  });

  it("is checked by the compiler", () => {
    const { user } = fakeClient({ contentItem: null });
    const readWrongly = () => [
      // @ts-expect-error -- no such field
      user.contentItem("c", "p", { select: { title: true, tilte: true } }),
      // @ts-expect-error -- no such inner field
      user.contentItem("c", "p", { select: { metrics: { nmae: true } } }),
      // @ts-expect-error -- a scalar has no fields
      user.contentItem("c", "p", { select: { title: { length: true } } }),
    ];
    expect(readWrongly).toBeTypeOf("function");
  });

  it.each([
    ["without a selected field", { title: "T" }],
    ["with a value of another type", { title: 5, metrics: [] }],
    ["with another shape", { title: "T", metrics: [{ name: "VIEWS" }] }],
  ])("rejects a response %s", async (_, contentItem) => {
    const { user } = fakeClient({ contentItem });
    const call = user.contentItem("c", "p", { select: { title: true, metrics: { name: true, value: true } } });
    await expect(call).rejects.toMatchObject({ code: "UNEXPECTED_SHAPE", operation: "contentItem" });
  });

  it("is retried as the read that it narrows", async () => {
    const { api, user } = fakeClient({
      connection: [new TypeError("fetch failed", { cause: { code: "ECONNRESET" } }), { id: "c" }],
    });
    expect(await user.connection("c", { select: { id: true } })).toEqual({ id: "c" });
    expect(api.calls).toHaveLength(2);
  });
});
