import { setTimeout as delay } from "node:timers/promises";
import type { Operations } from "../../../packages/conformance/src/_generated/consumerWire.ts";
import { providerSlug } from "../../../packages/domain/src/index.ts";
import type { Random } from "../../../packages/provider-fixtures/src/index.ts";
import { control } from "../../../packages/testkit/src/simulatorControl.ts";
import type { Answer } from "../client.ts";
import type { RunContext } from "../context.ts";
import { type ConnectionFact, wireScope } from "../facts.ts";
import type { Step } from "../plan.ts";
import type { ConnectAttempts } from "./connectAttempts.ts";

type Read = "requestRefresh" | "requestContentLookup";
/** The arguments of a read besides its connection. */
type More<Name extends Read> = Omit<Operations[Name]["args"], "scope" | "connectionId">;

/** The steps of a journey on an existing connection. */
export class ConnectionSteps {
  readonly #context: RunContext;
  readonly #attempts: ConnectAttempts;
  readonly #random: Random;

  constructor(context: RunContext, attempts: ConnectAttempts, random: Random) {
    this.#context = context;
    this.#attempts = attempts;
    this.#random = random;
  }

  async doSteps(connection: ConnectionFact, steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      await this.#doStep(connection, step);
      await delay(this.#random.int(0, 200));
    }
  }

  async #doStep(connection: ConnectionFact, step: Step): Promise<void> {
    switch (step) {
      case "scan":
        return this.#awaitJob(connection, await this.refresh(connection));
      case "scan-window":
        return void (await this.refresh(connection, { window: this.#window() }));
      case "metrics":
        return this.#awaitJob(connection, await this.#refreshMetrics(connection));
      case "lookup":
        return this.#awaitJob(connection, await this.#lookUp(connection));
      case "read-all-at-once":
        await Promise.all([this.refresh(connection), this.#refreshMetrics(connection), this.#lookUp(connection)]);
        return;
      case "show":
        await this.#content(connection);
        return;
      case "reconnect":
        await this.#attempts.connect("a", "a", connection);
        return;
      case "end-grant":
      case "remove-app":
        return this.#endAtProvider(connection, step);
      case "disconnect":
        return this.disconnect(connection);
      case "disconnect-at-once":
        await Promise.all([1, 2, 3, 4].map(() => this.disconnect(connection)));
    }
  }

  async refresh(connection: ConnectionFact, more: More<"requestRefresh"> = {}, tries = 3): Promise<string | null> {
    return this.#order(connection, "requestRefresh", more, tries);
  }

  async #refreshMetrics(connection: ConnectionFact): Promise<string | null> {
    const [post] = await this.#postsOf(connection);
    return this.#order(connection, "requestRefresh", { providerContentId: post?.id ?? "none" });
  }

  async #lookUp(connection: ConnectionFact): Promise<string | null> {
    const posts = await this.#postsOf(connection);
    const post = posts[this.#random.int(0, Math.max(0, posts.length - 1))];
    return post === undefined ? null : this.#order(connection, "requestContentLookup", { url: post.url });
  }

  async #order<Name extends Read>(
    connection: ConnectionFact,
    name: Name,
    more: More<Name>,
    tries = 3,
  ): Promise<string | null> {
    const { client, facts } = this.#context;
    const { scope, id } = connection;
    const args = { scope: wireScope(scope), connectionId: id, ...more } as Operations[Name]["args"];
    const answer = await client.persist(() => client.call(scope.application, `${name} ${id}`, name, args), tries);
    if (answer.kind !== "acknowledged") return null;
    const job = { id: answer.data.id, connectionId: id, scope, isChecked: false };
    facts.jobs.set(job.id, job);
    return job.id;
  }

  async #awaitJob({ scope, id: connectionId }: ConnectionFact, id: string | null): Promise<void> {
    for (let tries = 0; id !== null && tries < 8; tries += 1) {
      const variables = { scope: wireScope(scope), connectionId, id };
      const answer = await this.#context.client.call(scope.application, `job ${id}`, "syncJob", variables);
      if (answer.kind === "acknowledged" && !["QUEUED", "RUNNING"].includes(answer.data.status)) return;
      await delay(250);
    }
  }

  #content({ scope, id }: ConnectionFact): Promise<Answer<unknown>> {
    const window = { ...this.#window(), first: 20 };
    const variables = { scope: wireScope(scope), connectionId: id, window };
    return this.#context.client.call(scope.application, `content ${id}`, "content", variables);
  }

  /** After an acknowledged disconnect no data is served. */
  async disconnect(connection: ConnectionFact): Promise<void> {
    const { client, violate } = this.#context;
    const { scope, id } = connection;
    const variables = { scope: wireScope(scope), connectionId: id };
    connection.isDisconnectSent = true;
    const tries = this.#random.chance(0.7) ? 4 : 1;
    const answer = await client.persist(
      () => client.call(scope.application, `disconnect ${id}`, "disconnectConnection", variables),
      tries,
    );
    if (answer.kind !== "acknowledged") return;
    const { revokeJobId, eraseJobId } = answer.data;
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
}
