import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { SocialProvider } from "../../packages/contract/src/index.ts";
import type { LaunchPage, SocialConnect, Subject } from "../../packages/sdk/src/index.ts";
import type { Browser, Page } from "../../packages/testkit/src/index.ts";
import { whileRepeating } from "../actors/whileRepeating.ts";
import { CountedRequests } from "../operations/countedRequests.ts";
import type { Machine } from "./machine.ts";
import { passIssuer } from "./panel.ts";

type Sdk = typeof import("../../packages/sdk/src/index.ts");

export const TENANT = "main";
const CALLERS = 4;
const PAUSE_MS = 200;

export interface LinkedAccount {
  readonly provider: SocialProvider;
  readonly subject: Subject;
  readonly connectionId: string;
}

/** A backend that uses the packed SDK, with a page that launches and one to return to. */
export class Application {
  readonly client: SocialConnect;
  readonly requests = new CountedRequests();
  readonly #sdk: Sdk;
  readonly #service: string;
  readonly #url: string;
  readonly #browser: Browser;
  /** The secret store from which the client reads its key for each request. */
  key = "";
  #launched: LaunchPage | undefined;

  constructor(sdk: Sdk, { urls }: Machine, browser: Browser) {
    this.#sdk = sdk;
    this.#url = urls.application;
    this.#browser = browser;
    this.#service = urls.service;
    this.client = new sdk.SocialConnect({ baseUrl: urls.service, key: () => this.key, fetch: this.requests.fetch });
  }

  /** A client with another key. */
  as(key: string): SocialConnect {
    return new this.#sdk.SocialConnect({ baseUrl: this.#service, key });
  }

  listen(port: number, shutdown: AsyncDisposableStack): void {
    const server = createServer((request, response) => {
      const page = this.#launched;
      if (request.url === "/launch" && page) response.writeHead(200, page.headers).end(page.html);
      else response.writeHead(200, { "content-type": "text/html" }).end("<h1>Back at the shop</h1>");
    }).listen(port, "127.0.0.1");
    shutdown.defer(async () => server.closeAllConnections());
    shutdown.defer(async () => void server.close());
  }

  /** Links an account as its user, and waits for the posts of its days. */
  async link(provider: SocialProvider, { choice = 0 }: { readonly choice?: number } = {}): Promise<LinkedAccount> {
    const subject = this.client.forSubject({ tenantKey: TENANT, externalSubjectId: `user-${provider}-${choice}` });
    const capabilities = ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"] as const;
    const session = await subject.connect({ provider, capabilities, returnUrl: `${this.#url}/return` });
    await this.#visit(this.#sdk.launchPage(session), async (page) => {
      await page.getByRole("heading", { name: "to read your account?" }).waitFor();
      if (choice > 0) await page.getByRole("radio").nth(choice).check({ force: true });
      await page.getByRole("button", { name: "Allow", exact: true }).click();
    });
    const result = await subject.connectResult(session.id).wait();
    if (result.status !== "COMPLETED" || result.connectionId === null)
      throw new Error(`the attempt is ${result.status}`);
    const { connectionId } = result;
    const scan = await subject.refresh(connectionId).wait();
    if (scan.status !== "SUCCEEDED") throw new Error(`the scan of ${provider} is ${scan.status}: ${scan.errorCode}`);
    return { provider, subject, connectionId };
  }

  /** The number of an account's posts of a week. */
  async read({ provider, subject, connectionId }: LinkedAccount): Promise<number> {
    const posts = await subject.content(connectionId, this.client.recentWindow(7)).toArray({ limit: 1_000 });
    if (posts.length === 0) throw new Error(`${provider} has no posts`);
    return posts.length;
  }

  /** Signs a user in through the deployment's issuer; gives the name there. */
  async signIn(email: string): Promise<string> {
    const returnUrl = `${this.#url}/signed-in`;
    const handoff = await this.client.createIdpIdentitySession({ tenantKey: TENANT, returnUrl });
    await this.#visit(this.#sdk.launchPage(handoff), (page) => passIssuer(page, email));
    const { id, resultProof } = handoff;
    const result = await this.client.redeemIdpIdentity({ id, tenantKey: TENANT, resultProof: resultProof.reveal() });
    if (result.status !== "COMPLETED") throw new Error(`the handoff is ${result.status}`);
    return result.idpSub;
  }

  /** Ends a connection, and gives what its receipts say. */
  async disconnect({ subject, connectionId }: LinkedAccount): Promise<string> {
    const { revoke, erase } = await subject.disconnect(connectionId);
    const [revoked, erased] = await Promise.all([revoke.wait(), erase.wait()]);
    if (erased.status !== "SUCCEEDED") throw new Error(`the erasure is ${erased.status}`);
    if (revoked.status === "SUCCEEDED") return "revoked and erased";
    if (revoked.creatorAction === "REMOVE_APP_AT_PROVIDER") return "erased, the user removes the app";
    throw new Error(`the revoke is ${revoked.status}: ${revoked.errorCode}`);
  }

  /**
   * Reads an account without a pause while the work runs. No call may fail. A busy machine's proxy may refuse a request
   * because it checks the processes late, which the SDK repeats: `refused` says how many.
   */
  async readDuring(account: LinkedAccount, work: () => Promise<void>): Promise<{ sent: number; refused: number }> {
    const [before, refusedBefore] = [this.requests.total, this.requests.failures.length];
    const callers = Array.from({ length: CALLERS }, () => () => this.read(account));
    await whileRepeating(callers, work);
    return { sent: this.requests.total - before, refused: this.requests.failures.length - refusedBefore };
  }

  async requestRefresh({ subject, connectionId }: LinkedAccount): Promise<void> {
    await subject.refresh(connectionId).start();
  }

  /** Begins an attempt for a new subject: the number of one subject's is limited. */
  async beginConnect(provider: SocialProvider): Promise<void> {
    const subject = this.client.forSubject({ tenantKey: TENANT, externalSubjectId: `visitor-${randomUUID()}` });
    await subject.connect({ provider, capabilities: ["PROFILE"], returnUrl: `${this.#url}/return` });
  }

  /** Does something several times concurrently, whether it succeeds or not. */
  async try(times: number, work: () => Promise<unknown>): Promise<void> {
    await Promise.allSettled([...Array.from({ length: times }, work), setTimeout(PAUSE_MS)]);
  }

  /** Calls without the SDK, which would wait for its turn. */
  async flood(times: number, key = this.key): Promise<void> {
    const reads = Array.from(
      { length: 8 },
      (_, index) => `read${index}: integrationReadiness { idpIdentityAvailable }`,
    );
    const body = JSON.stringify({ query: `{ ${reads.join(" ")} }` });
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    await this.try(times, async () =>
      (await fetch(`${this.#service}/graphql`, { method: "POST", headers, body })).text(),
    );
  }

  /** Calls with the id of the key, and another secret. */
  guessKey(times: number): Promise<void> {
    return this.flood(times, `${this.key.split(".")[0]}.${"0".repeat(64)}`);
  }

  async #visit(launched: LaunchPage, work: (page: Page) => Promise<void>): Promise<void> {
    this.#launched = launched;
    const context = await this.#browser.newContext();
    const page = await context.newPage();
    await page.goto(`${this.#url}/launch`);
    await work(page);
    await page.getByRole("heading", { name: "Back at the shop" }).waitFor();
    await context.close();
  }
}
