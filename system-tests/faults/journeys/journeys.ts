import { setTimeout as delay } from "node:timers/promises";
import { giveConsent, signIn } from "../../../apps/simulator/src/index.ts";
import { randomFor } from "../../../packages/provider-fixtures/src/index.ts";
import type { RunContext } from "../context.ts";
import type { Journey } from "../plan.ts";
import { ConnectionSteps } from "./connectionSteps.ts";

/** Does a journey. A call without an answer ends it or is repeated, as a program or a person would. */
export async function travel(context: RunContext, journey: Journey): Promise<void> {
  const random = randomFor(context.seed, "journey", journey.id);
  const { id, kind, provider, steps } = journey;
  context.journal.write("step", { journey: id, kind, provider, steps });
  await new Traveller(context, journey, random)[kind]();
}

class Traveller extends ConnectionSteps {
  async link(): Promise<void> {
    const connection = await this.connect("a", "a");
    if (connection !== null) await this.doSteps(connection, this.journey.steps);
  }

  /** A connection of an earlier journey, if it still exists. */
  async revisit(): Promise<void> {
    const name = `-${this.journey.of}-`;
    const connection = [...this.context.known.connections.values()].find(
      ({ account, isDisconnectSent }) => account.includes(name) && !isDisconnectSent,
    );
    if (connection !== undefined) await this.doSteps(connection, this.journey.steps);
  }

  async person(): Promise<void> {
    await this.link();
  }

  /** Two accounts that hang together: one account of two subjects, or two accounts of one person. */
  async siblings(): Promise<void> {
    const first = await this.connect("a", "a");
    const [subject, account] = this.random.chance(0.6) ? (["b", "a"] as const) : (["a", "b"] as const);
    const isDuringExchange = this.random.chance(0.5);
    const connecting = this.connect(subject, account);
    if (!isDuringExchange) await connecting;
    if (first !== null) await this.doSteps(first, this.journey.steps);
    const second = await connecting;
    if (second === null) return;
    await this.doSteps(second, ["scan"]);
    if (this.random.chance(0.5)) await this.disconnect(second);
  }

  /** An attempt that its user does not finish, denies, or finishes twice concurrently. */
  async abandon(): Promise<void> {
    const session = await this.createSession("a", "a");
    if (session === null) return;
    const end = this.random.pick(["created", "launched", "denied", "twice"] as const);
    if (end === "created") return;
    const launched = await this.launch(session);
    if (launched === null || end === "launched") return;
    const decision = end === "denied" ? "deny" : "allow";
    const back = await giveConsent(launched.location, { account: session.account, decision });
    const times = end === "twice" ? 2 : 1;
    await Promise.all(Array.from({ length: times }, () => this.comeBack(session, back, launched.cookie)));
    await this.readResult(session);
  }

  async burst(): Promise<void> {
    await Promise.all(Array.from({ length: 9 }, () => this.createSession("a", "a", undefined, 1)));
  }

  /** Requests a read of every connection of the application: more than the limit of reads in flight. */
  async flood(): Promise<void> {
    const connections = [...this.context.known.connections.values()].filter(
      ({ scope, isDisconnectSent }) => scope.application === this.journey.application && !isDisconnectSent,
    );
    await Promise.all(connections.slice(-30).map((connection) => this.refresh(connection, {}, 1)));
  }

  async admin(): Promise<void> {
    const { client, known } = this.context;
    const { application, id } = this.journey;
    for (let count = 0; count < 3; count += 1) {
      const tenantKey = `tenant-${id}-${count}`;
      const args = { id: client.applications[application].id, tenantKey };
      const { kind: answer } = await client.callAdmin("addClientTenantKey", args);
      known.adminWrites.push({ application, tenantKey, answer });
    }
  }

  async identity(): Promise<void> {
    const { client, violate } = this.context;
    const { application } = this.journey;
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
}
