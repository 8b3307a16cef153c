import { Key, type WebDriver, type WebElement } from "selenium-webdriver";
import type { EngineContext, EngineLocator, EnginePage, EngineScope, NameOptions } from "./enginePage.ts";
import { eventually } from "./eventually.ts";
import { patternOf, type Query } from "./locate.ts";
import type { WebKitSession } from "./webKitSession.ts";

type Match = string | RegExp;

abstract class Scope implements EngineScope {
  protected abstract find(query: Query): WebKitLocator;

  locator(css: string): WebKitLocator {
    return this.find({ css });
  }

  getByRole(role: string, { name, exact = false }: NameOptions = {}): WebKitLocator {
    return this.find({ role, name: name === undefined ? null : patternOf(name, { exact }) });
  }

  getByText(text: Match, options?: { readonly exact?: boolean }): WebKitLocator {
    return this.find({ text: patternOf(text, options) });
  }

  getByLabel(text: Match, options?: { readonly exact?: boolean }): WebKitLocator {
    return this.find({ label: patternOf(text, options) });
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

  protected override find(query: Query): WebKitLocator {
    return new WebKitLocator(this.#session, this.#window, query);
  }

  goto(url: string): Promise<unknown> {
    return this.#run((driver) => driver.get(url));
  }

  goBack(): Promise<unknown> {
    return this.#run((driver) => driver.navigate().back());
  }

  goForward(): Promise<unknown> {
    return this.#run((driver) => driver.navigate().forward());
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

  content(): Promise<string> {
    return this.#run((driver) => driver.getPageSource());
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
  readonly query: Query;

  constructor(session: WebKitSession, window: string, query: Query) {
    super();
    this.#session = session;
    this.#window = window;
    this.query = query;
  }

  protected override find(find: Query): WebKitLocator {
    return this.#with({ inside: this.query, find });
  }

  first(): WebKitLocator {
    return this.#with({ first: this.query });
  }

  and(other: WebKitLocator): WebKitLocator {
    return this.#with({ both: [this.query, other.query] });
  }

  or(other: WebKitLocator): WebKitLocator {
    return this.#with({ either: [this.query, other.query] });
  }

  filter({ hasText }: { readonly hasText: Match }): WebKitLocator {
    return this.#with({ filter: this.query, hasText: patternOf(hasText) });
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

  inputValue(): Promise<string> {
    return this.#act(async (element) => (await element.getAttribute("value")) ?? "");
  }

  getAttribute(name: string): Promise<string | null> {
    return this.#act((element) => element.getDomAttribute(name));
  }

  #with(query: Query): WebKitLocator {
    return new WebKitLocator(this.#session, this.#window, query);
  }

  #elements<Result>(work: (elements: readonly WebElement[]) => Promise<Result>): Promise<Result> {
    return this.#session.in(this.#window, async (driver) => work(await this.#session.find(driver, this.query)));
  }

  /** Waits for the element, which must be the only one. A command that fails, for example for a page that leaves, is repeated. */
  #act<Result>(work: (element: WebElement) => Promise<Result>, { state = "visible" } = {}): Promise<Result> {
    return eventually(() =>
      this.#elements(async ([element, ...more]) => {
        const wanted = JSON.stringify(this.query);
        if (element === undefined) throw new Error(`No element is ${wanted}.`);
        if (more.length > 0) throw new Error(`${more.length + 1} elements are ${wanted}.`);
        if (state === "visible" && !(await element.isDisplayed()))
          throw new Error(`The element is not visible: ${wanted}.`);
        return work(element);
      }),
    );
  }
}
