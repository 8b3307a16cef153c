import { expect, it } from "vitest";
import { startExample } from "../testing/example.ts";

async function opened() {
  const example = startExample();
  const id = await example.link();
  const visitor = await example.browser().signIn();
  const { text } = await visitor.get(`/accounts/${id}`);
  const path = /data-live="([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  return { ...example, id, visitor, path };
}

async function firstEvents(response: Response): Promise<string> {
  const reader = (response.body ?? new ReadableStream()).getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!/heartbeat|event:/.test(text)) text += decoder.decode((await reader.read()).value);
  await reader.cancel();
  return text;
}

it("the stream of a page reports nothing while the page is current, and a change once", async () => {
  const { mock, visitor, path } = await opened();
  const response = await visitor.events(path);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(await firstEvents(response)).toContain(": heartbeat");
  await mock.settle();
  const changed = await firstEvents(await visitor.events(path));
  const version = /id: (\S+)/.exec(changed)?.[1] ?? "";
  expect(changed).toContain("event: changed");
  expect(await firstEvents(await visitor.events(path, { "last-event-id": version }))).toContain(": heartbeat");
});

it("an outage and its end are changes", async () => {
  const { mock, visitor, path } = await opened();
  const outage = mock.faults.always("*", { status: 503 });
  const during = await firstEvents(await visitor.events(path));
  expect(during).toContain("event: changed");
  outage.remove();
  const after = await visitor.events(path, { "last-event-id": /id: (\S+)/.exec(during)?.[1] ?? "" });
  expect(await firstEvents(after)).toContain("event: changed");
});

it("the home page has a stream too", async () => {
  const { link, visitor } = await opened();
  const { text } = await visitor.get("/");
  const path = /data-live="([^"]+)"/.exec(text)?.[1] ?? "";
  expect(await firstEvents(await visitor.events(path))).toContain(": heartbeat");
  await link("another-channel");
  expect(await firstEvents(await visitor.events(path))).toContain("event: changed");
});

it("too many streams are refused with a time to try again", async () => {
  const { visitor, path } = await opened();
  await visitor.events(path);
  await visitor.events(path);
  const response = await visitor.events(path);
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("20");
});

it("a stream needs a session, and its own account", async () => {
  const { browser, path } = await opened();
  expect((await browser().events(path)).status).toBe(303);
  const response = await (await browser().signIn("user-yuki")).events(path);
  // It ends without an event: the page behind it is not this user's either.
  expect(await response.text()).toBe("retry: 2000\n\n");
});
