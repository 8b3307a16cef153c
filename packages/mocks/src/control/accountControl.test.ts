import { expect, test } from "vitest";
import { createConsumerMock } from "../mock/consumerMock.ts";

test("a person who removed the app cannot remove it again, but the message about it may arrive later", async () => {
  const mock = createConsumerMock();
  const { providerB } = await mock.load("connected-everywhere");
  const connection = mock.connection(providerB.connectionId);
  connection.account.endGrants("removed-app");
  connection.account.removeApp();
  expect(connection.state.status).toBe("CONNECTED");
  connection.account.removeApp({ at: mock.clock.now() });
  expect(connection.state.status).toBe("RECONNECT_REQUIRED");
});
