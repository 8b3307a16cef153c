import { createConsumerMock } from "@social-connect/mocks";
import { expect, test } from "vitest";
import { EventTable, receive } from "./app/events.ts";

// #region test-events
test("a consent that ends is stored once, although its event fails first and comes twice", async () => {
  const mock = createConsumerMock();
  const { connectionId } = await mock.load("connected");
  const table = new EventTable();
  const endpoint = mock.events.sendTo((request) => receive(request, [endpoint.secret], table));

  mock.events.fail(503);
  mock.events.duplicate();
  mock.connection(connectionId).loseGrant();
  await mock.clock.advance("1m");

  expect(table.list()).toMatchObject([{ type: "connection.reconnect_required", data: { connectionId } }]);
});
// #endregion test-events

test("an event that another endpoint's secret signed is refused", async () => {
  const mock = createConsumerMock();
  const { connectionId } = await mock.load("connected");
  const table = new EventTable();
  const other = mock.events.sendTo(() => new Response());
  mock.events.sendTo((request) => receive(request, [other.secret], table));
  mock.connection(connectionId).loseGrant();
  await mock.settle();
  expect(mock.events.sent().map(({ status }) => status)).toEqual([200, 400]);
  expect(table.list()).toEqual([]);
});

test("after a rotation, the previous secret and the new one are each enough for a day", async () => {
  const mock = createConsumerMock();
  const table = new EventTable();
  const previous = { secret: "" };
  const endpoint = mock.events.sendTo((request) => receive(request, [previous.secret], table));
  previous.secret = endpoint.secret;
  endpoint.rotate();
  endpoint.sendTest();
  await mock.settle();
  expect(table.list()).toMatchObject([{ type: "test" }]);

  await mock.clock.advance("25h");
  endpoint.sendTest();
  await mock.settle();
  expect(mock.events.sent().map(({ status }) => status)).toEqual([204, 400]);
});
