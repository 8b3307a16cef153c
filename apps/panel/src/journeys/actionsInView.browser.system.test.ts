/** @module-tag nightly */
import type { Page } from "@social-connect/testkit";
import { expect } from "vitest";
import type { BrowserUser } from "./testing/browserUser.ts";
import { test } from "./testing/journey.ts";
import { plant } from "./testing/plant.ts";
import { createApiKey, createJob } from "./testing/server.ts";
import type { TestPanel } from "./testing/testPanel.ts";

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 500 },
] as const;
/** A window of 1280 pixels at a zoom of 400 %. */
const ZOOMED = { width: 320, height: 256 };

/** Opens the page of a user, of a connection, of a registration and of a key in turn. */
async function forEachPage(
  { panel, user }: { readonly panel: TestPanel; readonly user: BrowserUser },
  run: (name: string) => Promise<void>,
): Promise<void> {
  const { service, registrations, connection } = await plant(panel);
  for (let job = 0; job < 8; job += 1) await createJob(service, connection, { status: "SUCCEEDED" });
  const { page } = user;
  await user.open("/support");
  await page.getByRole("combobox", { name: "Client" }).fill("acme");
  await page.getByRole("combobox", { name: "User", exact: true }).fill("42");
  await page.getByRole("region", { name: "By user" }).getByRole("button", { name: "Search" }).click();
  await page.getByRole("link", { name: "What is stored about this user" }).click();
  await page.getByRole("region", { name: "Stored records" }).waitFor();
  await run("user");
  await user.open(`/support/connections/${connection.id}`);
  await page.getByLabel("Reason").fill("ticket 42");
  await page.getByRole("button", { name: "Open connection" }).click();
  await page.getByRole("region", { name: "Timeline" }).waitFor();
  await run("connection");
  await user.open(`/registrations/${registrations.PROVIDER_A}`);
  await page.getByRole("region", { name: "Quota", exact: true }).waitFor();
  await user.loaded();
  await run("registration");
  const member = await service.prisma.adminMember.findFirstOrThrow();
  const key = await createApiKey(service, member, "WRITE");
  await user.open(`/api-keys/${key.id}`);
  await user.loaded();
  await run("key");
}

const TO_THE_END = "window.scrollTo(0, document.documentElement.scrollHeight)";

/** Waits until the page is laid out at the size. */
async function resize(page: Page, size: { readonly width: number; readonly height: number }): Promise<void> {
  await page.setViewportSize(size);
  await expect.poll(() => page.evaluate("[innerWidth, innerHeight]")).toEqual([size.width, size.height]);
  await page.evaluate("new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))");
}

const bar = (page: Page) => page.getByRole("group", { name: "Actions" });

test("the actions of a record stay in view at the end of its page, and cover nothing that has the focus", async ({
  panel,
  admin: user,
  page,
}) => {
  await forEachPage({ panel, user }, async (name) => {
    for (const size of SIZES) {
      const where = `${name} at ${size.width} pixels`;
      await resize(page, size);
      await page.evaluate(TO_THE_END);
      for (const button of await bar(page).getByRole("button").all())
        expect([where, await button.evaluate(isInView)]).toEqual([where, true]);
      expect([where, await coveredWhenFocused(page)]).toEqual([where, []]);
    }
    if (name === "connection") {
      // Control: what a browser scrolls to is covered unless the page says what stays in view.
      await page.evaluate("document.documentElement.style.scrollPadding = '0px'");
      expect(await coveredWhenFocused(page)).not.toEqual([]);
    }
    // There it would leave no room for the page.
    await resize(page, ZOOMED);
    const endsAt = async () => {
      await page.evaluate(TO_THE_END);
      const box = await bar(page).boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0);
    };
    await expect.poll(async () => [name, await endsAt()]).toEqual([name, expect.toSatisfy((end: number) => end <= 0)]);
    await page.setViewportSize({ width: 1280, height: 860 });
  });
});

function isInView(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return top >= 0 && bottom <= window.innerHeight && element.contains(hit);
}

/** What is below the header, the actions or the notices when it gets the focus, from where it was below the header before. */
function coveredWhenFocused(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const covered: string[] = [];
    const shown = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const focusable = "a[href], button:not([disabled]), input, select, [tabindex='0']";
    for (const element of document.querySelectorAll<HTMLElement>(`main :is(${focusable})`)) {
      if (element.closest("[role=group][aria-label=Actions]") !== null) continue;
      element.blur();
      window.scrollBy(0, element.getBoundingClientRect().top - 20);
      await shown();
      element.focus();
      await shown();
      const { left, right, top, bottom } = element.getBoundingClientRect();
      if (document.activeElement !== element || right - left < 2) continue;
      const hit = document.elementFromPoint((left + right) / 2, top + Math.min(4, (bottom - top) / 2));
      if (!element.contains(hit))
        covered.push(`${element.tagName} ${element.textContent?.slice(0, 40)} at ${Math.round(top)}`);
    }
    return covered;
  });
}
