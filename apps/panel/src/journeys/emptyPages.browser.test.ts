import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { expectAccessible } from "./testing/accessibility.ts";
import { TestPanel } from "./testing/testPanel.ts";

/** Bounds a page that does not come, also on a machine that has much else to do. */
vi.setConfig({ testTimeout: 180_000 });

let panel: TestPanel;

beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel?.close());

test("pages that have nothing to show are good to everybody", async () => {
  const user = await panel.user();
  await user.signIn();
  for (const [path, text] of [
    ["", "Nothing needs your attention"],
    ["/registrations", "There is none yet"],
    ["/api-keys", "Nobody has minted a key yet"],
    ["/audit?action=Client+disabled", "Nothing like this in the last 30 days"],
    ["/audit/nothing", "There is no such entry any more"],
    ["/health", "Nobody has connected an account yet"],
    ["/nowhere", "Nothing is at this address"],
  ] as const) {
    await user.open(path);
    await user.page.getByText(text).waitFor();
    await expectAccessible(user, path);
  }
  expect(user.complaints).toEqual([]);
  await user.leave();
});
