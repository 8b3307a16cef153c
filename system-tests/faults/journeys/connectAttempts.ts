import { setTimeout as delay } from "node:timers/promises";
import { giveConsent } from "../../../apps/simulator/src/index.ts";
import { CAPABILITIES } from "../../../packages/contract/src/index.ts";
import type { RunContext } from "../context.ts";
import { type ConnectionFact, knowConnection, type Scope, type SessionFact, UNFINISHED, wireScope } from "../facts.ts";
import type { Journey } from "../plan.ts";
import { accountsOf } from "../roster.ts";

/** The connect attempts of a journey: the calls of the backend and of the browser. */
export class ConnectAttempts {
  readonly #context: RunContext;
  readonly #journey: Journey;

  constructor(context: RunContext, journey: Journey) {
    this.#context = context;
    this.#journey = journey;
  }

  async connect(
    subject: string,
    account: string,
    target: ConnectionFact | null = null,
  ): Promise<ConnectionFact | null> {
    const session = await this.createSession(subject, account, target);
    const launched = session && (await this.launch(session));
    if (session === null || launched === null) return null;
    const back = await giveConsent(launched.location, { account: session.account });
    await this.comeBack(session, back, launched.cookie);
    return this.readResult(session);
  }

  async createSession(
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
      client.call(scope.application, `connect ${journey} ${subject}`, "createConnectSession", { input });
    const answer = await client.persist(create, tries);
    if (answer.kind !== "acknowledged") return null;
    const created = answer.data;
    const name = target?.account ?? accountsOf(this.#journey)[account === "a" ? 0 : 1]?.name ?? "";
    const session: SessionFact = {
      id: created.id,
      scope,
      provider: input.provider,
      account: name,
      day: this.#context.day,
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

  async launch(session: SessionFact & { readonly launchUrl: string; readonly launchToken: string }) {
    session.isLaunched = true;
    const launched = await this.#context.client.launch(
      session.scope.application,
      session.launchUrl,
      session.launchToken,
    );
    return launched?.location == null ? null : { location: launched.location, cookie: launched.cookie };
  }

  /** A person whose page does not come loads it again. */
  async comeBack(session: SessionFact, back: URL, cookie: string): Promise<void> {
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
  async readResult(session: SessionFact): Promise<ConnectionFact | null> {
    const { client, facts } = this.#context;
    for (let tries = 0; tries < 8; tries += 1) {
      const variables = { scope: wireScope(session.scope), id: session.id };
      const { application } = session.scope;
      const answer = await client.call(application, `result ${session.id}`, "connectSessionResult", variables);
      if (answer.kind === "acknowledged") {
        const { status, connectionId } = answer.data;
        if (!UNFINISHED.includes(status)) {
          session.finished ??= { status, connectionId };
          return connectionId === null ? null : knowConnection(facts, session, connectionId);
        }
      }
      await delay(250);
    }
    return null;
  }

  #scope(subject: string): Scope {
    const { application, id } = this.#journey;
    const { tenantKeys } = this.#context.client.applications[application];
    return { application, tenantKey: tenantKeys[0] ?? "", externalSubjectId: `subject-${id}-${subject}` };
  }
}
