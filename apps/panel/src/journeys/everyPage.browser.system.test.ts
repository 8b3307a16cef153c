/** @module-tag nightly */
import { CONNECTION_STATUSES, JOB_ERROR_CODES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import { CONNECTION_CAUSES, STORED_SYNC_STATUSES } from "@social-connect/domain";
import type { Page } from "@social-connect/testkit";
import { expect } from "vitest";
import { expectAccessibleInEveryAppearance } from "./testing/accessibility.ts";
import { createRecords, pathOf, TITLES } from "./testing/everyPage.ts";
import { test } from "./testing/journey.ts";
import { type Planted, plant } from "./testing/plant.ts";
import { newId } from "./testing/server.ts";

/** Each page is checked six times, and a busy machine needs seconds for each. */
const TIMEOUT_MS = 1_200_000;

test("every page is accessible at every width, in light and dark mode, and zoomed", { timeout: TIMEOUT_MS }, async ({
  panel,
  user,
  page,
}) => {
  await user.open("");
  await page.getByRole("link", { name: "Sign in" }).waitFor();
  await expectAccessibleInEveryAppearance(user, "sign-in");
  await user.signIn();
  const records = await createRecords(panel);
  for (const [path, title] of Object.entries(TITLES)) {
    await user.open(pathOf(path, records));
    await user.heading(title);
    await user.loaded();
    expect([path, await page.getByRole("alert").allTextContents()]).toEqual([path, []]);
    await expectAccessibleInEveryAppearance(user, path);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 860 });
      await expectReadable(page, `${path} at ${width} pixels`);
    }
  }
});

test("no status, cause, provider or date of a connection is cut off or broken", async ({
  panel,
  admin: user,
  page,
}) => {
  await plantStates(await plant(panel));
  for (const [path, rows] of [
    ["/connections", STATES.length + 1],
    ["/connections?by=cause", 1],
    ["/connections?by=client", 1],
  ] as const) {
    await user.open(path);
    await expect.poll(() => page.getByRole("rowheader").count()).toBeGreaterThanOrEqual(rows);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 860 });
      await expectReadable(page, `${path} at ${width} pixels`);
    }
  }
  // Control: the check finds a status that is cut off.
  await user.open("/connections");
  await page.getByRole("cell", { name: "Reconnect required" }).first().waitFor();
  await page.evaluate(() => {
    for (const { style } of document.querySelectorAll<HTMLElement>("td:last-child")) {
      style.maxWidth = "40px";
      style.overflow = "hidden";
    }
  });
  expect(await clippedTexts(page)).toContain("Reconnect required");
});

/** What a connection can be in: each cause, without one each state of a scan, and each code with which one fails. */
const STATES = [
  ...CONNECTION_CAUSES.map((cause) => ({ cause })),
  ...STORED_SYNC_STATUSES.map((syncStatus) => ({ syncStatus })),
  ...JOB_ERROR_CODES.map((scanErrorCode) => ({ syncStatus: "FAILED" as const, scanErrorCode })),
];
const MINUTES = [59, 23 * 60, 44 * 24 * 60, 400 * 24 * 60];

/** Connections in each of these states, with every status and every provider, long and short ids, and times of all lengths. */
async function plantStates({ service, application, registrations }: Planted): Promise<void> {
  const now = service.clock.current;
  const of = <Value>(values: readonly Value[], index: number) => values[index % values.length] as Value;
  const data = STATES.map((state, index) => {
    const provider = of(SOCIAL_PROVIDERS, index);
    return {
      id: newId(),
      applicationId: application.id,
      tenantKey: of(["main", "tenant-of-a-large-customer-in-europe"], index),
      externalSubjectId: of([newId(), `user-${index}`, `${newId()}-${newId()}`], index),
      registrationId: registrations[provider],
      provider,
      providerAccountId: `account-of-a-user-${index}`,
      liveAccountId: null,
      status: of(CONNECTION_STATUSES, index),
      syncStatus: "READY" as const,
      capabilities: [],
      causeSince: "cause" in state ? service.clock.fromNow(-60_000 * of(MINUTES, index)) : null,
      createdAt: now,
      updatedAt: now,
      ...state,
    };
  });
  await service.prisma.connection.createMany({ data });
}

/** From a zoom of 400 % to a desktop. */
const WIDTHS = [320, 360, 390, 768, 1_024, 1_440];

/** Expects that no word is broken and no text is cut off. */
async function expectReadable(page: Page, where: string): Promise<void> {
  expect([where, await brokenWords(page), await clippedTexts(page)]).toEqual([where, [], []]);
}

/** Where long words are expected, such as addresses and ids: a cell or value that has them, and the names of rows. */
const LONG_WORDS = "[data-long], tbody th, code, [translate=no], dd";

/** The words that are laid out on more than one line. */
function brokenWords(page: Page): Promise<readonly string[]> {
  return page.evaluate((selectors) => {
    const broken: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      if (node.parentElement?.closest(selectors) !== null) continue;
      for (const { 0: word, index } of (node.textContent ?? "").matchAll(/[\p{L}\p{N}]+/gu)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
      }
    }
    return broken;
  }, LONG_WORDS);
}

/** The texts that are wider than what shows of them, except the start of a long value that has all of it as its title. */
function clippedTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("main *, dialog[open] *")]
      .filter((element) => {
        const { overflowX } = getComputedStyle(element);
        const isClipping = overflowX === "hidden" || overflowX === "clip";
        // One pixel wide: for screen readers.
        return isClipping && element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1;
      })
      .filter((element) => !element.matches("input, select, textarea"))
      .map((element) => {
        const text = (element.textContent ?? "").trim();
        const cell = element.closest("[data-dense] :is(th, td)") ?? element;
        const titled = [element.closest("[title]"), ...cell.querySelectorAll("[title]")];
        return titled.some((one) => one?.getAttribute("title")?.includes(text)) ? "" : text.slice(0, 60);
      })
      .filter((text) => text !== ""),
  );
}
