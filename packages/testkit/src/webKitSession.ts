import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { WebDriver, WebElement } from "selenium-webdriver";

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
