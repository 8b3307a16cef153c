import { type Browser, type BrowserContext, eventually, launchBrowser, type Page } from "@social-connect/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestPage } from "../testing/pages.ts";
import { type Site, startSite } from "../testing/site.ts";

let browser: Browser;
let site: Site;
let context: BrowserContext;
let problems: string[];

beforeAll(async () => {
  [browser, site] = await Promise.all([launchBrowser(), startSite()]);
});
beforeEach(async () => {
  site.mock.reset();
  site.setHeaders({});
  problems = [];
  context = await newContext();
});
afterEach(async () => {
  await context.close();
  expect(problems).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

async function newContext(options: Parameters<Browser["newContext"]>[0] = {}): Promise<BrowserContext> {
  const created = await browser.newContext(options);
  created.on("weberror", (error) => problems.push(String(error.error())));
  created.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  return created;
}

async function openPage(path = "/"): Promise<Page> {
  const page = await context.newPage();
  await page.goto(site.origin + path);
  return page;
}

async function openPopup(page: Page, name = "Connect"): Promise<Page> {
  const [popup] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("button", { name, exact: true }).click(),
  ]);
  await popup.getByRole("heading", { name: "Allow the application" }).waitFor();
  return popup;
}

async function allow(page: Page): Promise<void> {
  await page.locator('input[name="other"]').fill("slow-trains");
  await page.getByRole("button", { name: "Allow" }).click();
}

async function shows(page: Page, text: string | RegExp): Promise<void> {
  await page.getByRole("status").filter({ hasText: text }).waitFor();
}

describe("a popup", () => {
  test("passes the attempt to the page that opened it, and closes", async () => {
    const page = await openPage();
    const popup = await openPopup(page);
    await shows(page, "open popup");
    const closed = popup.waitForEvent("close");
    await allow(popup);
    const { sessionId } = site.lastAttempt();
    await shows(page, `returned ${sessionId} COMPLETED`);
    await closed;
    expect(await site.resultOf(sessionId)).toMatchObject({ status: "COMPLETED" });
  });

  test("starts from a form, with the name and value of the button that was pressed", async () => {
    const page = await openPage();
    const popup = await openPopup(page, "Connect by form");
    expect(site.lastAttempt().fields).toEqual({
      provider: "PROVIDER_A",
      launch: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    await popup.getByRole("button", { name: "Deny" }).click();
    await shows(page, `returned ${site.lastAttempt().sessionId} DENIED`);
  });

  test("that is blocked becomes the full page", async () => {
    for (const blocked of ["() => null", "() => ({ closed: true })"]) {
      const page = await openPage();
      await page.evaluate(`window.open = ${blocked}`);
      await page.getByRole("button", { name: "Connect", exact: true }).click();
      expect(context.pages()).toHaveLength(1);
      await allow(page);
      await shows(page, `result of ${site.lastAttempt().sessionId} here`);
      // The id of a launch is only for popups.
      expect(site.lastAttempt().fields).toEqual({ provider: "PROVIDER_A" });
      await page.close();
    }
  });

  test("that the person closes is unknown, and Connect can start again", async () => {
    const page = await openPage();
    await (await openPopup(page)).close();
    await shows(page, "unknown");
    await allow(await openPopup(page));
    await shows(page, `returned ${site.lastAttempt().sessionId} COMPLETED`);
  });

  test("that is closed after the last step is found by the backend", async () => {
    const page = await openPage("/?found=session-7");
    await (await openPopup(page)).close();
    await shows(page, `returned session-7 of ${site.lastAttempt().fields["launch"]} null`);
  });

  test("is unknown when the application cannot ask its backend", async () => {
    const page = await openPage("/?unknown");
    await (await openPopup(page)).close();
    await shows(page, "unknown");
  });

  test("reports its end although the application's handler of the start threw", async () => {
    const page = await openPage("/?broken");
    await (await openPopup(page)).close();
    await shows(page, "unknown");
    expect(problems.splice(0)).toEqual(["Error: An error of the application."]);
  });

  test.each(["/?aborted", "/?aborted&redirect"])("is not opened with an aborted signal: %s", async (path) => {
    const page = await openPage(path);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await shows(page, "canceled");
    expect(context.pages()).toHaveLength(1);
  });

  test("reports to its own page only when two tabs connect", async () => {
    const [first, second] = [await openPage(), await openPage()];
    const firstPopup = await openPopup(first);
    const firstAttempt = site.lastAttempt().sessionId;
    const secondPopup = await openPopup(second);
    const secondAttempt = site.lastAttempt().sessionId;
    await secondPopup.getByRole("button", { name: "Deny" }).click();
    await shows(second, `returned ${secondAttempt} DENIED`);
    expect(await first.getByRole("status").textContent()).toBe("open popup");
    await firstPopup.getByRole("button", { name: "Deny" }).click();
    // A newer attempt at the same provider may have replaced this one; the window still returns.
    await shows(first, `returned ${firstAttempt} `);
    expect(await second.getByRole("status").textContent()).toBe(`returned ${secondAttempt} DENIED`);
  });

  test("shows the result itself when the page that opened it was closed", async () => {
    const page = await openPage();
    const popup = await openPopup(page);
    await page.close();
    await allow(popup);
    await shows(popup, `result of ${site.lastAttempt().sessionId} here`);
    // The window is an ordinary one now: Connect in the full page is not taken for the popup's.
    await popup.goto(`${site.origin}/?redirect`);
    await popup.getByRole("button", { name: "Connect", exact: true }).click();
    await allow(popup);
    await shows(popup, `result of ${site.lastAttempt().sessionId} here`);
  });

  test("shows the result itself when the page that opened it was reloaded", async () => {
    const page = await openPage();
    const popup = await openPopup(page);
    await page.reload();
    await allow(popup);
    await shows(popup, `result of ${site.lastAttempt().sessionId} here`);
  });

  test("that a redirect separates from its opener still returns", async () => {
    for (const [path, text] of [
      ["/?separate", "returned"],
      ["/?separate&late", "late"],
    ] as const) {
      const page = await openPage(path);
      const popup = await openPopup(page);
      await shows(page, "unknown");
      expect(popup.isClosed()).toBe(false);
      await allow(popup);
      await shows(page, `${text} ${site.lastAttempt().sessionId}`);
      await page.close();
    }
    // Without a function for late returns, the window shows the result.
    const other = await openPage("/?separate&start");
    const otherPopup = await openPopup(other);
    await shows(other, "unknown");
    await allow(otherPopup);
    await shows(otherPopup, `result of ${site.lastAttempt().sessionId} here`);
  });

  test("that the page no longer sees is given up when Connect starts again", async () => {
    const page = await openPage("/?separate");
    const first = await openPopup(page);
    const firstAttempt = site.lastAttempt().sessionId;
    await shows(page, "unknown");
    const second = await openPopup(page);
    await first.getByRole("button", { name: "Deny" }).click();
    await shows(first, `result of ${firstAttempt} here`);
    await second.getByRole("button", { name: "Deny" }).click();
    await shows(page, `returned ${site.lastAttempt().sessionId}`);
  });

  test("comes to the front on another click, can be canceled, and can be left for the full page", async () => {
    const page = await openPage();
    const popup = await openPopup(page);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    expect(context.pages()).toHaveLength(2);
    const closed = popup.waitForEvent("close");
    await page.evaluate(() => (window as unknown as TestPage).abort?.());
    await closed;
    await shows(page, "canceled");

    await page.reload();
    const left = await openPopup(page);
    const leftClosed = left.waitForEvent("close");
    await page.evaluate(() => (window as unknown as TestPage).launch?.continueHere());
    await leftClosed;
    await allow(page);
    await shows(page, `result of ${site.lastAttempt().sessionId} here`);
  });
});

test("the full page works on request and without scripts", async () => {
  const page = await openPage("/?redirect");
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await allow(page);
  await shows(page, `result of ${site.lastAttempt().sessionId} here`);

  const plain = await newContext({ javaScriptEnabled: false });
  const form = await plain.newPage();
  await form.goto(site.origin);
  await form.getByRole("button", { name: "Connect by form" }).click();
  await form.getByRole("button", { name: "Continue" }).click();
  await form.getByRole("heading", { name: "Allow the application" }).waitFor();
  await plain.close();
});

test.each([
  ["is missing", () => void Reflect.deleteProperty(globalThis, "BroadcastChannel")],
  [
    "is blocked",
    () => {
      globalThis.BroadcastChannel = class {
        constructor() {
          throw new DOMException("The operation is insecure.", "SecurityError");
        }
      } as unknown as typeof BroadcastChannel;
    },
  ],
])("the full page is used if BroadcastChannel %s", async (_, change) => {
  await context.addInitScript(change);
  const page = await openPage();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await allow(page);
  await shows(page, `result of ${site.lastAttempt().sessionId} here`);
});

describe("the React button", () => {
  test("passes the outcome to its component and its attributes to the button", async () => {
    const page = await openPage("/react");
    expect(await page.getByRole("button", { name: "Connect with React" }).getAttribute("class")).toBe("primary");
    const popup = await openPopup(page, "Connect with React");
    await page.getByText("renderings 1").waitFor();
    await allow(popup);
    await page.getByText(`"sessionId":"${site.lastAttempt().sessionId}"`).waitFor();
    await (await openPopup(page, "Connect with React")).close();
    await page.getByText('{"type":"unknown"}').waitFor();
  });

  test("passes on the result of a window that the page no longer saw", async () => {
    site.setHeaders({ provider: { "cross-origin-opener-policy": "same-origin" } });
    const page = await openPage("/react");
    const popup = await openPopup(page, "Connect with React");
    await page.getByText('{"type":"unknown"}').waitFor();
    await allow(popup);
    await page.getByText(`"sessionId":"${site.lastAttempt().sessionId}"`).waitFor();
  });

  test("that is removed leaves the result to the window", async () => {
    const page = await openPage("/react");
    const popup = await openPopup(page, "Connect with React");
    await page.getByRole("button", { name: "Remove" }).click();
    await allow(popup);
    await shows(popup, `result of ${site.lastAttempt().sessionId} here`);
  });
});

describe("the code of the README", () => {
  test.each([
    ["the plain button", "/guide", "Your account is linked."],
    ["the React button", "/guide/react", "The attempt is COMPLETED."],
  ])("links an account: %s", async (_, path, text) => {
    const page = await openPage(path);
    await allow(await openPopup(page));
    await page.getByText(text).waitFor();
  });

  describe("after the popup was closed", () => {
    async function startedPopup() {
      const page = await openPage("/guide/closed");
      const popup = await openPopup(page);
      const { sessionId } = site.lastAttempt();
      return { page, popup, state: () => site.mock.connect(sessionId).state };
    }
    async function reopen(page: Page): Promise<Page> {
      const offer = page.getByRole("button", { name: "Continue or cancel" });
      const [pane] = await Promise.all([page.waitForEvent("popup"), offer.click()]);
      return pane;
    }

    test("leaves the attempt unchanged, and the offered pane cancels it, so that it no longer counts", async () => {
      for (let times = 0; times < 6; times += 1) {
        const { page, popup, state } = await startedPopup();
        await popup.close();
        await page.getByRole("button", { name: "Continue or cancel" }).waitFor();
        expect(state().status).toBe("AUTHORIZING");
        const pane = await reopen(page);
        const closed = pane.waitForEvent("close");
        await pane.getByRole("button", { name: "Back to the application" }).click();
        await shows(page, "CANCELED");
        await closed;
        expect(state().resultCode).toBe("USER_DENIED");
        await page.close();
      }
    });

    test("continues the same attempt on request", async () => {
      const { page, popup, state } = await startedPopup();
      await popup.close();
      const pane = await reopen(page);
      await pane.getByRole("button", { name: "Continue" }).click();
      await allow(pane);
      await shows(page, "COMPLETED");
      expect(state().status).toBe("COMPLETED");
    });

    test("leads to the result if the consent was already given", async () => {
      const { page, popup, state } = await startedPopup();
      // A window that is closed before its return page can report.
      await popup.route(`${site.origin}/guide/return*`, (route) => route.abort());
      const aborted = popup.waitForEvent("requestfailed");
      await allow(popup);
      await aborted;
      expect(state().status).toBe("COMPLETED");
      await popup.close();
      const pane = await reopen(page);
      await pane.getByRole("link", { name: "Go back" }).click();
      await shows(page, "COMPLETED");
      // The problems of the return page, and of the pane that is closed with 410.
      for (const problem of problems.splice(0)) expect(problem).toContain("Failed to load resource");
    });
  });

  test("shows the result in the popup if its opener was closed", async () => {
    const page = await openPage("/guide");
    const popup = await openPopup(page);
    await page.close();
    await popup.getByRole("button", { name: "Deny" }).click();
    await shows(popup, "No account was linked.");
  });
});

/** Reports what the scripts of every page store, send to other pages and write into the history. */
function reportWrites(): void {
  const { record } = globalThis as unknown as { record: (text: string) => void };
  const watched = [
    [Storage.prototype, "setItem"],
    [BroadcastChannel.prototype, "postMessage"],
    [Window.prototype, "postMessage"],
    [History.prototype, "pushState"],
    [History.prototype, "replaceState"],
  ] as const;
  for (const [prototype, name] of watched) {
    const original = Reflect.get(prototype, name) as (...values: unknown[]) => unknown;
    Reflect.set(prototype, name, function (this: unknown, ...values: unknown[]) {
      record(`${name} ${JSON.stringify(values)}`);
      return original.apply(this, values);
    });
  }
}

test.each([
  ["a popup", "/", "Connect", "returned"],
  ["a popup of the React button", "/react", "Connect with React", "returned"],
  ["a full page", "/?redirect", "Connect", "result of"],
])("no key and no token reaches a page, its URL, storage, channel or console: %s", async (_, path, button, end) => {
  const seen: string[] = [];
  context.on("console", (message) => seen.push(message.text()));
  context.on("request", (request) => seen.push(`${request.url()} ${request.headers()["referer"] ?? ""}`));
  await context.exposeFunction("record", (text: string) => void seen.push(text));
  await context.addInitScript(reportWrites);
  const page = await openPage(path);
  const isPopup = !path.includes("redirect");
  const consent = isPopup ? await openPopup(page, button) : page;
  if (!isPopup) await page.getByRole("button", { name: button, exact: true }).click();
  await allow(consent);
  await shows(page, end);
  for (const shown of context.pages()) {
    const state = () => [
      document.documentElement.outerHTML,
      window.name,
      document.cookie,
      storageOf(sessionStorage),
      storageOf(localStorage),
    ];
    await shown.evaluate("globalThis.storageOf = (storage) => JSON.stringify(Object.entries(storage))");
    seen.push(...(await shown.evaluate(state)));
  }
  // The control: what may be seen, is.
  const { launchToken, sessionId } = site.lastAttempt();
  const written = isPopup ? ['setItem ["social-connect.launch"', '"taken"', '"returned"'] : [];
  await eventually(() => {
    for (const text of [sessionId, ...written]) expect(seen.join("\n")).toContain(text);
  });
  for (const secret of [launchToken, site.mock.key, ...site.mock.key.split(".").slice(1)]) {
    expect(seen.join("\n")).not.toContain(secret);
  }
});

declare function storageOf(storage: Storage): string;
