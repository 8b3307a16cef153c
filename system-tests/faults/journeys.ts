import { setTimeout as delay } from "node:timers/promises";
import { giveConsent, signIn } from "../../apps/simulator/src/index.ts";
import { CAPABILITIES } from "../../packages/contract/src/index.ts";
import { type Random, randomFor } from "../../packages/provider-fixtures/src/index.ts";
import type { RunContext } from "./context.ts";
import { type Connection, type Scope, type Session, UNFINISHED } from "./known.ts";
import type { Journey, Step } from "./plan.ts";

const DAY_MS = 86_400_000;

type Launchable = Session & { readonly launchUrl: string; readonly launchToken: string };

/** Does a journey. A call without an answer ends it or is repeated, as a program or a person would. */
export async function travel(context: RunContext, journey: Journey): Promise<void> {
  const { id, kind, provider, steps } = journey;
  context.journal.write("step", { journey: id, kind, provider, steps });
  await new Traveller(context, journey)[kind]();
}

class Traveller {
  readonly #context: RunContext;
  readonly #journey: Journey;
  readonly #random: Random;

  constructor(context: RunContext, journey: Journey) {
    this.#context = context;
    this.#journey = journey;
    this.#random = randomFor(context.seed, "journey", journey.id);
  }

  async link(): Promise<void> {
    const connection = await this.#connect("a", "a");
    if (connection !== null) await this.#doSteps(connection, this.#journey.steps);
  }

  /** A connection of an earlier journey, if it still exists. */
  async revisit(): Promise<void> {
    const name = `-${this.#journey.of}-`;
    const connection = [...this.#context.known.connections.values()].find(
      ({ account, isDisconnectSent }) => account.includes(name) && !isDisconnectSent,
    );
    if (connection !== undefined) await this.#doSteps(connection, this.#journey.steps);
  }

  /** Whose steps end the grants at the provider. */
  person = this.link;

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
    const session = await this.#createSession("a", "a");
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
    await Promise.all(Array.from({ length: 9 }, () => this.#createSession("a", "a", undefined, 1)));
  }

  /** Requests a read of every connection of the application: more than the limit of reads in flight. */
  async flood(): Promise<void> {
    const connections = [...this.#context.known.connections.values()].filter(
      ({ scope, isDisconnectSent }) => scope.application === this.#journey.application && !isDisconnectSent,
    );
    await Promise.all(connections.slice(-30).map((connection) => this.#refresh(connection, {}, 1)));
  }

  async admin(): Promise<void> {
    const { client, known } = this.#context;
    const { application, id } = this.#journey;
    for (let count = 0; count < 3; count += 1) {
      const tenantKey = `tenant-${id}-${count}`;
      const args = { id: client.applications[application].id, tenantKey };
      const { kind: answer } = await client.callAdmin("addClientTenantKey", args);
      known.adminWrites.push({ application, tenantKey, answer });
    }
  }

  async identity(): Promise<void> {
    const { client, violate } = this.#context;
    const { application } = this.#journey;
    const { tenantKeys, identityReturnUrl: returnUrl } = client.applications[application];
    const [tenantKey] = tenantKeys;
    const created = await client.ask(application, "createIdpIdentitySession", { input: { tenantKey, returnUrl } }, 1);
    if (created.kind !== "acknowledged") return;
    const { id, resultProof } = created.data;
    const launched = await client.launch(application, created.data);
    if (launched?.location == null) return;
    const back = await signIn(launched.location, { person: "ada" });
    await client.comeBack(back, launched.cookie);
    let redeemed = 0;
    for (let count = 0; count < 4; count += 1) {
      const answer = await client.ask(application, "redeemIdpIdentityResult", { id, tenantKey, resultProof }, 1);
      if (answer.kind === "acknowledged" && answer.data.status !== "PENDING") redeemed += 1;
      await delay(100);
    }
    if (redeemed > 1) violate("identity result returned once", `${id} ${redeemed} times`);
  }

  async #connect(subject: string, account: "a" | "b", target?: Connection): Promise<Connection | null> {
    const session = await this.#createSession(subject, account, target);
    const launched = session && (await this.#launch(session));
    if (session === null || launched === null) return null;
    const back = await giveConsent(launched.location, { account: session.account });
    await this.#comeBack(session, back, launched.cookie);
    return this.#readResult(session);
  }

  async #createSession(
    subject: string,
    account: "a" | "b",
    target?: Connection,
    tries?: number,
  ): Promise<Launchable | null> {
    const { client, day, known } = this.#context;
    const { application, tenantKey, externalSubjectId } = target?.scope ?? this.#scope(subject);
    const provider = target?.provider ?? this.#journey.provider;
    const input = {
      ...{ scope: { tenantKey, externalSubjectId }, provider, capabilities: CAPABILITIES },
      returnUrl: client.applications[application].returnUrl,
      ...(target && { reconnectConnectionId: target.id }),
    };
    const answer = await client.ask(application, "createConnectSession", { input }, tries);
    if (answer.kind !== "acknowledged") return null;
    const { id, launchToken, launchUrl } = answer.data;
    const session: Session = {
      ...{ id, scope: { application, tenantKey, externalSubjectId }, provider, day },
      account: target?.account ?? `account-${this.#journey.id}-${account}`,
      ...{ callbacks: 0, browserSaw: null, finished: null, mustRemoveApp: false, isChecked: false },
    };
    known.sessions.set(id, session);
    return Object.assign(session, { launchUrl, launchToken });
  }

  async #launch(session: Launchable) {
    const launched = await this.#context.client.launch(session.scope.application, session);
    return launched?.location == null ? null : { location: launched.location, cookie: launched.cookie };
  }

  /** A person whose page does not come loads it again. */
  async #comeBack(session: Session, back: URL, cookie: string): Promise<void> {
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
  async #readResult(session: Session): Promise<Connection | null> {
    const { client, known } = this.#context;
    for (let tries = 0; tries < 8; tries += 1) {
      const answer = await client.askAs(session.scope, "connectSessionResult", { id: session.id }, 1);
      if (answer.kind === "acknowledged" && !UNFINISHED.includes(answer.data.status)) {
        const { status, connectionId } = answer.data;
        session.finished ??= { status, connectionId };
        return connectionId === null ? null : known.connectionOf(session, connectionId);
      }
      await delay(250);
    }
    return null;
  }

  #scope(subject: string): Scope {
    const { application, id } = this.#journey;
    const [tenantKey] = this.#context.client.applications[application].tenantKeys;
    return { application, tenantKey, externalSubjectId: `subject-${id}-${subject}` };
  }

  async #doSteps(connection: Connection, steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      await this.#doStep(connection, step);
      await delay(this.#random.int(0, 200));
    }
  }

  async #doStep(connection: Connection, step: Step): Promise<unknown> {
    switch (step) {
      case "scan":
        return this.#awaitJob(connection, await this.#refresh(connection));
      case "scan-window":
        return this.#refresh(connection, { window: this.#window() });
      case "metrics":
        return this.#awaitJob(connection, await this.#refreshMetrics(connection));
      case "lookup":
        return this.#awaitJob(connection, await this.#lookUp(connection));
      case "read-all-at-once":
        return Promise.all([this.#refresh(connection), this.#refreshMetrics(connection), this.#lookUp(connection)]);
      case "show":
        return this.#content(connection);
      case "reconnect":
        return this.#connect("a", "a", connection);
      case "end-grant":
      case "remove-app":
        return this.#endAtProvider(connection, step);
      case "disconnect":
        return this.#disconnect(connection);
      case "disconnect-at-once":
        return Promise.all([1, 2, 3, 4].map(() => this.#disconnect(connection)));
    }
  }

  #refresh(connection: Connection, more: object = {}, tries = 3): Promise<string | null> {
    return this.#order(connection, "requestRefresh", more, tries);
  }

  async #refreshMetrics(connection: Connection): Promise<string | null> {
    const [post] = await this.#context.provider.posts(connection.provider, connection.account);
    return this.#refresh(connection, { providerContentId: post?.id ?? "none" });
  }

  async #lookUp(connection: Connection): Promise<string | null> {
    const posts = await this.#context.provider.posts(connection.provider, connection.account);
    const post = posts[this.#random.int(0, Math.max(0, posts.length - 1))];
    return post === undefined ? null : this.#order(connection, "requestContentLookup", { url: post.url }, 3);
  }

  async #order(
    { id: connectionId, scope }: Connection,
    name: "requestRefresh" | "requestContentLookup",
    more: object,
    tries: number,
  ): Promise<string | null> {
    const { client, known } = this.#context;
    const answer = await client.askAs(scope, name, { connectionId, ...more }, tries);
    if (answer.kind !== "acknowledged") return null;
    const { id } = answer.data;
    known.jobs.set(id, { id, connectionId, isChecked: false });
    return id;
  }

  async #awaitJob({ scope, id: connectionId }: Connection, id: string | null): Promise<void> {
    for (let tries = 0; id !== null && tries < 8; tries += 1) {
      const answer = await this.#context.client.askAs(scope, "syncJob", { connectionId, id }, 1);
      if (answer.kind === "acknowledged" && !["QUEUED", "RUNNING"].includes(answer.data.status)) return;
      await delay(250);
    }
  }

  #content({ scope, id: connectionId }: Connection) {
    return this.#context.client.askAs(scope, "content", { connectionId, window: { ...this.#window(), first: 20 } }, 1);
  }

  /** After an acknowledged disconnect no data is served. */
  async #disconnect(connection: Connection): Promise<void> {
    const { client, violate } = this.#context;
    const { scope, id } = connection;
    connection.isDisconnectSent = true;
    const tries = this.#random.chance(0.7) ? 4 : 1;
    const answer = await client.askAs(scope, "disconnectConnection", { connectionId: id }, tries);
    if (answer.kind !== "acknowledged") return;
    const { revokeJobId, eraseJobId } = answer.data;
    const before = connection.receipts;
    if (before !== null && (before.revokeJobId !== revokeJobId || before.eraseJobId !== eraseJobId)) {
      violate("a repeated disconnect answers with the same receipts", id);
    }
    connection.receipts = { revokeJobId, eraseJobId };
    const shown = await this.#content(connection);
    if (shown.kind === "acknowledged") violate("nothing is served after a disconnect", id);
  }

  async #endAtProvider({ account: name, provider }: Connection, step: "end-grant" | "remove-app"): Promise<void> {
    const { known, provider: driver, journal } = this.#context;
    const account = known.accounts.get(name);
    if (account !== undefined) account.endedByPerson = true;
    journal.write("step", { account: name, step });
    await (step === "end-grant" ? driver.endGrants : driver.removeApp)(provider, name);
  }

  /** Days before the start of the simulated clock, so that they are always in the past. */
  #window(): { publishedAfter: string; publishedBefore: string } {
    const end = Date.now() + this.#random.int(-2, 1) * DAY_MS;
    const publishedAfter = new Date(end - this.#random.int(3, 60) * DAY_MS).toISOString();
    return { publishedAfter, publishedBefore: new Date(end).toISOString() };
  }
}
