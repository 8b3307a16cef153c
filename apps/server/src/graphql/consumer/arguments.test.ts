import { beforeAll, expect, test } from "vitest";
import { query, server, useServer } from "../../http/testing/testServer.ts";
import { application, connect } from "../../modules/testing/fixtures.ts";
import { documentOf } from "../testing/documentOf.ts";
import { consumerSchema } from "./schema.ts";

useServer();

let connectionId: string;

beforeAll(async () => {
  connectionId = (await connect()).id;
});

const WINDOW = { publishedAfter: "2026-01-01T00:00:00Z", publishedBefore: "2026-01-02T00:00:00Z" };
const TOO_LONG = { ...WINDOW, publishedBefore: "2026-04-02T00:00:00Z" };
const EMPTY = { ...WINDOW, publishedBefore: WINDOW.publishedAfter };
const ONE_READ = "`providerContentId` cannot be combined with `window` or `continuationCursor`.";

test.each<[field: string, args: object, message: string]>([
  ["content", { window: { ...WINDOW, first: 0 } }, "`first` must be between 1 and 50."],
  ["content", { window: { ...WINDOW, first: 51 } }, "`first` must be between 1 and 50."],
  ["content", { window: { ...EMPTY, first: 1 } }, "`publishedBefore` must be after `publishedAfter`."],
  ["content", { window: { ...TOO_LONG, first: 1 } }, "A window can span at most 90 days."],
  ["requestRefresh", { window: { ...WINDOW, maxItems: 101 } }, "`maxItems` must be between 1 and 100."],
  ["requestRefresh", { window: EMPTY }, "`publishedBefore` must be after `publishedAfter`."],
  ["requestRefresh", { window: TOO_LONG }, "A window can span at most 90 days."],
  ["requestRefresh", { providerContentId: "post-1", window: WINDOW }, ONE_READ],
  ["requestRefresh", { providerContentId: "post-1", continuationCursor: "x" }, ONE_READ],
  ["connections", { first: 0 }, "`first` must be between 1 and 100."],
  ["connections", { first: 101 }, "`first` must be between 1 and 100."],
  ["connections", { scope: { tenantKey: "", externalSubjectId: "x" } }, "`tenantKey` must have 1 to 128 characters."],
])("%s rejects %j", async (field, args, message) => {
  const { scope } = application;
  const passed = { scope, ...(field !== "connections" && { connectionId }), ...args };
  const { errors } = await query(server, application.key, documentOf(consumerSchema, field), passed);
  expect(errors).toMatchObject([{ message, extensions: { code: "BAD_USER_INPUT" } }]);
});
