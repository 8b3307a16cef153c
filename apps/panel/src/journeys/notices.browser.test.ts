import type { Page } from "@social-connect/testkit";
import { TestClock } from "@social-connect/testkit";
import { expect } from "vitest";
import { createRegistrations } from "../../../server/src/modules/testing/builders.ts";
import { test } from "./testing/journey.ts";

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

test.for([
  ["a desktop", 1440, 900],
  ["a phone", 390, 844],
] as const)(
  "no notice covers the error of a failed publication on %s",
  async ([, width, height], { panel, admin, page }) => {
    await page.setViewportSize({ width, height });
    const { PROVIDER_A: id } = await createRegistrations({ ...panel.service, clock: new TestClock(new Date()) });
    const { addresses } = panel.registration("PROVIDER_A");
    await panel.service.prisma.providerRegistration.update({
      where: { id },
      data: { addresses: { ...addresses, token: `${addresses.token}/wrong` }, status: "DRAFT" },
    });
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
      await page.getByRole("button", { name: "Publish" }).click();
    };
    await admin.confirmed(publish, page.getByRole("alert").getByText("do not respond as they should"));
    expect(await notices.getByText("You are still signed in").count()).toBe(1);
    expect(await notices.getByText("The registration was saved.").count()).toBe(0);
    await expect.poll(() => coverOf(page, "do not respond as they should")).toEqual([]);
  },
);
