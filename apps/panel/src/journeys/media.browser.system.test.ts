/** @module-tag nightly */
import type { Locator, Page } from "@social-connect/testkit";
import { expect } from "vitest";
import { expectNoViolations } from "./testing/accessibility.ts";
import { test } from "./testing/journey.ts";

function styleOf(element: Locator, property: string, pseudo: string | null = null): Promise<string> {
  const wanted = [property, pseudo] as const;
  return element.evaluate((node, [name, part]) => getComputedStyle(node, part).getPropertyValue(name), wanted);
}

/** The class names of the library's parts are stable. */
const part = (page: Page, name: string) => page.locator(`.mantine-${name}`).first();

test("forced colors show what is selected, on and current", async ({ panel, admin: user, page }) => {
  const { id } = await panel.client("forced");
  await page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
  await user.open(`/clients/${id}/policy`);
  const menu = page.getByRole("navigation", { name: "Pages" });
  expect(await styleOf(menu.getByRole("link", { name: "Clients" }), "outline-style")).toBe("solid");
  expect(await styleOf(menu.getByRole("link", { name: "Support" }), "outline-style")).toBe("none");
  const tabs = page.getByRole("navigation", { name: "Client sections" });
  const [current, other] = [tabs.getByRole("link", { name: "Permissions" }), tabs.getByRole("link", { name: "Keys" })];
  const lineOf = (tab: Locator) => styleOf(tab, "border-bottom-color");
  expect(await lineOf(current)).not.toBe(await lineOf(other));
  const box = part(page, "Checkbox-input");
  const fill = () => styleOf(box, "background-color");
  expect(await box.isChecked()).toBe(true);
  const checked = await fill();
  await box.click();
  await expect.poll(fill).not.toBe(checked);

  await user.open(`/clients/${id}/identity`);
  const [track, thumb] = [part(page, "Switch-track"), part(page, "Switch-thumb")];
  await track.waitFor();
  expect(await styleOf(thumb, "background-color")).not.toBe(await styleOf(track, "background-color"));
  await page.keyboard.press("Control+K");
  const option = page.getByRole("option", { selected: true });
  expect(await styleOf(option, "outline-style")).toBe("solid");
  await expectNoViolations(page, "forced colors");
});

test("prints the content in dark ink, without the bar, the menu and the buttons", async ({ panel, admin, page }) => {
  await panel.client("printed");
  await page.emulateMedia({ colorScheme: "dark" });
  await admin.open("/clients");
  const cell = page.getByRole("row").getByRole("cell").first();
  await cell.waitFor();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  expect(await page.getByRole("banner").isVisible()).toBe(false);
  expect(await page.getByRole("navigation", { name: "Pages" }).isVisible()).toBe(false);
  expect(await page.getByRole("searchbox").isVisible()).toBe(false);
  expect(await page.getByRole("columnheader", { name: "Slug" }).getByRole("button").isVisible()).toBe(true);
  expect(await styleOf(cell, "color")).toBe("rgb(0, 0, 0)");
  expect(await styleOf(page.locator("main"), "margin-left")).toBe("0px");
});

test("a wide table can be scrolled with the keyboard", async ({ admin, page }) => {
  await admin.open("/admins");
  const table = page.getByRole("table");
  await table.waitFor();
  expect(await page.getByRole("group", { name: "Admins, oldest first" }).count()).toBe(0);
  await page.evaluate("void (document.querySelector('table').style.minWidth = '2000px')");
  const frame = page.getByRole("group", { name: "Admins, oldest first" });
  await frame.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => frame.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);
  await expectNoViolations(page, "a wide table");
});

test("a table says on a phone that its bar sorts", async ({ admin, page }) => {
  await page.setViewportSize({ width: 390, height: 860 });
  await admin.open("/admins");
  const table = page.getByRole("table");
  await table.waitFor();
  expect(await styleOf(table.locator("thead tr"), "content", "::before")).toBe('"Sort by"');
  const [bar, whole] = [await table.locator("thead").boundingBox(), await table.boundingBox()];
  expect(bar?.width).toBe(whole?.width);
});
