import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { SocialProvider } from "../../packages/contract/src/index.ts";
import type { LaunchPage, SocialConnect, Subject } from "../../packages/sdk/src/index.ts";
import type { Browser, Page } from "../../packages/testkit/src/index.ts";
import { linkAccount } from "../../tools/linkAccount.ts";
import { whileRepeating } from "../actors/whileRepeating.ts";
import { countRequests } from "../operations/countedRequests.ts";
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

export type Application = ReturnType<typeof openApplication>;

/** A backend that uses the packed SDK, with a page that launches and one to return to. */
export function openApplication(
  sdk: Sdk,
  { urls, upstreams }: Machine,
  browser: Browser,
  shutdown: AsyncDisposableStack,
) {
  const { service, application: url } = urls;
  const requests = countRequests();
  /** The store from which the client reads its key for each request. */
  const secrets = { key: "" };
  const client: SocialConnect = new sdk.SocialConnect({
    baseUrl: service,
    key: () => secrets.key,
    fetch: requests.fetch,
  });
  let launched: LaunchPage | undefined;
  const server = createServer((request, response) => {
    if (request.url === "/launch" && launched) response.writeHead(200, launched.headers).end(launched.html);
    else response.writeHead(200, { "content-type": "text/html" }).end("<h1>Back at the shop</h1>");
  }).listen(upstreams.application, "127.0.0.1");
  shutdown.defer(async () => server.closeAllConnections());
  shutdown.defer(async () => void server.close());

  const visit = async (launchPage: LaunchPage, work: (page: Page) => Promise<void>): Promise<void> => {
    launched = launchPage;
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${url}/launch`);
    await work(page);
    await page.getByRole("heading", { name: "Back at the shop" }).waitFor();
    await context.close();
  };

  /** The number of an account's posts of a week. */
  const read = async ({ provider, subject, connectionId }: LinkedAccount): Promise<number> => {
    const posts = await subject.content(connectionId, client.recentWindow(7)).toArray({ limit: 1_000 });
    if (posts.length === 0) throw new Error(`${provider} has no posts`);
    return posts.length;
  };

  /** Does something several times concurrently, whether it succeeds or not. */
  const attempt = async (times: number, work: () => Promise<unknown>): Promise<void> => {
    await Promise.allSettled([...Array.from({ length: times }, work), setTimeout(PAUSE_MS)]);
  };

  /** Calls without the SDK, which would wait for its turn. */
  const flood = async (times: number, key = secrets.key): Promise<void> => {
    const reads = Array.from(
      { length: 8 },
      (_, index) => `read${index}: integrationReadiness { idpIdentityAvailable }`,
    );
    const body = JSON.stringify({ query: `{ ${reads.join(" ")} }` });
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const send = () => fetch(`${service}/graphql`, { method: "POST", headers, body });
    await attempt(times, async () => (await send()).text());
  };

  return {
    ...{ client, secrets, read, try: attempt, flood },
    /** A client with another key. */
    as: (key: string): SocialConnect => new sdk.SocialConnect({ baseUrl: service, key }),
    /** Links an account as its user, and waits for the posts of its days. */
    link: async (
      provider: SocialProvider,
      { choice = 0 }: { readonly choice?: number } = {},
    ): Promise<LinkedAccount> => {
      const allow = async (page: Page) => {
        await page.getByRole("heading", { name: "to read your account?" }).waitFor();
        if (choice > 0) await page.getByRole("radio").nth(choice).check({ force: true });
        await page.getByRole("button", { name: "Allow", exact: true }).click();
      };
      const { user: subject, connectionId } = await linkAccount(
        {
          ...{ social: client, tenantKey: TENANT, returnUrl: `${url}/return` },
          consent: (session) => visit(sdk.launchPage(session), allow),
        },
        { provider, externalSubjectId: `user-${provider}-${choice}` },
      );
      const scan = await subject.refresh(connectionId).wait();
      if (scan.status !== "SUCCEEDED") throw new Error(`the scan of ${provider} is ${scan.status}: ${scan.errorCode}`);
      return { provider, subject, connectionId };
    },
    /** Signs a user in through the deployment's issuer; gives the name there. */
    signIn: async (email: string): Promise<string> => {
      const handoff = await client.createIdpIdentitySession({ tenantKey: TENANT, returnUrl: `${url}/signed-in` });
      await visit(sdk.launchPage(handoff), (page) => passIssuer(page, email));
      const { id, resultProof } = handoff;
      const result = await client.redeemIdpIdentity({ id, tenantKey: TENANT, resultProof: resultProof.reveal() });
      if (result.status !== "COMPLETED") throw new Error(`the handoff is ${result.status}`);
      return result.idpSub;
    },
    /** Ends a connection, and gives what its receipts say. */
    disconnect: async ({ subject, connectionId }: LinkedAccount): Promise<string> => {
      const { revoke, erase } = await subject.disconnect(connectionId);
      const [revoked, erased] = await Promise.all([revoke.wait(), erase.wait()]);
      if (erased.status !== "SUCCEEDED") throw new Error(`the erasure is ${erased.status}`);
      if (revoked.status === "SUCCEEDED") return "revoked and erased";
      if (revoked.creatorAction === "REMOVE_APP_AT_PROVIDER") return "erased, the user removes the app";
      throw new Error(`the revoke is ${revoked.status}: ${revoked.errorCode}`);
    },
    /**
     * Reads an account without a pause while the work runs. No call may fail. A busy machine's proxy may refuse a request
     * because it checks the processes late, which the SDK repeats: `refused` says how many.
     */
    readDuring: async (
      account: LinkedAccount,
      work: () => Promise<void>,
    ): Promise<{ sent: number; refused: number }> => {
      const [before, refusedBefore] = [requests.total(), requests.failures.length];
      const callers = Array.from({ length: CALLERS }, () => () => read(account));
      await whileRepeating(callers, work);
      return { sent: requests.total() - before, refused: requests.failures.length - refusedBefore };
    },
    requestRefresh: async ({ subject, connectionId }: LinkedAccount) =>
      void (await subject.refresh(connectionId).start()),
    /** Begins an attempt for a new subject: the number of one subject's is limited. */
    beginConnect: async (provider: SocialProvider): Promise<void> => {
      const externalSubjectId = `visitor-${randomUUID()}`;
      const subject = client.forSubject({ tenantKey: TENANT, externalSubjectId });
      await subject.connect({ provider, capabilities: ["PROFILE"], returnUrl: `${url}/return` });
    },
    /** Calls with the id of the key, and another secret. */
    guessKey: (times: number): Promise<void> => flood(times, `${secrets.key.split(".")[0]}.${"0".repeat(64)}`),
  };
}
