/** @module-tag nightly */
import { type Page, testClock } from "@social-connect/testkit";
import { expect } from "vitest";
import { test } from "./testing/journey.ts";
import { createRegistrations, moveRegistration } from "./testing/server.ts";

/** The content of the elements that cover the corners and the middle of an alert, within its rounded border. */
function coverOf(page: Page, alert: string): Promise<unknown> {
  return page.evaluate((text) => {
    const found = [...document.querySelectorAll("[role=alert]")].find((element) => element.textContent?.includes(text));
    if (found === undefined) return ["no such alert"];
    const { left, right, top, bottom } = found.getBoundingClientRect();
    const points = [
      [left + 12, top + 12],
      [right - 12, top + 12],
      [left + 12, bottom - 12],
      [right - 12, bottom - 12],
      [(left + right) / 2, (top + bottom) / 2],
    ] as const;
    return points.flatMap(([x, y]) => {
      const shown = document.elementFromPoint(x, y);
      return found.contains(shown) ? [] : [shown?.textContent ?? "outside of the window"];
    });
  }, alert);
}

/** Scrolls the page so that a button is directly above the notices: what appears in its place reaches below them. */
async function scrollAboveNotices(page: Page, button: string): Promise<void> {
  await page.evaluate((label) => {
    const found = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === label);
    const notices = document.querySelector("[aria-label=Notices]");
    if (!found || !notices) throw new Error(`No button ${label} or no notices.`);
    window.scrollBy({
      top: found.getBoundingClientRect().bottom - notices.getBoundingClientRect().top,
      behavior: "instant",
    });
  }, button);
}

/** How far the notices reach over the content of the page, in pixels, once it is scrolled to its end. */
function coveredAtEnd(page: Page): Promise<number> {
  return page.evaluate(() => {
    window.scrollTo({ top: document.body.scrollHeight, behavior: "instant" });
    const contents = [...document.querySelectorAll("main section")];
    const notices = document.querySelector("[aria-label=Notices]");
    if (contents.length === 0 || !notices) throw new Error("No content or no notices.");
    const end = Math.max(...contents.map((element) => element.getBoundingClientRect().bottom));
    return end - notices.getBoundingClientRect().top;
  });
}

test.for([
  ["a desktop", 1440, 900],
  ["a phone", 390, 844],
] as const)(
  "no notice covers the error of a failed publication on %s",
  async ([, width, height], { panel, admin, page }) => {
    await page.setViewportSize({ width, height });
    const { PROVIDER_A: id } = await createRegistrations({ ...panel.service, clock: testClock(new Date()) });
    const { addresses } = panel.registration("PROVIDER_A");
    const wrong = { ...addresses, token: `${addresses.token}/wrong` };
    await moveRegistration(panel.service, id, { addresses: wrong });
    await panel.service.prisma.providerRegistration.update({ where: { id }, data: { status: "DRAFT" } });
    // A notice of a failure stays until it is closed.
    admin.expectsErrors = true;
    await page.route("**/panel/sign-out", (route) => route.fulfill({ status: 503, body: "" }));
    await admin.open(`/registrations/${id}`);
    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    const notices = page.getByRole("region", { name: "Notices" });
    await notices.getByText("You are still signed in").waitFor();

    await page.getByLabel("Client id").fill("another-client");
    const publish = async () => {
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await notices.getByText("The registration was saved.").waitFor();
      await scrollAboveNotices(page, "Publish");
      await page.getByRole("button", { name: "Publish" }).click();
    };
    await admin.confirmed(publish, page.getByRole("alert").getByText("do not respond as they should"));
    expect(await notices.getByText("You are still signed in").count()).toBe(1);
    expect(await notices.getByText("The registration was saved.").count()).toBe(0);
    await expect.poll(() => coverOf(page, "do not respond as they should")).toEqual([]);
    await expect.poll(() => coveredAtEnd(page)).toBeLessThanOrEqual(0);
  },
);

test("the notice of a success disappears when the next action starts", async ({ panel, admin, page }) => {
  const { id } = await panel.client("notified");
  await panel.service.prisma.application.update({
    where: { id },
    data: { identityReturnUrls: ["https://notified.example/signed-in"] },
  });
  await admin.open(`/clients/${id}/identity`);
  const toggle = page.getByRole("switch", { name: "Allow the application to sign users in" });
  const turnedOn = page.getByRole("region", { name: "Notices" }).getByText("The identity sign-in was turned on.");
  await admin.confirmed(() => toggle.click(), turnedOn);

  await panel.service.prisma.application.delete({ where: { id } });
  await toggle.click();
  await page.getByRole("alert").waitFor();
  expect(await turnedOn.count()).toBe(0);
});
