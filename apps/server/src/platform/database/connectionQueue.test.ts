import { expect, test } from "vitest";
import { CallerGoneError, Presence } from "../call/presence.ts";
import { ConnectionQueue } from "./connectionQueue.ts";

const TIMEOUT_MS = 60_000;

/** A queue in front of some connections, and the order in which requests took one. */
function queueFor(places: number) {
  const taken: string[] = [];
  const refused: string[] = [];
  const queue = new ConnectionQueue(places, TIMEOUT_MS, () => undefined);
  const request = (name: string, presence: Presence) =>
    new Promise<void>((resolve) => {
      queue.enter(presence, (error) => {
        if (error === null) taken.push(name);
        else refused.push(`${name}: ${error instanceof CallerGoneError ? "left" : error.message}`);
        resolve();
      });
    });
  return { queue, taken, refused, request };
}

test("an owner whose queue is full is refused, and another owner is served next but one", async () => {
  const { queue, taken, refused, request } = queueFor(1);
  const [busy, other] = [new Presence("busy"), new Presence("other")];
  for (let index = 0; index <= 100; index += 1) void request(`busy ${index}`, busy);
  await request("one more", busy);
  expect(refused).toEqual(["one more: The service is busy. Try again later."]);
  void request("other", other);
  for (let freed = 0; freed < 3; freed += 1) queue.exit();
  expect(taken).toEqual(["busy 0", "busy 1", "other", "busy 2"]);
});

test("requests of unknown callers share the queue of their network, and networks take turns", async () => {
  const { queue, taken, refused, request } = queueFor(1);
  for (let index = 0; index <= 100; index += 1) void request(`${index}`, new Presence(null, "network"));
  await request("one more", new Presence(null, "network"));
  expect(refused).toHaveLength(1);
  void request("other", new Presence(null, "other network"));
  for (let freed = 0; freed < 3; freed += 1) queue.exit();
  expect(taken).toEqual(["0", "1", "other", "2"]);
});

test("a request leaves the queue with its caller, and a free connection is taken immediately", async () => {
  const { queue, taken, refused, request } = queueFor(1);
  const leaving = new Presence("leaving");
  await request("first", new Presence("first"));
  const left = request("left", leaving);
  leaving.leave();
  await left;
  queue.exit();
  await request("second", new Presence("second"));
  expect(taken).toEqual(["first", "second"]);
  expect(refused).toEqual(["left: left"]);
});
