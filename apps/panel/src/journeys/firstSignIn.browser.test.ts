import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, expectGood } from "./testing/accessibility.ts";
import { PanelPlace } from "./testing/panelPlace.ts";
import { LOOKS } from "./testing/person.ts";

let place: PanelPlace;
beforeAll(async () => {
  place = await PanelPlace.start();
});
afterAll(() => place?.close());

test("an admin signs in for the first time, sees the page that was asked for, and signs out", async () => {
  const person = await place.person();
  await person.open("/clients?find=acme");
  await person.heading("Social Connect admin");
  await person.page.getByRole("link", { name: "Sign in" }).click();
  await person.passIssuer("admin");
  await person.heading("Clients");
  expect(new URL(person.page.url()).search).toBe("?find=acme");
  await person.goTo("Clients");
  await expect.poll(() => person.page.evaluate("document.activeElement.textContent")).toBe("Clients");
  await person.page.getByText("No client yet").waitFor();
  await expectGood(person, "no clients");
  await person.page.getByRole("button", { name: "Account of admin@example.test" }).click();
  await person.page.getByRole("menuitem", { name: "Sign out" }).click();
  await person.heading("Social Connect admin");
  await person.page.goBack();
  await person.page.goForward();
  await person.heading("Social Connect admin");
  expect(person.complaints).toEqual([]);
  await person.leave();
});

test.each(LOOKS)("the page to sign in is good to everybody: $name", async (look) => {
  const person = await place.person(look);
  await person.open("");
  await person.heading("Social Connect admin");
  await expectAccessible(person.page, look.name);
  expect(person.complaints).toEqual([]);
  await person.leave();
});
