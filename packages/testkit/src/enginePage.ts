/** The part of Playwright's pages that journeys in every engine use. */
export interface EnginePage extends EngineScope {
  goto(url: string): Promise<unknown>;
  goBack(): Promise<unknown>;
  reload(): Promise<unknown>;
  waitForURL(matches: (url: URL) => boolean): Promise<void>;
  /** A window that the page opens. */
  waitForEvent(event: "popup"): Promise<EnginePage>;
  waitForEvent(event: "close"): Promise<unknown>;
  evaluate(expression: string): Promise<unknown>;
  context(): EngineContext;
}

export interface EngineContext {
  pages(): readonly unknown[] | Promise<readonly unknown[]>;
  cookies(): Promise<readonly { readonly name: string; readonly httpOnly?: boolean | undefined }[]>;
}

export interface EngineScope {
  locator(css: string): EngineLocator;
  getByRole(role: "alert" | "article" | "button" | "checkbox", options?: NameOptions): EngineLocator;
  getByRole(role: "dialog" | "heading" | "link" | "menuitem", options?: NameOptions): EngineLocator;
  getByRole(role: "navigation" | "region" | "row" | "rowheader", options?: NameOptions): EngineLocator;
  getByRole(role: "combobox" | "searchbox" | "textbox", options?: NameOptions): EngineLocator;
  getByText(text: string | RegExp, options?: { readonly exact?: boolean }): EngineLocator;
  getByLabel(text: string | RegExp, options?: { readonly exact?: boolean }): EngineLocator;
}

export interface NameOptions {
  readonly name?: string | RegExp;
  readonly exact?: boolean;
}

export interface EngineLocator extends EngineScope {
  first(): EngineLocator;
  and(other: EngineLocator): EngineLocator;
  or(other: EngineLocator): EngineLocator;
  filter(options: { readonly hasText: string | RegExp }): EngineLocator;
  click(): Promise<void>;
  check(): Promise<void>;
  press(key: "Enter"): Promise<void>;
  /** Types. `fill` of Playwright does not reach a React field in Firefox. */
  pressSequentially(text: string): Promise<void>;
  waitFor(options?: { readonly state: "attached" }): Promise<void>;
  isVisible(): Promise<boolean>;
  count(): Promise<number>;
  textContent(): Promise<string | null>;
}

export interface EngineBrowser {
  /** A page of a new user, without the cookies of other pages. */
  newPage(): Promise<EnginePage>;
  close(): Promise<void>;
}
