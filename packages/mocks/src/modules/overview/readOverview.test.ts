import { expect, test } from "vitest";
import { makeWorld } from "../../mock/options.ts";
import { readOverview } from "./readOverview.ts";

test("foresees the reconnects of connections whose refresh token ends within a week", () => {
  const world = makeWorld({
    connections: [
      { provider: "PROVIDER_A", account: "refresh-token-ends" },
      { provider: "PROVIDER_B", account: "refresh-token-ends" },
      { provider: "PROVIDER_B", account: "paper-cranes" },
    ],
  });
  const foreseen = readOverview(world).foreseenReconnects.map(({ provider, count }) => [provider, count]);
  expect(foreseen).toEqual([
    ["PROVIDER_A", 1],
    ["PROVIDER_B", 1],
  ]);
});
