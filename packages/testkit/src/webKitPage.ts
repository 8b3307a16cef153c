import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Key, type WebDriver, type WebElement } from "selenium-webdriver";
import type { EngineContext, EngineLocator, EnginePage, EngineScope, NameOptions } from "./enginePage.ts";
import { eventually } from "./eventually.ts";

type Match = string | RegExp;

/** A regular expression of JavaScript. As Playwright compares: a text is a part of the element's, in any case, unless it is exact. */
function patternOf(text: Match, { exact = false }: { readonly exact?: boolean } = {}): string {
  if (typeof text !== "string") return String(text);
  const source = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return String(exact ? new RegExp(`^\\s*${source}\\s*$`) : new RegExp(source, "i"));
}

/** Describes elements by an expression of JavaScript, which gives those within `root`; the page has Testing Library. */
abstract class Scope implements EngineScope {
  protected abstract find(elements: string): WebKitLocator;

  locator(css: string): WebKitLocator {
    return this.find(`[...root.querySelectorAll(${JSON.stringify(css)})]`);
  }

  getByRole(role: string, { name, exact = false }: NameOptions = {}): WebKitLocator {
    const options = name === undefined ? "{}" : `{ name: ${patternOf(name, { exact })} }`;
    return this.find(`TestingLibraryDom.queryAllByRole(root, ${JSON.stringify(role)}, ${options})`);
  }

  getByText(text: Match, options?: { readonly exact?: boolean }): WebKitLocator {
    return this.find(`TestingLibraryDom.queryAllByText(root, ${patternOf(text, options)})`);
  }

  getByLabel(text: Match, options?: { readonly exact?: boolean }): WebKitLocator {
    return this.find(`TestingLibraryDom.queryAllByLabelText(root, ${patternOf(text, options)})`);
  }
}

/** A window of WebKit, by WebDriver. */
export class WebKitPage extends Scope implements EnginePage {
  readonly #session: WebKitSession;
  readonly #window: string;

  constructor(session: WebKitSession, window: string) {
    super();
    this.#session = session;
    this.#window = window;
  }

  protected override find(elements: string): WebKitLocator {
    return new WebKitLocator(this.#session, this.#window, elements);
  }

  goto(url: string): Promise<unknown> {
    return this.#run((driver) => driver.get(url));
  }

  goBack(): Promise<unknown> {
    return this.#run((driver) => driver.navigate().back());
  }

  reload(): Promise<unknown> {
    return this.#run((driver) => driver.navigate().refresh());
  }

  waitForURL(matches: (url: URL) => boolean): Promise<void> {
    return eventually(async () => {
      const url = await this.#run((driver) => driver.getCurrentUrl());
      if (!matches(new URL(url))) throw new Error(`The page is still at ${url}.`);
    });
  }

  async waitForEvent(event: "popup"): Promise<EnginePage>;
  async waitForEvent(event: "close"): Promise<unknown>;
  async waitForEvent(event: "popup" | "close"): Promise<unknown> {
    const before = await this.#session.windows();
    return eventually(async () => {
      const now = await this.#session.windows();
      if (event === "close" && !now.includes(this.#window)) return undefined;
      const opened = now.find((window) => !before.includes(window));
      if (event === "popup" && opened !== undefined) return new WebKitPage(this.#session, opened);
      throw new Error(`There is no ${event} yet.`);
    });
  }

  evaluate(expression: string): Promise<unknown> {
    return this.#run((driver) => driver.executeScript(`return (${expression})`));
  }

  context(): EngineContext {
    return {
      pages: () => this.#session.windows(),
      cookies: () => this.#run((driver) => driver.manage().getCookies()),
    };
  }

  #run<Result>(work: (driver: WebDriver) => Promise<Result>): Promise<Result> {
    return this.#session.in(this.#window, work);
  }
}

class WebKitLocator extends Scope implements EngineLocator {
  readonly #session: WebKitSession;
  readonly #window: string;
  readonly elements: string;

  constructor(session: WebKitSession, window: string, elements: string) {
    super();
    this.#session = session;
    this.#window = window;
    this.elements = elements;
  }

  protected override find(elements: string): WebKitLocator {
    return this.#with(`[...new Set((${this.elements}).flatMap((root) => ${elements}))]`);
  }

  first(): WebKitLocator {
    return this.#with(`(${this.elements}).slice(0, 1)`);
  }

  and(other: WebKitLocator): WebKitLocator {
    return this.#with(`((others) => (${this.elements}).filter((each) => others.includes(each)))(${other.elements})`);
  }

  or(other: WebKitLocator): WebKitLocator {
    return this.#with(`[...new Set([...${this.elements}, ...${other.elements}])]`);
  }

  filter({ hasText }: { readonly hasText: Match }): WebKitLocator {
    return this.#with(`(${this.elements}).filter(({ textContent }) => ${patternOf(hasText)}.test(textContent))`);
  }

  click(): Promise<void> {
    return this.#act((element) => element.click());
  }

  check(): Promise<void> {
    return this.#act(async (element) => {
      if (!(await element.isSelected())) await element.click();
    });
  }

  press(key: "Enter"): Promise<void> {
    return this.#act((element) => element.sendKeys(Key[key.toUpperCase() as "ENTER"]));
  }

  pressSequentially(text: string): Promise<void> {
    return this.#act((element) => element.sendKeys(text));
  }

  waitFor(options?: { readonly state: "attached" }): Promise<void> {
    return this.#act(async () => undefined, options);
  }

  isVisible(): Promise<boolean> {
    return this.#elements(async (elements) => elements.length > 0 && (await elements[0]?.isDisplayed()) === true);
  }

  count(): Promise<number> {
    return this.#elements(async ({ length }) => length);
  }

  textContent(): Promise<string | null> {
    return this.#act((element) => element.getAttribute("textContent"));
  }

  #with(elements: string): WebKitLocator {
    return new WebKitLocator(this.#session, this.#window, elements);
  }

  #elements<Result>(work: (elements: readonly WebElement[]) => Promise<Result>): Promise<Result> {
    return this.#session.in(this.#window, async (driver) => work(await this.#session.find(driver, this.elements)));
  }

  /** Waits for the element, which must be the only one. A command that fails, for example for a page that leaves, is repeated. */
  #act<Result>(work: (element: WebElement) => Promise<Result>, { state = "visible" } = {}): Promise<Result> {
    return eventually(() =>
      this.#elements(async ([element, ...more]) => {
        if (element === undefined) throw new Error(`No element is ${this.elements}.`);
        if (more.length > 0) throw new Error(`${more.length + 1} elements are ${this.elements}.`);
        if (state === "visible" && !(await element.isDisplayed()))
          throw new Error(`The element is not visible: ${this.elements}.`);
        return work(element);
      }),
    );
  }
}

const LIBRARY = fileURLToPath(
  new URL("../dist/@testing-library/dom.umd.min.js", import.meta.resolve("@testing-library/dom")),
);

/** A session of WebDriver, which takes one command at a time and remembers the window of the last one. */
export class WebKitSession {
  readonly #driver: WebDriver;
  readonly #library = readFileSync(LIBRARY, "utf8");
  #last: Promise<unknown> = Promise.resolve();

  constructor(driver: WebDriver) {
    this.#driver = driver;
  }

  windows(): Promise<readonly string[]> {
    return this.#next(() => this.#driver.getAllWindowHandles());
  }

  /** Runs commands in a window. */
  in<Result>(window: string, work: (driver: WebDriver) => Promise<Result>): Promise<Result> {
    return this.#next(async () => {
      await this.#driver.switchTo().window(window);
      return work(this.#driver);
    });
  }

  /** The elements of the page that is in the window now. */
  async find(driver: WebDriver, elements: string): Promise<WebElement[]> {
    const isReady = await driver.executeScript(
      "return typeof TestingLibraryDom === 'object' && document.body !== null",
    );
    if (!isReady) await driver.executeScript(this.#library);
    return driver.executeScript(`const root = document.body; return ${elements}`);
  }

  #next<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
