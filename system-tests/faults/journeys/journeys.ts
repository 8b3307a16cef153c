import { setTimeout as delay } from "node:timers/promises";
import { giveConsent, signIn } from "../../../apps/simulator/src/index.ts";
import { type Random, randomFor } from "../../../packages/provider-fixtures/src/index.ts";
import type { RunContext } from "../context.ts";
import type { Journey } from "../plan.ts";
import { ConnectAttempts } from "./connectAttempts.ts";
import { ConnectionSteps } from "./connectionSteps.ts";

/** Does a journey. A call without an answer ends it or is repeated, as a program or a person would. */
export async function travel(context: RunContext, journey: Journey): Promise<void> {
  const random = randomFor(context.seed, "journey", journey.id);
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
  readonly #context: RunContext;
  readonly #journey: Journey;
  readonly #random: Random;
  readonly #attempts: ConnectAttempts;
  readonly #steps: ConnectionSteps;

  constructor(context: RunContext, journey: Journey, random: Random) {
    this.#context = context;
    this.#journey = journey;
    this.#random = random;
    this.#attempts = new ConnectAttempts(context, journey);
    this.#steps = new ConnectionSteps(context, this.#attempts, random);
  }

  async link(): Promise<void> {
    const connection = await this.#attempts.connect("a", "a");
    if (connection !== null) await this.#steps.doSteps(connection, this.#journey.steps);
  }

  /** A connection of an earlier journey, if it still exists. */
  async revisit(): Promise<void> {
    const name = `-${this.#journey.of}-`;
    const connection = [...this.#context.facts.connections.values()].find(
      ({ account, isDisconnectSent }) => account.includes(name) && !isDisconnectSent,
    );
    if (connection !== undefined) await this.#steps.doSteps(connection, this.#journey.steps);
  }

  async person(): Promise<void> {
    await this.link();
  }

  /** Two accounts that hang together: one account of two subjects, or two accounts of one person. */
  async siblings(): Promise<void> {
    const first = await this.#attempts.connect("a", "a");
    const [subject, account] = this.#random.chance(0.6) ? (["b", "a"] as const) : (["a", "b"] as const);
    const isDuringExchange = this.#random.chance(0.5);
    const connecting = this.#attempts.connect(subject, account);
    if (!isDuringExchange) await connecting;
    if (first !== null) await this.#steps.doSteps(first, this.#journey.steps);
    const second = await connecting;
    if (second === null) return;
    await this.#steps.doSteps(second, ["scan"]);
    if (this.#random.chance(0.5)) await this.#steps.disconnect(second);
  }

  /** An attempt that its user does not finish, denies, or finishes twice concurrently. */
  async abandon(): Promise<void> {
    const session = await this.#attempts.createSession("a", "a", null);
    if (session === null) return;
    const end = this.#random.pick(["created", "launched", "denied", "twice"] as const);
    if (end === "created") return;
    const launched = await this.#attempts.launch(session);
    if (launched === null || end === "launched") return;
    const decision = end === "denied" ? "deny" : "allow";
    const back = await giveConsent(launched.location, { account: session.account, decision });
    const times = end === "twice" ? 2 : 1;
    await Promise.all(Array.from({ length: times }, () => this.#attempts.comeBack(session, back, launched.cookie)));
    await this.#attempts.readResult(session);
  }

  async burst(): Promise<void> {
    await Promise.all(Array.from({ length: 9 }, () => this.#attempts.createSession("a", "a", null, 1)));
  }

  /** Requests a read of every connection of the application: more than the limit of reads in flight. */
  async flood(): Promise<void> {
    const { facts } = this.#context;
    const connections = [...facts.connections.values()].filter(
      ({ scope, isDisconnectSent }) => scope.application === this.#journey.application && !isDisconnectSent,
    );
    await Promise.all(connections.slice(-30).map((connection) => this.#steps.refresh(connection, {}, 1)));
  }

  async admin(): Promise<void> {
    const { client, facts } = this.#context;
    const { application, id } = this.#journey;
    for (let count = 0; count < 3; count += 1) {
      const tenantKey = `tenant-${id}-${count}`;
      const variables = { id: client.applications[application].id, tenantKey };
      const answer = await client.callAdmin(`add ${tenantKey}`, "addClientTenantKey", variables);
      facts.adminWrites.push({ application, tenantKey, answer: answer.kind });
    }
  }

  async identity(): Promise<void> {
    const { client, facts } = this.#context;
    const { application, id: journey } = this.#journey;
    const { tenantKeys, identityReturnUrl } = client.applications[application];
    const tenantKey = tenantKeys[0] ?? "";
    const input = { tenantKey, returnUrl: identityReturnUrl };
    const created = await client.call(application, `identity ${journey}`, "createIdpIdentitySession", { input });
    if (created.kind !== "acknowledged") return;
    const { id, launchUrl, launchToken, resultProof } = created.data;
    const fact = { id, application, redeemed: 0 };
    facts.identities.set(id, fact);
    const launched = await client.launch(application, launchUrl, launchToken);
    if (launched?.location == null) return;
    const back = await signIn(launched.location, { person: "ada" });
    await client.comeBack(back, launched.cookie);
    for (let count = 0; count < 4; count += 1) {
      const variables = { id, tenantKey, resultProof };
      const answer = await client.call(application, `redeem ${id}`, "redeemIdpIdentityResult", variables);
      if (answer.kind === "acknowledged" && answer.data.status !== "PENDING") fact.redeemed += 1;
      await delay(100);
    }
    if (fact.redeemed > 1) this.#context.violate("identity result returned once", `${id} ${fact.redeemed} times`);
  }
}
