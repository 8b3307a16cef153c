import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "../../../packages/testkit/src/eventually.ts";
import { control } from "../../../packages/testkit/src/simulatorControl.ts";
import { openAccounts } from "../../actors/accounts.ts";
import { checkAll, checkNextDay, closeChecked } from "../check/checkAll.ts";
import { openClient } from "../client.ts";
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

interface RunOptions {
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

export type Run = ReturnType<typeof prepareRun>;

/** Faults under load, round by round, with a check after each 25 and at the end. Stops at the first check that finds something. */
export function prepareRun({ seed, rounds, minutes, journal, say }: RunOptions, cluster: Cluster) {
  const { applications, deployment, known, replicas } = cluster;
  const { client, clock, database, environment, provider, simulatorUrl } = deployment;
  const violations: { readonly rule: string; readonly detail: string }[] = [];
  const underWay = new Set<Promise<void>>();

  const violate = (rule: string, detail: string): void => {
    violations.push({ rule, detail });
    journal.write("violation", { rule, detail });
    say(`VIOLATION: ${rule}: ${detail}`);
  };
  const context: RunContext = {
    ...{ seed, journal, known, day: 0, database, provider, simulatorUrl, violate, clientId: client.clientId },
    encryptionKeys: environment["ENCRYPTION_KEYS"] ?? "",
    client: openClient(deployment, applications, journal),
  };

  /** Gives how many were done. */
  const allRounds = async (): Promise<number> => {
    const endMs = performance.now() + minutes * 60_000;
    let done = 0;
    while (done < rounds && performance.now() < endMs && violations.length === 0) {
      const count = Math.min(ROUNDS_BETWEEN_CHECKS, rounds - done);
      const segment = Array.from({ length: count }, (_, index) => planRound(seed, done + index));
      await open(segment);
      for (const each of segment) {
        if (performance.now() >= endMs) break;
        await round(each);
        done += 1;
      }
      await calmDown();
      await checkAll(context);
      await closeChecked(context);
      await advance(DAY_MS);
      await settleAll("after a day");
      await checkNextDay(context);
      if (violations.length > 0) await writeRows();
      say(`${done} rounds, ${known.accounts.size} accounts, violations: ${violations.length}`);
    }
    return done;
  };

  /** Opens the accounts that journeys may connect; no other journey uses them. */
  const open = async (segment: readonly Round[]): Promise<void> => {
    const journeys = segment.flatMap((each) => each.journeys.filter(({ kind }) => !WITHOUT_ACCOUNT.includes(kind)));
    const accounts = journeys.flatMap(({ id: person, kind, provider, script }) =>
      (kind === "siblings" ? ["a", "b"] : ["a"]).map((letter) => {
        return { name: `account-${person}-${letter}`, person, provider, script, endedByPerson: false };
      }),
    );
    const ids = await openAccounts(deployment, Object.values(applications), accounts);
    for (const [index, account] of accounts.entries())
      known.accounts.set(account.name, { ...account, accountId: ids[index] ?? "" });
  };

  /** A round begins when the service serves again: faults that hit nothing try nothing. */
  const round = async (planned: Round): Promise<void> => {
    const serves = async () => {
      if (!(await cluster.serves())) throw new Error("no api is ready 3 minutes after a fault");
    };
    await eventually(serves, SERVED_AGAIN_MS).catch(({ message }) => violate("the service recovers", message));
    const { number, lengthMs, advanceMs, faults, providerFaults, journeys } = planned;
    journal.write("round", { round: number, lengthMs, advanceMs, journeys: journeys.map(({ id }) => id) });
    // A database that is unavailable does not change its clock.
    await advance(advanceMs).catch((error: Error) => journal.write("step", { notAdvanced: error.message }));
    for (const fault of providerFaults) {
      journal.write("fault", { ...fault });
      await control(simulatorUrl, "POST", "/faults", fault);
    }
    for (const fault of faults) track(delay(fault.atMs).then(() => inflict(fault)));
    for (const journey of journeys) {
      while (underWay.size >= JOURNEYS_AT_ONCE + faults.length) await Promise.race(underWay);
      track(travel(context, journey));
    }
    await delay(lengthMs);
  };

  /** Ends all faults and waits until all started work has finished. */
  const calmDown = async (): Promise<void> => {
    await Promise.all(underWay);
    await control(simulatorUrl, "DELETE", "/faults");
    for (const { process } of replicas) if (process.isFrozen) process.resume();
    await cluster.allReady();
    await settleAll("after the rounds");
    await advance(DEADLINES_MS);
    await settleAll("after the deadlines");
  };

  /** Adds the history of all connections to the log, to analyze a violation. */
  const writeRows = async (): Promise<void> => {
    for (const table of HISTORY) {
      const { rows } = await database.query<{ row: object }>(`SELECT to_jsonb(t) AS row FROM ${table} AS t`);
      for (const { row } of rows) {
        const shown = Object.entries(row).filter(([name]) => !/_sealed$|_hash$/.test(name));
        journal.write("row", { table, ...Object.fromEntries(shown) });
      }
    }
  };

  const settleAll = async (when: string): Promise<void> => {
    journal.write("check", { settling: when });
    const left = await cluster.settle();
    if (left !== null) violate("everything settles", `${when}: ${left}`);
    journal.write("check", { settled: when });
  };

  const advance = async (byMs: number): Promise<void> => {
    await clock.advance(byMs);
    if (byMs >= NEARLY_A_DAY_MS) context.day += 1;
  };

  const track = (work: Promise<void>): void => {
    const tracked = work
      .catch((error: Error) => violate("the test itself runs", error.stack ?? error.message))
      .finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  };

  const inflict = async (fault: ProcessFault): Promise<void> => {
    const replica = fault.kind === "stop-database" ? undefined : targetOf(fault.target);
    journal.write("fault", { ...fault, target: replica?.name, skipped: replica?.isTarget() === false });
    if (fault.kind === "stop-database") return cluster.stopDatabase(fault.forMs);
    if (!replica?.isTarget()) return;
    if (fault.kind === "kill") return replica.kill();
    if (fault.kind === "terminate") return replica.terminate();
    if (fault.kind !== "freeze") return;
    replica.process.freeze();
    await delay(fault.forMs);
    if (replica.process.isFrozen) replica.process.resume();
  };

  /** The planned process, or its twin while nothing can be done to it. */
  const targetOf = (planned: string) => {
    const twin = planned.endsWith("1") ? planned.replace("1", "2") : planned.replace("2", "1");
    const named = (name: string) => replicas.find((replica) => replica.name === name);
    return named(planned)?.isTarget() ? named(planned) : named(twin);
  };

  return { violations, context, allRounds, open, round, calmDown };
}
