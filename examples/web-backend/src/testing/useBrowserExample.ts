import { type Browser, launchBrowser } from "@social-connect/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { BrowserExample } from "./browserExample.ts";

/** A browser for the tests of a file, and an application with its own service for each test. */
export function useBrowserExample(): () => BrowserExample {
  let browser: Browser;
  let example: BrowserExample | undefined;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  beforeEach(async () => {
    example = await BrowserExample.start(browser);
  });
  afterEach(async () => {
    await example?.close();
    expect(example?.scriptErrors).toEqual([]);
  });
  afterAll(() => browser?.close());

  return () => {
    if (example === undefined) throw new Error("The example is started by each test.");
    return example;
  };
}
