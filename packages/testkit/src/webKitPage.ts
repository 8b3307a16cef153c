import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Key, type WebDriver, type WebElement } from "selenium-webdriver";
import type { EngineLocator, EnginePage, EngineScope } from "./enginePage.ts";
import { eventually } from "./eventually.ts";

type Match = string | RegExp;

/** A regular expression of JavaScript. As Playwright compares: a text is a part of the element's, in any case, unless it is exact. */
function patternOf(text: Match, { exact = false }: { readonly exact?: boolean } = {}): string {
  if (typeof text !== "string") return String(text);
  const source = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return String(exact ? new RegExp(`^\\s*${source}\\s*$`) : new RegExp(source, "i"));
}

/** Describes elements by an expression of JavaScript, which gives those within `root`; the page has Testing Library. */
function scopeOf(find: (elements: string) => EngineLocator): EngineScope {
  const query = (by: string, parameters: string) => find(`TestingLibraryDom.queryAllBy${by}(root, ${parameters})`);
  return {
    locator: (css) => find(`[...root.querySelectorAll(${JSON.stringify(css)})]`),
    getByRole: (role, { name, exact = false } = {}) => {
      const options = name === undefined ? "{}" : `{ name: ${patternOf(name, { exact })} }`;
      return query("Role", `${JSON.stringify(role)}, ${options}`);
    },
    getByText: (text, options) => query("Text", patternOf(text, options)),
    getByLabel: (text, options) => query("LabelText", patternOf(text, options)),
  };
}

/** A window of WebKit, by WebDriver. */
export function webKitPage(session: WebKitSession, window: string): EnginePage {
  const run = <Result>(work: (driver: WebDriver) => Promise<Result>) => session.run(window, work);
  return {
    ...scopeOf((elements) => locatorOf(session, window, elements)),
    goto: (url) => run((driver) => driver.get(url)),
    goBack: () => run((driver) => driver.navigate().back()),
    reload: () => run((driver) => driver.navigate().refresh()),
    waitForURL: (matches) =>
      eventually(async () => {
        const url = await run((driver) => driver.getCurrentUrl());
        if (!matches(new URL(url))) throw new Error(`The page is still at ${url}.`);
      }),
    waitForEvent: (async (event) => {
      const before = await session.windows();
      return eventually(async () => {
        const now = await session.windows();
        if (event === "close" && !now.includes(window)) return undefined;
        const opened = now.find((other) => !before.includes(other));
        if (event === "popup" && opened !== undefined) return webKitPage(session, opened);
        throw new Error(`There is no ${event} yet.`);
      });
    }) as EnginePage["waitForEvent"],
    evaluate: (expression) => run((driver) => driver.executeScript(`return (${expression})`)),
    context: () => ({ pages: session.windows, cookies: () => run((driver) => driver.manage().getCookies()) }),
  };
}

interface WebKitLocator extends EngineLocator {
  readonly elements: string;
}

function locatorOf(session: WebKitSession, window: string, elements: string): WebKitLocator {
  const locate = (others: string) => locatorOf(session, window, others);
  const read = <Result>(work: (found: readonly WebElement[]) => Promise<Result>): Promise<Result> =>
    session.run(window, async () => work(await session.find(elements)));
  /** Waits for the element, which must be the only one. A command that fails, for example for a page that leaves, is repeated. */
  const act = <Result>(work: (element: WebElement) => Promise<Result>, { state = "visible" } = {}): Promise<Result> =>
    eventually(() =>
      read(async ([element, ...more]) => {
        if (element === undefined) throw new Error(`No element is ${elements}.`);
        if (more.length > 0) throw new Error(`${more.length + 1} elements are ${elements}.`);
        if (state === "visible" && !(await element.isDisplayed()))
          throw new Error(`The element is not visible: ${elements}.`);
        return work(element);
      }),
    );
  return {
    elements,
    ...scopeOf((inside) => locate(`[...new Set((${elements}).flatMap((root) => ${inside}))]`)),
    first: () => locate(`(${elements}).slice(0, 1)`),
    and: (other: WebKitLocator) =>
      locate(`((others) => (${elements}).filter((each) => others.includes(each)))(${other.elements})`),
    or: (other: WebKitLocator) => locate(`[...new Set([...${elements}, ...${other.elements}])]`),
    filter: ({ hasText }) =>
      locate(`(${elements}).filter(({ textContent }) => ${patternOf(hasText)}.test(textContent))`),
    click: () => act((element) => element.click()),
    check: () => act(async (element) => void ((await element.isSelected()) || (await element.click()))),
    press: (key) => act((element) => element.sendKeys(Key[key.toUpperCase() as "ENTER"])),
    pressSequentially: (text) => act((element) => element.sendKeys(text)),
    waitFor: (options) => act(async () => undefined, options),
    isVisible: () => read(async ([element]) => (await element?.isDisplayed()) === true),
    count: () => read(async ({ length }) => length),
    textContent: () => act((element) => element.getAttribute("textContent")),
  };
}

const LIBRARY = fileURLToPath(
  new URL("../dist/@testing-library/dom.umd.min.js", import.meta.resolve("@testing-library/dom")),
);

export type WebKitSession = ReturnType<typeof webKitSession>;

/** A session of WebDriver, which takes one command at a time and remembers the window of the last one. */
export function webKitSession(driver: WebDriver) {
  const library = readFileSync(LIBRARY, "utf8");
  let last: Promise<unknown> = Promise.resolve();
  const next = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
  return {
    windows: (): Promise<readonly string[]> => next(() => driver.getAllWindowHandles()),
    /** Runs commands in a window. */
    run: <Result>(window: string, work: (driver: WebDriver) => Promise<Result>): Promise<Result> =>
      next(async () => {
        await driver.switchTo().window(window);
        return work(driver);
      }),
    /** The elements of the page that is in the window now. */
    find: async (elements: string): Promise<WebElement[]> => {
      const isReady = await driver.executeScript(
        "return typeof TestingLibraryDom === 'object' && document.body !== null",
      );
      if (!isReady) await driver.executeScript(library);
      return driver.executeScript(`const root = document.body; return ${elements}`);
    },
  };
}
