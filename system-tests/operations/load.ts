import type { Application } from "../../packages/conformance/src/target/target.ts";
import { SOCIAL_PROVIDERS, type SocialProvider } from "../../packages/contract/src/index.ts";
import { PROVIDER_TRAITS } from "../../packages/domain/src/index.ts";
import type { Disconnection, JobPoller, SocialConnect, Subject } from "../../packages/sdk/src/index.ts";
import { eventually } from "../../packages/testkit/src/eventually.ts";
import { linkAccount } from "../../tools/linkAccount.ts";
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

export type Load = ReturnType<typeof openLoad>;

/** Users who link, read, refresh and disconnect accounts, through the SDK and as a browser. */
export function openLoad({ name, client, requests, application, deployment }: LoadOptions) {
  const linked: LinkedAccount[] = [];
  const disconnected: (LinkedAccount & { readonly disconnection: Disconnection })[] = [];
  /** Ids of the reads that the service accepted. */
  const acceptedJobs = new Set<string>();
  const refreshed: LinkedAccount[] = [];
  let [accounts, windows] = [0, 0];

  /** Links an account as its user would, and waits for its first posts. */
  const link = async (provider?: SocialProvider): Promise<LinkedAccount> => {
    accounts += 1;
    const account: NewAccount = {
      provider: provider ?? SOCIAL_PROVIDERS[accounts % SOCIAL_PROVIDERS.length] ?? "PROVIDER_A",
      name: `${name}-account-${accounts}`,
    };
    await openAccounts(deployment, [application], [account]);
    const { user: subject, connectionId } = await linkAccount(
      {
        ...{ social: client, tenantKey: application.tenantKeys[0], returnUrl: application.returnUrl },
        consent: ({ launchUrl, launchToken }) => {
          const form = { launchUrl, launchToken: launchToken.reveal() };
          return giveConsent(deployment, application, form, account.name, requests.fetch);
        },
      },
      { provider: account.provider, externalSubjectId: account.name },
    );
    await eventually(async () => {
      const { syncStatus } = await subject.connection(connectionId);
      if (syncStatus !== "READY") throw new Error(`${account.name} is ${syncStatus}`);
    }, JOB_TIMEOUT_MS);
    const made = { ...account, subject, connectionId };
    linked.push(made);
    return made;
  };

  /** Requests a read of posts, in a different window each time, so that each request starts a separate job. */
  const requestRead = async ({ subject, connectionId }: LinkedAccount): Promise<JobPoller> => {
    windows += 1;
    const publishedBefore = new Date(Date.now() - windows * MINUTE_MS);
    const publishedAfter = new Date(publishedBefore.getTime() - WINDOW_MS);
    const poller = subject.refresh(connectionId, { window: { publishedAfter, publishedBefore } });
    acceptedJobs.add(await poller.start());
    return poller;
  };

  const linkAndDisconnect = async (linker: number): Promise<void> => {
    const account = await link();
    // The other linker's accounts stay, and a provider without revocation asks its users to remove the app.
    if (linker > 0 || !PROVIDER_TRAITS[account.provider].canRevoke) return;
    const disconnection = await account.subject.disconnect(account.connectionId);
    linked.splice(linked.indexOf(account), 1);
    disconnected.push({ ...account, disconnection });
    await untilSucceeded(disconnection.revoke);
    await untilSucceeded(disconnection.erase);
  };

  const read = async (reader: number): Promise<void> => {
    const account = refreshed[reader % refreshed.length];
    if (account === undefined) throw new Error("prepare() has to be called first");
    await account.subject.connections().page();
    const { items } = await account.subject.content(account.connectionId, client.recentWindow(7)).page();
    if (items.length === 0) throw new Error("an account that was read has no posts");
  };

  return {
    ...{ linked, disconnected, acceptedJobs, link },
    /** Links the accounts that are read and refreshed later. */
    prepare: async () => {
      refreshed.push(...(await Promise.all(Array.from({ length: REFRESHERS }, () => link()))));
    },
    /** Users send requests while the work runs. */
    during: <Result>(work: () => Promise<Result>): Promise<Result> => {
      const users = [
        ...Array.from({ length: LINKERS }, (_, index) => () => linkAndDisconnect(index)),
        ...refreshed.map((account) => async () => untilSucceeded(await requestRead(account))),
        ...Array.from({ length: READERS }, (_, index) => () => read(index)),
      ];
      return whileRepeating(users, work, PAUSE_MS);
    },
  };
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
