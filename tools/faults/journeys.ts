import { setTimeout as delay } from "node:timers/promises";
import { giveConsent, signIn } from "../../apps/simulator/src/index.ts";
import type { SeededRandom } from "../../apps/simulator/src/shared/random.ts";
import { seededRandom } from "../../apps/simulator/src/shared/random.ts";
import { CAPABILITIES } from "../../packages/contract/src/index.ts";
import { providerSlug } from "../../packages/domain/src/index.ts";
import type { Answer, Client } from "./client.ts";
import { control } from "./control.ts";
import type { ConnectionFact, Facts, Receipts, Scope, SessionFact } from "./facts.ts";
import type { Journal } from "./journal.ts";
import {
  ADD_TENANT_KEY,
  CONTENT,
  CREATE_IDENTITY_SESSION,
  CREATE_SESSION,
  DISCONNECT,
  JOB,
  LOOKUP,
  REDEEM_IDENTITY,
  REFRESH,
  SESSION_RESULT,
} from "./operations.ts";
import type { Journey, Step } from "./plan.ts";
import { accountsOf } from "./roster.ts";

export interface JourneyContext {
  readonly seed: string;
  readonly client: Client;
  readonly facts: Facts;
  readonly journal: Journal;
  readonly simulatorUrl: string;
  /** Ids of the two applications, as the admin API knows them. */
  readonly applicationIds: Readonly<Record<Scope["application"], string>>;
  /** How many days the clock has been moved on so far. */
  readonly day: () => number;
  readonly violate: (rule: string, detail: string) => void;
}

/** Does a journey. A call without an answer ends it or is repeated, as a program or a person would. */
export async function travel(context: JourneyContext, journey: Journey): Promise<void> {
  const random = seededRandom(context.seed, "journey", journey.id);
  context.journal.write("step", {
    journey: journey.id,
    kind: journey.kind,
    provider: journey.provider,
    steps: journey.steps,
  });
  const traveller = new Traveller(context, journey, random);
  await traveller[journey.kind]();
}

class Traveller {
  readonly #context: JourneyContext;
  readonly #journey: Journey;
  readonly #random: SeededRandom;

  constructor(context: JourneyContext, journey: Journey, random: SeededRandom) {
    this.#context = context;
    this.#journey = journey;
    this.#random = random;
  }

  async link(): Promise<void> {
    const connection = await this.#connect("a", "a");
    if (connection !== null) await this.#doSteps(connection, this.#journey.steps);
  }

  /** A connection of an earlier journey, if it still exists. */
  async revisit(): Promise<void> {
    const name = `-${this.#journey.of}-`;
    const connection = [...this.#context.facts.connections.values()].find(
      ({ account, isDisconnectSent }) => account.includes(name) && !isDisconnectSent,
    );
    if (connection !== undefined) await this.#doSteps(connection, this.#journey.steps);
  }

  async person(): Promise<void> {
    await this.link();
  }

  /** Two accounts that hang together: one account of two subjects, or two accounts of one person. */
  async siblings(): Promise<void> {
    const first = await this.#connect("a", "a");
    const [subject, account] = this.#random.chance(0.6) ? (["b", "a"] as const) : (["a", "b"] as const);
    const isDuringExchange = this.#random.chance(0.5);
    const connecting = this.#connect(subject, account);
    if (!isDuringExchange) await connecting;
    if (first !== null) await this.#doSteps(first, this.#journey.steps);
    const second = await connecting;
    if (second === null) return;
    await this.#doSteps(second, ["scan"]);
    if (this.#random.chance(0.5)) await this.#disconnect(second);
  }

  /** An attempt that its user does not finish, denies, or finishes twice concurrently. */
  async abandon(): Promise<void> {
    const session = await this.#createSession("a", "a", null);
    if (session === null) return;
    const end = this.#random.pick(["created", "launched", "denied", "twice"] as const);
    if (end === "created") return;
    const launched = await this.#launch(session);
    if (launched === null || end === "launched") return;
    const decision = end === "denied" ? "deny" : "allow";
    const back = await giveConsent(launched.location, { account: session.account, decision });
    const times = end === "twice" ? 2 : 1;
    await Promise.all(Array.from({ length: times }, () => this.#comeBack(session, back, launched.cookie)));
    await this.#readResult(session);
  }

  async burst(): Promise<void> {
    await Promise.all(Array.from({ length: 9 }, () => this.#createSession("a", "a", null, 1)));
  }

  /** Requests a read of every connection of the application: more than the limit of reads in flight. */
  async flood(): Promise<void> {
    const { facts } = this.#context;
    const connections = [...facts.connections.values()].filter(
      ({ scope, isDisconnectSent }) => scope.application === this.#journey.application && !isDisconnectSent,
    );
    await Promise.all(connections.slice(-30).map((connection) => this.#refresh(connection, {}, 1)));
  }

  async admin(): Promise<void> {
    const { client, facts, applicationIds } = this.#context;
    const { application, id } = this.#journey;
    for (let count = 0; count < 3; count += 1) {
      const tenantKey = `tenant-${id}-${count}`;
      const variables = { id: applicationIds[application], tenantKey };
      const answer = await client.callAdmin(`add ${tenantKey}`, ADD_TENANT_KEY, variables);
      facts.adminWrites.push({ application, tenantKey, answer: answer.kind });
    }
  }

  async identity(): Promise<void> {
    const { client, facts } = this.#context;
    const { application, id: journey } = this.#journey;
    const { tenantKeys, identityReturnUrl } = client.applications[application];
    const tenantKey = tenantKeys[0] ?? "";
    const input = { tenantKey, returnUrl: identityReturnUrl };
    const created = await client.call<{
      createIdpIdentitySession: { id: string; launchUrl: string; launchToken: string; resultProof: string };
    }>(application, `identity ${journey}`, CREATE_IDENTITY_SESSION, { input });
    if (created.kind !== "acknowledged") return;
    const { id, launchUrl, launchToken, resultProof } = created.data.createIdpIdentitySession;
    const fact = { id, application, redeemed: 0 };
    facts.identities.set(id, fact);
    const launched = await client.launch(application, launchUrl, launchToken);
    if (launched?.location == null) return;
    const back = await signIn(launched.location, { person: "ada" });
    await client.comeBack(back, launched.cookie);
    for (let count = 0; count < 4; count += 1) {
      const variables = { id, tenantKey, resultProof };
      const answer = await client.call<{ redeemIdpIdentityResult: { status: string } }>(
        application,
        `redeem ${id}`,
        REDEEM_IDENTITY,
        variables,
      );
      if (answer.kind === "acknowledged" && answer.data.redeemIdpIdentityResult.status !== "PENDING")
        fact.redeemed += 1;
      await delay(100);
    }
    if (fact.redeemed > 1) this.#context.violate("identity result returned once", `${id} ${fact.redeemed} times`);
  }

  async #doSteps(connection: ConnectionFact, steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      await this.#doStep(connection, step);
      await delay(this.#random.int(0, 200));
    }
  }

  async #doStep(connection: ConnectionFact, step: Step): Promise<void> {
    switch (step) {
      case "scan":
        return this.#awaitJob(connection, await this.#refresh(connection));
      case "scan-window":
        return void (await this.#refresh(connection, { window: this.#window() }));
      case "metrics":
        return this.#awaitJob(connection, await this.#refreshMetrics(connection));
      case "lookup":
        return this.#awaitJob(connection, await this.#lookUp(connection));
      case "read-all-at-once":
        await Promise.all([this.#refresh(connection), this.#refreshMetrics(connection), this.#lookUp(connection)]);
        return;
      case "show":
        await this.#content(connection);
        return;
      case "reconnect":
        await this.#connect("a", "a", connection);
        return;
      case "end-grant":
      case "remove-app":
        return this.#endAtProvider(connection, step);
      case "disconnect":
        return this.#disconnect(connection);
      case "disconnect-at-once":
        await Promise.all([1, 2, 3, 4].map(() => this.#disconnect(connection)));
    }
  }

  async #connect(
    subject: string,
    account: string,
    target: ConnectionFact | null = null,
  ): Promise<ConnectionFact | null> {
    const session = await this.#createSession(subject, account, target);
    const launched = session && (await this.#launch(session));
    if (session === null || launched === null) return null;
    const back = await giveConsent(launched.location, { account: session.account });
    await this.#comeBack(session, back, launched.cookie);
    return this.#readResult(session);
  }

  async #createSession(
    subject: string,
    account: string,
    target: ConnectionFact | null,
    tries = 6,
  ): Promise<(SessionFact & { readonly launchUrl: string; readonly launchToken: string }) | null> {
    const { client, facts } = this.#context;
    const { id: journey, provider } = this.#journey;
    const scope = target?.scope ?? this.#scope(subject);
    const application = client.applications[scope.application];
    const input = {
      scope: wireScope(scope),
      provider: target?.provider ?? provider,
      capabilities: CAPABILITIES,
      returnUrl: application.returnUrl,
      ...(target && { reconnectConnectionId: target.id }),
    };
    const create = () =>
      client.call<{ createConnectSession: { id: string; launchUrl: string; launchToken: string } }>(
        scope.application,
        `connect ${journey} ${subject}`,
        CREATE_SESSION,
        { input },
      );
    const answer = await client.persist(create, tries);
    if (answer.kind !== "acknowledged") return null;
    const created = answer.data.createConnectSession;
    const name = target?.account ?? accountsOf(this.#journey)[account === "a" ? 0 : 1]?.name ?? "";
    const session: SessionFact = {
      id: created.id,
      scope,
      provider: input.provider,
      account: name,
      day: this.#context.day(),
      isLaunched: false,
      callbacks: 0,
      browserSaw: null,
      finished: null,
      mustRemoveApp: false,
      isChecked: false,
    };
    facts.sessions.set(session.id, session);
    return Object.assign(session, { launchUrl: created.launchUrl, launchToken: created.launchToken });
  }

  async #launch(session: SessionFact & { readonly launchUrl: string; readonly launchToken: string }) {
    session.isLaunched = true;
    const launched = await this.#context.client.launch(
      session.scope.application,
      session.launchUrl,
      session.launchToken,
    );
    return launched?.location == null ? null : { location: launched.location, cookie: launched.cookie };
  }

  /** A person whose page does not come loads it again. */
  async #comeBack(session: SessionFact, back: URL, cookie: string): Promise<void> {
    for (let tries = 0; tries < 2; tries += 1) {
      session.callbacks += 1;
      const answer = await this.#context.client.comeBack(back, cookie);
      if (answer === null) continue;
      const status = answer.location?.searchParams.get("ss_status") ?? null;
      if (status !== null && session.browserSaw !== null && session.browserSaw !== status) {
        this.#context.violate("the browser receives one result", `${session.id} ${session.browserSaw}, then ${status}`);
      }
      session.browserSaw = status ?? session.browserSaw;
      return;
    }
  }

  /** Polls the result for a while, as a backend does; null unless the attempt came to a connection. */
  async #readResult(session: SessionFact): Promise<ConnectionFact | null> {
    const { client, facts } = this.#context;
    for (let tries = 0; tries < 8; tries += 1) {
      const variables = { scope: wireScope(session.scope), id: session.id };
      const answer = await client.call<{ connectSessionResult: { status: string; connectionId: string | null } }>(
        session.scope.application,
        `result ${session.id}`,
        SESSION_RESULT,
        variables,
      );
      if (answer.kind === "acknowledged") {
        const { status, connectionId } = answer.data.connectSessionResult;
        if (!UNFINISHED.includes(status)) {
          session.finished ??= { status, connectionId };
          return connectionId === null ? null : knowConnection(facts, session, connectionId);
        }
      }
      await delay(250);
    }
    return null;
  }

  async #refresh(connection: ConnectionFact, more: object = {}, tries = 3): Promise<string | null> {
    return this.#order(connection, "requestRefresh", REFRESH, more, tries);
  }

  async #refreshMetrics(connection: ConnectionFact): Promise<string | null> {
    const [post] = await this.#postsOf(connection);
    return this.#order(connection, "requestRefresh", REFRESH, { providerContentId: post?.id ?? "none" });
  }

  async #lookUp(connection: ConnectionFact): Promise<string | null> {
    const posts = await this.#postsOf(connection);
    const post = posts[this.#random.int(0, Math.max(0, posts.length - 1))];
    return post === undefined ? null : this.#order(connection, "requestContentLookup", LOOKUP, { url: post.url });
  }

  async #order(
    connection: ConnectionFact,
    operation: "requestRefresh" | "requestContentLookup",
    query: string,
    more: object,
    tries = 3,
  ): Promise<string | null> {
    const { client, facts } = this.#context;
    const { scope, id } = connection;
    const variables = { scope: wireScope(scope), connectionId: id, ...more };
    const answer = await client.persist(
      () =>
        client.call<Record<typeof operation, { id: string }>>(
          scope.application,
          `${operation} ${id}`,
          query,
          variables,
        ),
      tries,
    );
    if (answer.kind !== "acknowledged") return null;
    const job = { id: answer.data[operation].id, connectionId: id, scope, isChecked: false };
    facts.jobs.set(job.id, job);
    return job.id;
  }

  async #awaitJob({ scope, id: connectionId }: ConnectionFact, id: string | null): Promise<void> {
    for (let tries = 0; id !== null && tries < 8; tries += 1) {
      const variables = { scope: wireScope(scope), connectionId, id };
      const answer = await this.#context.client.call<{ syncJob: { status: string } }>(
        scope.application,
        `job ${id}`,
        JOB,
        variables,
      );
      if (answer.kind === "acknowledged" && !["QUEUED", "RUNNING"].includes(answer.data.syncJob.status)) return;
      await delay(250);
    }
  }

  #content({ scope, id }: ConnectionFact): Promise<Answer<unknown>> {
    const window = { ...this.#window(), first: 20 };
    const variables = { scope: wireScope(scope), connectionId: id, window };
    return this.#context.client.call(scope.application, `content ${id}`, CONTENT, variables);
  }

  /** After an acknowledged disconnect no data is served. */
  async #disconnect(connection: ConnectionFact): Promise<void> {
    const { client, violate } = this.#context;
    const { scope, id } = connection;
    const variables = { scope: wireScope(scope), connectionId: id };
    connection.isDisconnectSent = true;
    const tries = this.#random.chance(0.7) ? 4 : 1;
    const answer = await client.persist(
      () =>
        client.call<{ disconnectConnection: Receipts }>(scope.application, `disconnect ${id}`, DISCONNECT, variables),
      tries,
    );
    if (answer.kind !== "acknowledged") return;
    const { revokeJobId, eraseJobId } = answer.data.disconnectConnection;
    const known = connection.receipts;
    if (known !== null && (known.revokeJobId !== revokeJobId || known.eraseJobId !== eraseJobId)) {
      violate("a repeated disconnect answers with the same receipts", id);
    }
    connection.receipts = { revokeJobId, eraseJobId };
    const shown = await this.#content(connection);
    if (shown.kind === "acknowledged") violate("nothing is served after a disconnect", id);
  }

  async #endAtProvider({ account, provider }: ConnectionFact, step: "end-grant" | "remove-app"): Promise<void> {
    const { facts, simulatorUrl, journal } = this.#context;
    const fact = facts.accounts.get(account);
    if (fact !== undefined) fact.endedByPerson = true;
    journal.write("step", { account, step });
    await control(simulatorUrl, "POST", `/accounts/${providerSlug(provider)}/${account}/${step}`, {});
  }

  async #postsOf({ account, provider }: ConnectionFact): Promise<readonly { id: string; url: string }[]> {
    const path = `/accounts/${providerSlug(provider)}/${account}/posts`;
    const { posts } = await control<{ posts: { id: string; url: string; visibility: string }[] }>(
      this.#context.simulatorUrl,
      "GET",
      path,
    );
    return posts;
  }

  /** Days before the start of the simulated clock, so that they are always in the past. */
  #window(): { publishedAfter: string; publishedBefore: string } {
    const end = Date.now() + this.#random.int(-2, 1) * 86_400_000;
    return {
      publishedAfter: new Date(end - this.#random.int(3, 60) * 86_400_000).toISOString(),
      publishedBefore: new Date(end).toISOString(),
    };
  }

  #scope(subject: string): Scope {
    const { application, id } = this.#journey;
    const { tenantKeys } = this.#context.client.applications[application];
    return { application, tenantKey: tenantKeys[0] ?? "", externalSubjectId: `subject-${id}-${subject}` };
  }
}

export const UNFINISHED: readonly string[] = ["CREATED", "AUTHORIZING", "EXCHANGING"];

export function wireScope({ tenantKey, externalSubjectId }: Scope) {
  return { tenantKey, externalSubjectId };
}

/** Notes a connection that an attempt is known to have come to. */
export function knowConnection(facts: Facts, session: SessionFact, id: string): ConnectionFact {
  const known = facts.connections.get(id);
  if (known !== undefined) return known;
  const { scope, provider, account } = session;
  const connection: ConnectionFact = {
    id,
    scope,
    provider,
    account,
    isDisconnectSent: false,
    receipts: null,
    mustRemoveApp: false,
    isErased: false,
  };
  facts.connections.set(id, connection);
  return connection;
}
