import type { Browser, BrowserContext, Page } from "@social-connect/testkit";
import { type ServedExample, serveExample } from "./servedExample.ts";

type ContextOptions = Parameters<Browser["newContext"]>[0];

/** The application and its service over HTTP, for real browsers. */
export class BrowserExample {
  readonly origin: string;
  readonly app: ServedExample["app"];
  readonly #served: ServedExample;
  readonly #contexts: BrowserContext[] = [];
  readonly #browser: Browser;

  private constructor(browser: Browser, served: ServedExample) {
    this.#browser = browser;
    this.origin = served.origin;
    this.app = served.app;
    this.#served = served;
  }

  static async start(browser: Browser): Promise<BrowserExample> {
    return new BrowserExample(browser, await serveExample());
  }

  /** A page of a new browser without cookies, in which Mara has signed in. */
  async signedIn(options: ContextOptions = {}): Promise<Page> {
    const page = await this.visitor(options);
    await page.goto(`${this.origin}/sign-in`);
    await page.getByRole("button", { name: "Mara Lindqvist" }).click();
    await page.getByRole("heading", { name: "Hello, Mara." }).waitFor();
    // Until its scripts have run, a popup's button uses the full page.
    await page.waitForLoadState();
    return page;
  }

  /** A page of a new browser without cookies. Errors of its scripts fail the test when it ends. */
  async visitor(options: ContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({ baseURL: this.origin, ...options });
    this.#contexts.push(context);
    context.on("weberror", (error) => this.scriptErrors.push(String(error.error())));
    return context.newPage();
  }

  /** Uncaught errors of all pages. */
  readonly scriptErrors: string[] = [];

  async close(): Promise<void> {
    for (const context of this.#contexts) await context.close();
    await this.#served.close();
  }
}

/** Marks the document, so that a test knows whether the page was loaded again. */
export async function markDocument(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate("document.documentElement.dataset.marked = 'yes'");
  return () => page.evaluate("document.documentElement.dataset.marked === 'yes'");
}
