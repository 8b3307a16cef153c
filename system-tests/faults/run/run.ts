import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "../../../packages/testkit/src/eventually.ts";
import { control } from "../../../packages/testkit/src/simulatorControl.ts";
import { openAccounts } from "../../actors/accounts.ts";
import { checkAll, checkNextDay, closeChecked } from "../check/checkAll.ts";
import { Client } from "../client.ts";
import type { Cluster } from "../cluster.ts";
import type { RunContext } from "../context.ts";
import type { Journal } from "../journal.ts";
import { travel } from "../journeys.ts";
import {
  type JourneyKind,
  NEARLY_A_DAY_MS,
  type ProcessFault,
  planRound,
  ROUNDS_BETWEEN_CHECKS,
  type Round,
} from "../plan.ts";
import type { Replica } from "../replica.ts";
import { settle } from "../settle.ts";

export interface RunOptions {
  readonly seed: string;
  readonly rounds: number;
  /** No round begins after so many minutes. */
  readonly minutes: number;
  readonly journal: Journal;
  /** Receives progress messages for the terminal. */
  readonly say: (line: string) => void;
}

const WITHOUT_ACCOUNT: readonly JourneyKind[] = ["revisit", "flood", "admin", "identity"];
const JOURNEYS_AT_ONCE = 10;
const SERVED_AGAIN_MS = 180_000;
const DEADLINES_MS = 11 * 60_000;
const DAY_MS = 25 * 3_600_000;

/** Tables whose rows show the history of a connection; encrypted values and hashes are omitted. */
const HISTORY = [
  ...["connect_attempt", "connection", "provider_grant", "job", "revoke_settlement", "pgboss.job"],
  ...["probe.renewal", "probe.cut_off_exchange", "probe.stored_grant"],
];

/** Faults under load, round by round, with a check after each 25 and at the end. Stops at the first check that finds something. */
export class Run {
  readonly violations: { readonly rule: string; readonly detail: string }[] = [];
  readonly context: RunContext;
  readonly #options: RunOptions;
  readonly #cluster: Cluster;
  readonly #underWay = new Set<Promise<void>>();

  constructor(options: RunOptions, cluster: Cluster) {
    const { applications, deployment, known } = cluster;
    const { journal, seed } = options;
    this.#options = options;
    this.#cluster = cluster;
    this.context = {
      ...{ seed, journal, known, day: 0 },
      ...{ database: deployment.database, provider: deployment.provider, simulatorUrl: deployment.simulatorUrl },
      encryptionKeys: deployment.environment["ENCRYPTION_KEYS"] ?? "",
      clientId: deployment.client.clientId,
      client: new Client(deployment, applications, journal),
      violate: (rule, detail) => this.#violate(rule, detail),
    };
  }

  /** Gives how many were done. */
  async allRounds(): Promise<number> {
    const { rounds, minutes, seed, say } = this.#options;
    const endMs = performance.now() + minutes * 60_000;
    let done = 0;
    while (done < rounds && performance.now() < endMs && this.violations.length === 0) {
      const count = Math.min(ROUNDS_BETWEEN_CHECKS, rounds - done);
      const segment = Array.from({ length: count }, (_, index) => planRound(seed, done + index));
      await this.open(segment);
      for (const round of segment) {
        if (performance.now() >= endMs) break;
        await this.round(round);
        done += 1;
      }
      await this.calmDown();
      await this.#check();
      if (this.violations.length > 0) await this.#writeRows();
      say(`${done} rounds, ${this.context.known.accounts.size} accounts, violations: ${this.violations.length}`);
    }
    return done;
  }

  /** Opens the accounts that journeys may connect; no other journey uses them. */
  async open(segment: readonly Round[]): Promise<void> {
    const { applications, deployment, known } = this.#cluster;
    const journeys = segment.flatMap((round) => round.journeys.filter(({ kind }) => !WITHOUT_ACCOUNT.includes(kind)));
    const accounts = journeys.flatMap(({ id: person, kind, provider, script }) =>
      (kind === "siblings" ? ["a", "b"] : ["a"]).map((letter) => {
        return { name: `account-${person}-${letter}`, person, provider, script, endedByPerson: false };
      }),
    );
    const ids = await openAccounts(deployment, Object.values(applications), accounts);
    for (const [index, account] of accounts.entries())
      known.accounts.set(account.name, { ...account, accountId: ids[index] ?? "" });
  }

  /** A round begins when the service serves again: faults that hit nothing try nothing. */
  async round(round: Round): Promise<void> {
    await this.#untilServed();
    const { journal } = this.#options;
    const { number, lengthMs, advanceMs, faults, providerFaults, journeys } = round;
    journal.write("round", { round: number, lengthMs, advanceMs, journeys: journeys.map(({ id }) => id) });
    // A database that is unavailable does not change its clock.
    await this.#advance(advanceMs).catch((error: Error) => journal.write("step", { notAdvanced: error.message }));
    for (const fault of providerFaults) {
      journal.write("fault", { ...fault });
      await control(this.context.simulatorUrl, "POST", "/faults", fault);
    }
    for (const fault of faults) this.#track(delay(fault.atMs).then(() => this.#inflict(fault)));
    for (const journey of journeys) {
      while (this.#underWay.size >= JOURNEYS_AT_ONCE + faults.length) await Promise.race(this.#underWay);
      this.#track(travel(this.context, journey));
    }
    await delay(lengthMs);
  }

  async #untilServed(): Promise<void> {
    const serves = async () => {
      if (!(await this.#cluster.serves())) throw new Error("no api is ready 3 minutes after a fault");
    };
    await eventually(serves, SERVED_AGAIN_MS).catch(({ message }) => this.#violate("the service recovers", message));
  }

  /** Ends all faults and waits until all started work has finished. */
  async calmDown(): Promise<void> {
    await Promise.all(this.#underWay);
    await control(this.context.simulatorUrl, "DELETE", "/faults");
    for (const replica of this.#cluster.replicas.values()) replica.resume();
    await this.#cluster.allReady();
    await this.#settle("after the rounds");
    await this.#advance(DEADLINES_MS);
    await this.#settle("after the deadlines");
  }

  async #check(): Promise<void> {
    await checkAll(this.context);
    await closeChecked(this.context);
    await this.#advance(DAY_MS);
    await this.#settle("after a day");
    await checkNextDay(this.context);
  }

  /** Adds the history of all connections to the log, to analyze a violation. */
  async #writeRows(): Promise<void> {
    for (const table of HISTORY) {
      const { rows } = await this.context.database.query<{ row: object }>(
        `SELECT to_jsonb(t) AS row FROM ${table} AS t`,
      );
      for (const { row } of rows) {
        const shown = Object.entries(row).filter(([name]) => !/_sealed$|_hash$/.test(name));
        this.#options.journal.write("row", { table, ...Object.fromEntries(shown) });
      }
    }
  }

  async #settle(when: string): Promise<void> {
    this.#options.journal.write("check", { settling: when });
    const open = await settle(this.#cluster);
    if (open !== null) this.#violate("everything settles", `${when}: ${open}`);
    this.#options.journal.write("check", { settled: when });
  }

  async #advance(byMs: number): Promise<void> {
    await this.#cluster.deployment.clock.advance(byMs);
    if (byMs >= NEARLY_A_DAY_MS) this.context.day += 1;
  }

  #track(work: Promise<void>): void {
    const tracked = work
      .catch((error: Error) => this.#violate("the test itself runs", error.stack ?? error.message))
      .finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }

  async #inflict(fault: ProcessFault): Promise<void> {
    const replica = fault.kind === "stop-database" ? undefined : this.#targetOf(fault.target);
    this.#options.journal.write("fault", { ...fault, target: replica?.name, skipped: replica?.isTarget === false });
    if (fault.kind === "stop-database") return this.#cluster.stopDatabase(fault.forMs);
    if (!replica?.isTarget) return;
    if (fault.kind === "kill") return replica.kill();
    if (fault.kind === "terminate") return replica.terminate();
    if (fault.kind !== "freeze") return;
    replica.process.freeze();
    await delay(fault.forMs);
    replica.resume();
  }

  /** The planned process, or its twin while nothing can be done to it. */
  #targetOf(planned: string): Replica | undefined {
    const { replicas } = this.#cluster;
    const twin = planned.endsWith("1") ? planned.replace("1", "2") : planned.replace("2", "1");
    return replicas.get(replicas.get(planned)?.isTarget ? planned : twin);
  }

  #violate(rule: string, detail: string): void {
    this.violations.push({ rule, detail });
    this.#options.journal.write("violation", { rule, detail });
    this.#options.say(`VIOLATION: ${rule}: ${detail}`);
  }
}
