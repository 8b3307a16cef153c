import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { expectGood } from "./testing/accessibility.ts";
import { PanelPlace } from "./testing/panelPlace.ts";

/** Bounds a page that does not come, also on a machine that has much else to do. */
vi.setConfig({ testTimeout: 180_000 });

let place: PanelPlace;

beforeAll(async () => {
  place = await PanelPlace.start();
});
afterAll(() => place?.close());

test("pages that have nothing to show are good to everybody", async () => {
  const person = await place.person();
  await person.signIn();
  for (const [path, text] of [
    ["", "Nothing needs your attention"],
    ["/registrations", "There is none yet"],
    ["/api-keys", "Nobody has minted a key yet"],
    ["/audit?action=Client+disabled", "Nothing like this in the last 30 days"],
    ["/audit/nothing", "There is no such entry any more"],
    ["/health", "Nobody has connected an account yet"],
    ["/nowhere", "Nothing is at this address"],
  ] as const) {
    await person.open(path);
    await person.page.getByText(text).waitFor();
    await expectGood(person, path);
  }
  expect(person.complaints).toEqual([]);
  await person.leave();
});
