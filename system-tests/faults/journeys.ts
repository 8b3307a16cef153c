import { setTimeout as delay } from "node:timers/promises";
import { giveConsent, signIn } from "../../apps/simulator/src/index.ts";
import { CAPABILITIES } from "../../packages/contract/src/index.ts";
import { randomFor } from "../../packages/provider-fixtures/src/index.ts";
import type { RunContext } from "./context.ts";
import { type Connection, type Scope, type Session, UNFINISHED } from "./known.ts";
import type { Journey, Step } from "./plan.ts";

const DAY_MS = 86_400_000;

type Launchable = Session & { readonly launchUrl: string; readonly launchToken: string };

/** Does a journey. A call without an answer ends it or is repeated, as a program or a person would. */
export async function travel(context: RunContext, journey: Journey): Promise<void> {
  const { id, kind, provider, steps } = journey;
  context.journal.write("step", { journey: id, kind, provider, steps });
  await traveller(context, journey)[kind]();
}

/** What a journey of each kind does. */
function traveller(context: RunContext, { id: journeyId, application, of, provider: linkedAt, steps }: Journey) {
  const { client, journal, known, provider, violate } = context;
  const random = randomFor(context.seed, "journey", journeyId);

  const link = async (): Promise<void> => {
    const connection = await connect("a", "a");
    if (connection !== null) await doSteps(connection, steps);
  };

  /** A connection of an earlier journey, if it still exists. */
  const revisit = async (): Promise<void> => {
    const connection = [...known.connections.values()].find(
      ({ account, isDisconnectSent }) => account.includes(`-${of}-`) && !isDisconnectSent,
    );
    if (connection !== undefined) await doSteps(connection, steps);
  };

  /** Two accounts that hang together: one account of two subjects, or two accounts of one person. */
  const siblings = async (): Promise<void> => {
    const first = await connect("a", "a");
    const [subject, account] = random.chance(0.6) ? (["b", "a"] as const) : (["a", "b"] as const);
    const isDuringExchange = random.chance(0.5);
    const connecting = connect(subject, account);
    if (!isDuringExchange) await connecting;
    if (first !== null) await doSteps(first, steps);
    const second = await connecting;
    if (second === null) return;
    await doSteps(second, ["scan"]);
    if (random.chance(0.5)) await disconnect(second);
  };

  /** An attempt that its user does not finish, denies, or finishes twice concurrently. */
  const abandon = async (): Promise<void> => {
    const session = await createSession("a", "a");
    if (session === null) return;
    const end = random.pick(["created", "launched", "denied", "twice"] as const);
    if (end === "created") return;
    const launched = await launch(session);
    if (launched === null || end === "launched") return;
    const decision = end === "denied" ? "deny" : "allow";
    const back = await giveConsent(launched.location, { account: session.account, decision });
    const times = end === "twice" ? 2 : 1;
    await Promise.all(Array.from({ length: times }, () => comeBack(session, back, launched.cookie)));
    await readResult(session);
  };

  const burst = async (): Promise<void> => {
    await Promise.all(Array.from({ length: 9 }, () => createSession("a", "a", undefined, 1)));
  };

  /** Requests a read of every connection of the application: more than the limit of reads in flight. */
  const flood = async (): Promise<void> => {
    const connections = [...known.connections.values()].filter(
      ({ scope, isDisconnectSent }) => scope.application === application && !isDisconnectSent,
    );
    await Promise.all(connections.slice(-30).map((connection) => refresh(connection, {}, 1)));
  };

  const admin = async (): Promise<void> => {
    for (let count = 0; count < 3; count += 1) {
      const tenantKey = `tenant-${journeyId}-${count}`;
      const args = { id: client.applications[application].id, tenantKey };
      const { kind: answer } = await client.callAdmin("addClientTenantKey", args);
      known.adminWrites.push({ application, tenantKey, answer });
    }
  };

  const identity = async (): Promise<void> => {
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
  };

  const connect = async (subject: string, account: "a" | "b", target?: Connection): Promise<Connection | null> => {
    const session = await createSession(subject, account, target);
    const launched = session && (await launch(session));
    if (session === null || launched === null) return null;
    const back = await giveConsent(launched.location, { account: session.account });
    await comeBack(session, back, launched.cookie);
    return readResult(session);
  };

  const createSession = async (subject: string, letter: "a" | "b", target?: Connection, tries?: number) => {
    const [tenantKey] = client.applications[application].tenantKeys;
    const own: Scope = { application, tenantKey, externalSubjectId: `subject-${journeyId}-${subject}` };
    const made = { scope: own, provider: linkedAt, account: `account-${journeyId}-${letter}` };
    const { scope, provider, account } = target ?? made;
    const input = {
      scope: { tenantKey: scope.tenantKey, externalSubjectId: scope.externalSubjectId },
      ...{ provider, capabilities: CAPABILITIES, returnUrl: client.applications[scope.application].returnUrl },
      ...(target && { reconnectConnectionId: target.id }),
    };
    const answer = await client.ask(scope.application, "createConnectSession", { input }, tries);
    if (answer.kind !== "acknowledged") return null;
    const { id, launchToken, launchUrl } = answer.data;
    const session: Session = {
      ...{ id, scope, provider, account, day: context.day },
      ...{ callbacks: 0, browserSaw: null, finished: null, mustRemoveApp: false, isChecked: false },
    };
    known.sessions.set(id, session);
    return Object.assign(session, { launchUrl, launchToken });
  };

  const launch = async (session: Launchable) => {
    const launched = await client.launch(session.scope.application, session);
    return launched?.location == null ? null : { location: launched.location, cookie: launched.cookie };
  };

  /** A person whose page does not come loads it again. */
  const comeBack = async (session: Session, back: URL, cookie: string): Promise<void> => {
    for (let tries = 0; tries < 2; tries += 1) {
      session.callbacks += 1;
      const answer = await client.comeBack(back, cookie);
      if (answer === null) continue;
      const status = answer.location?.searchParams.get("ss_status") ?? null;
      if (status !== null && session.browserSaw !== null && session.browserSaw !== status) {
        violate("the browser receives one result", `${session.id} ${session.browserSaw}, then ${status}`);
      }
      session.browserSaw = status ?? session.browserSaw;
      return;
    }
  };

  /** Polls the result for a while, as a backend does; null unless the attempt came to a connection. */
  const readResult = async (session: Session): Promise<Connection | null> => {
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
  };

  const doSteps = async (connection: Connection, all: readonly Step[]): Promise<void> => {
    for (const step of all) {
      await STEPS[step](connection);
      await delay(random.int(0, 200));
    }
  };

  const STEPS: Readonly<Record<Step, (connection: Connection) => Promise<unknown>>> = {
    scan: async (connection) => awaitJob(connection, await refresh(connection)),
    "scan-window": (connection) => refresh(connection, { window: window() }),
    metrics: async (connection) => awaitJob(connection, await refreshMetrics(connection)),
    lookup: async (connection) => awaitJob(connection, await lookUp(connection)),
    "read-all-at-once": (connection) =>
      Promise.all([refresh(connection), refreshMetrics(connection), lookUp(connection)]),
    show: (connection) => content(connection),
    reconnect: (connection) => connect("a", "a", connection),
    "end-grant": (connection) => endAtProvider(connection, "end-grant"),
    "remove-app": (connection) => endAtProvider(connection, "remove-app"),
    disconnect: (connection) => disconnect(connection),
    "disconnect-at-once": (connection) => Promise.all([1, 2, 3, 4].map(() => disconnect(connection))),
  };

  const refresh = (connection: Connection, more: object = {}, tries = 3) =>
    order(connection, "requestRefresh", more, tries);

  const refreshMetrics = async (connection: Connection): Promise<string | null> => {
    const [post] = await provider.posts(connection.provider, connection.account);
    return refresh(connection, { providerContentId: post?.id ?? "none" });
  };

  const lookUp = async (connection: Connection): Promise<string | null> => {
    const posts = await provider.posts(connection.provider, connection.account);
    const post = posts[random.int(0, Math.max(0, posts.length - 1))];
    return post === undefined ? null : order(connection, "requestContentLookup", { url: post.url }, 3);
  };

  const order = async (
    { id: connectionId, scope }: Connection,
    name: "requestRefresh" | "requestContentLookup",
    more: object,
    tries: number,
  ): Promise<string | null> => {
    const answer = await client.askAs(scope, name, { connectionId, ...more }, tries);
    if (answer.kind !== "acknowledged") return null;
    const { id } = answer.data;
    known.jobs.set(id, { id, connectionId, isChecked: false });
    return id;
  };

  const awaitJob = async ({ scope, id: connectionId }: Connection, id: string | null): Promise<void> => {
    for (let tries = 0; id !== null && tries < 8; tries += 1) {
      const answer = await client.askAs(scope, "syncJob", { connectionId, id }, 1);
      if (answer.kind === "acknowledged" && !["QUEUED", "RUNNING"].includes(answer.data.status)) return;
      await delay(250);
    }
  };

  const content = ({ scope, id: connectionId }: Connection) =>
    client.askAs(scope, "content", { connectionId, window: { ...window(), first: 20 } }, 1);

  /** After an acknowledged disconnect no data is served. */
  const disconnect = async (connection: Connection): Promise<void> => {
    const { scope, id } = connection;
    connection.isDisconnectSent = true;
    const tries = random.chance(0.7) ? 4 : 1;
    const answer = await client.askAs(scope, "disconnectConnection", { connectionId: id }, tries);
    if (answer.kind !== "acknowledged") return;
    const { revokeJobId, eraseJobId } = answer.data;
    const before = connection.receipts;
    if (before !== null && (before.revokeJobId !== revokeJobId || before.eraseJobId !== eraseJobId)) {
      violate("a repeated disconnect answers with the same receipts", id);
    }
    connection.receipts = { revokeJobId, eraseJobId };
    const shown = await content(connection);
    if (shown.kind === "acknowledged") violate("nothing is served after a disconnect", id);
  };

  const endAtProvider = async ({ account: name, provider: at }: Connection, step: "end-grant" | "remove-app") => {
    const account = known.accounts.get(name);
    if (account !== undefined) account.endedByPerson = true;
    journal.write("step", { account: name, step });
    await (step === "end-grant" ? provider.endGrants : provider.removeApp)(at, name);
  };

  /** Days before the start of the simulated clock, so that they are always in the past. */
  const window = (): { publishedAfter: string; publishedBefore: string } => {
    const end = Date.now() + random.int(-2, 1) * DAY_MS;
    const publishedAfter = new Date(end - random.int(3, 60) * DAY_MS).toISOString();
    return { publishedAfter, publishedBefore: new Date(end).toISOString() };
  };

  // The steps of `person` end the grants at the provider.
  return { link, revisit, person: link, siblings, abandon, burst, flood, admin, identity };
}
