import { setTimeout as delay } from "node:timers/promises";
import { giveConsent } from "../../../apps/simulator/src/index.ts";
import { CAPABILITIES } from "../../../packages/contract/src/index.ts";
import type { Random } from "../../../packages/provider-fixtures/src/index.ts";
import type { RunContext } from "../context.ts";
import { type Connection, type Scope, type Session, UNFINISHED } from "../known.ts";
import type { Journey } from "../plan.ts";

export type Launchable = Session & { readonly launchUrl: string; readonly launchToken: string };

/** The connect attempts of a journey: the calls of the backend and of the browser. */
export class ConnectAttempts {
  protected readonly context: RunContext;
  protected readonly journey: Journey;
  protected readonly random: Random;

  constructor(context: RunContext, journey: Journey, random: Random) {
    this.context = context;
    this.journey = journey;
    this.random = random;
  }

  protected async connect(subject: string, account: "a" | "b", target?: Connection): Promise<Connection | null> {
    const session = await this.createSession(subject, account, target);
    const launched = session && (await this.launch(session));
    if (session === null || launched === null) return null;
    const back = await giveConsent(launched.location, { account: session.account });
    await this.comeBack(session, back, launched.cookie);
    return this.readResult(session);
  }

  protected async createSession(
    subject: string,
    account: "a" | "b",
    target?: Connection,
    tries?: number,
  ): Promise<Launchable | null> {
    const { client, day, known } = this.context;
    const { application, tenantKey, externalSubjectId } = target?.scope ?? this.#scope(subject);
    const provider = target?.provider ?? this.journey.provider;
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
      account: target?.account ?? `account-${this.journey.id}-${account}`,
      ...{ callbacks: 0, browserSaw: null, finished: null, mustRemoveApp: false, isChecked: false },
    };
    known.sessions.set(id, session);
    return Object.assign(session, { launchUrl, launchToken });
  }

  protected async launch(session: Launchable) {
    const launched = await this.context.client.launch(session.scope.application, session);
    return launched?.location == null ? null : { location: launched.location, cookie: launched.cookie };
  }

  /** A person whose page does not come loads it again. */
  protected async comeBack(session: Session, back: URL, cookie: string): Promise<void> {
    for (let tries = 0; tries < 2; tries += 1) {
      session.callbacks += 1;
      const answer = await this.context.client.comeBack(back, cookie);
      if (answer === null) continue;
      const status = answer.location?.searchParams.get("ss_status") ?? null;
      if (status !== null && session.browserSaw !== null && session.browserSaw !== status) {
        this.context.violate("the browser receives one result", `${session.id} ${session.browserSaw}, then ${status}`);
      }
      session.browserSaw = status ?? session.browserSaw;
      return;
    }
  }

  /** Polls the result for a while, as a backend does; null unless the attempt came to a connection. */
  protected async readResult(session: Session): Promise<Connection | null> {
    const { client, known } = this.context;
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
    const { application, id } = this.journey;
    const [tenantKey] = this.context.client.applications[application].tenantKeys;
    return { application, tenantKey, externalSubjectId: `subject-${id}-${subject}` };
  }
}
