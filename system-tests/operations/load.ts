import type { Application } from "../../packages/conformance/src/target/target.ts";
import { SOCIAL_PROVIDERS, type SocialProvider } from "../../packages/contract/src/index.ts";
import { PROVIDER_TRAITS, providerSlug } from "../../packages/domain/src/index.ts";
import type { Disconnection, JobPoller, SocialConnect, Subject } from "../../packages/sdk/src/index.ts";
import { eventually } from "../../packages/testkit/src/eventually.ts";
import { type NewAccount, openAccounts } from "../actors/accounts.ts";
import { giveConsent } from "../actors/person.ts";
import { whileRepeating } from "../actors/whileRepeating.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { CountedRequests } from "./countedRequests.ts";

/** A job of a killed worker is taken over after 15 to 20 seconds. */
const JOB_TIMEOUT_MS = 60_000;
const ENDED: readonly string[] = ["SUCCEEDED", "FAILED", "CANCELED"];
const MINUTE_MS = 60_000;
const WINDOW_MS = 7 * 24 * 3_600_000;
const LINKERS = 2;
const REFRESHERS = 4;
const READERS = 4;
const PAUSE_MS = 20;

export interface LinkedAccount extends NewAccount {
  readonly subject: Subject;
  readonly connectionId: string;
}

interface LoadOptions {
  /** Begins the names of its accounts. */
  readonly name: string;
  readonly deployment: Deployment;
  readonly application: Application;
  /** Sends by `requests`. */
  readonly client: SocialConnect;
  readonly requests: CountedRequests;
}

/** Users who link, read, refresh and disconnect accounts, through the SDK and as a browser. */
export class Load {
  readonly linked: LinkedAccount[] = [];
  readonly disconnected: (LinkedAccount & { readonly disconnection: Disconnection })[] = [];
  /** Ids of the reads that the service accepted. */
  readonly acceptedJobs = new Set<string>();
  readonly #options: LoadOptions;
  #accounts = 0;
  #windows = 0;
  #refreshed: readonly LinkedAccount[] = [];

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  /** Links the accounts that are read and refreshed later. */
  async prepare(): Promise<void> {
    this.#refreshed = await Promise.all(Array.from({ length: REFRESHERS }, () => this.link()));
  }

  /** Users send requests while the work runs. */
  during<Result>(work: () => Promise<Result>): Promise<Result> {
    const users = [
      ...Array.from({ length: LINKERS }, (_, index) => () => this.#linkAndDisconnect(index)),
      ...this.#refreshed.map((account) => async () => untilSucceeded(await this.requestRead(account))),
      ...Array.from({ length: READERS }, (_, index) => () => this.#read(index)),
    ];
    return whileRepeating(users, work, PAUSE_MS);
  }

  /** Links an account as its user would, and waits for its first posts. */
  async link(provider?: SocialProvider): Promise<LinkedAccount> {
    const { name, client, requests, application, deployment } = this.#options;
    this.#accounts += 1;
    const account: NewAccount = {
      provider: provider ?? SOCIAL_PROVIDERS[this.#accounts % SOCIAL_PROVIDERS.length] ?? "PROVIDER_A",
      name: `${name}-account-${this.#accounts}`,
    };
    await openAccounts(deployment, [application], [account]);
    const subject = client.forSubject({ tenantKey: application.tenantKeys[0], externalSubjectId: account.name });
    const session = await subject.connect({
      provider: account.provider,
      capabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"],
      returnUrl: application.returnUrl,
    });
    const form = { launchUrl: session.launchUrl, launchToken: session.launchToken.reveal() };
    await giveConsent(deployment, application, form, account.name, requests.fetch);
    const result = await subject.connectResult(session.id).poll();
    if (result.status !== "COMPLETED" || !("connectionId" in result) || result.connectionId === null) {
      throw new Error(`${account.name} at ${providerSlug(account.provider)} was not linked: ${result.status}`);
    }
    const linked = { ...account, subject, connectionId: result.connectionId };
    await eventually(async () => {
      const { syncStatus } = await subject.connection(linked.connectionId);
      if (syncStatus !== "READY") throw new Error(`${account.name} is ${syncStatus}`);
    }, JOB_TIMEOUT_MS);
    this.linked.push(linked);
    return linked;
  }

  /** Requests a read of posts, in a different window each time, so that each request starts a separate job. */
  async requestRead({ subject, connectionId }: LinkedAccount): Promise<JobPoller> {
    this.#windows += 1;
    const publishedBefore = new Date(Date.now() - this.#windows * MINUTE_MS);
    const publishedAfter = new Date(publishedBefore.getTime() - WINDOW_MS);
    const poller = subject.refresh(connectionId, { window: { publishedAfter, publishedBefore } });
    this.acceptedJobs.add(await poller.start());
    return poller;
  }

  async #linkAndDisconnect(linker: number): Promise<void> {
    const account = await this.link();
    // The other linker's accounts stay, and a provider without revocation asks its users to remove the app.
    if (linker > 0 || !PROVIDER_TRAITS[account.provider].canRevoke) return;
    const disconnection = await account.subject.disconnect(account.connectionId);
    this.linked.splice(this.linked.indexOf(account), 1);
    this.disconnected.push({ ...account, disconnection });
    await untilSucceeded(disconnection.revoke);
    await untilSucceeded(disconnection.erase);
  }

  async #read(reader: number): Promise<void> {
    const account = this.#refreshed[reader % this.#refreshed.length];
    if (account === undefined) throw new Error("prepare() has to be called first");
    const { subject, connectionId } = account;
    const publishedBefore = new Date();
    const publishedAfter = new Date(publishedBefore.getTime() - WINDOW_MS);
    await subject.connections().page();
    const { items } = await subject.content(connectionId, { publishedAfter, publishedBefore }).page();
    if (items.length === 0) throw new Error("an account that was read has no posts");
  }
}

/** Polls more often than `wait`, so that the check is short. */
export async function untilSucceeded(poller: JobPoller): Promise<void> {
  const { id, status, errorCode } = await eventually(async () => {
    const job = await poller.poll();
    if (!ENDED.includes(job.status)) throw new Error(`the job ${job.id} has not finished after ${JOB_TIMEOUT_MS} ms`);
    return job;
  }, JOB_TIMEOUT_MS);
  if (status !== "SUCCEEDED") throw new Error(`the job ${id} is ${status}: ${errorCode}`);
}
