import { CAPABILITIES, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import {
  AppError,
  CONNECTION_TRANSITIONS,
  isDisconnected,
  isInFlight,
  isReceipt,
  isUnfinished,
  JOB_TRANSITIONS,
  PROVIDER_TRAITS,
} from "@social-connect/domain";
import { PROVIDER_FIXTURES } from "@social-connect/provider-fixtures";
import { SWEEPS_ALL } from "@social-connect/testkit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { AccountControl } from "../control/accountControl.ts";
import { ConnectControl } from "../control/connectControl.ts";
import { ProviderFaultsControl } from "../control/providerFaultsControl.ts";
import { makeWorld } from "../mock/options.ts";
import { createConnectSession } from "../modules/connect/connectSessions.ts";
import { disconnectConnection } from "../modules/disconnect/disconnectConnection.ts";
import { requestRefresh } from "../modules/jobs/requestRefresh.ts";
import { scriptOf } from "../providers/scripts.ts";
import type { ConnectAttempt, Connection, Job } from "../state/state.ts";
import type { World } from "../world/world.ts";

/**
 * The rules of connections in random order against what always holds, on the service in memory: the same rules as the
 * server's, thousands of steps a second. A failure prints its seed and path; `fc.assert(…, { seed, path })` repeats it.
 */

const RUNS = SWEEPS_ALL ? 400 : 100;
/** CI repeats one set of sequences, so that failures are reproducible; other runs are random. */
const CI_SEED = process.env["CI"] ? { seed: 20_261_122 } : {};
const HOUR_MS = 3_600_000;
const SCRIPTS = [
  "sibling-1",
  "sibling-2",
  "revoke-fails-twice",
  "revoke-rejected",
  "rotating-refresh",
  "expired-refresh",
];

/** Two ordinary accounts, and those with scripts that the provider has. */
function accountsOf(provider: SocialProvider): readonly string[] {
  const ordinary = PROVIDER_FIXTURES[provider].ordinaryAccounts.slice(0, 2);
  return [...ordinary, ...SCRIPTS.filter((name) => scriptOf(provider, name) !== null)];
}
const SUBJECTS = ["ann", "bob"] as const;

/** The observed state; later observations must be consistent with it. */
interface Model {
  readonly connections: Map<string, { status: Connection["status"]; provider: SocialProvider; posts: number }>;
  readonly jobs: Map<string, Pick<Job, "status" | "kind" | "connectionId" | "errorCode" | "finishedAt">>;
  readonly attempts: Map<string, Pick<ConnectAttempt, "status" | "resultCode" | "connectionId">>;
  readonly receipts: Map<string, readonly [revoke: string, erase: string]>;
  /** Connections that were seen SUSPENDED. */
  readonly suspended: Set<string>;
}

type Real = World;
type Step = fc.AsyncCommand<Model, Real>;

/** A step that is always allowed. The invariants are checked after each step. */
function step(name: string, run: (world: World, model: Model) => Promise<void> | void): Step {
  return {
    check: () => true,
    run: async (model, world) => {
      await run(world, model);
      look(model, world);
    },
    toString: () => name,
  };
}

const callerOf = (world: World) => {
  const [application] = world.state.applications.values();
  if (application === undefined) throw new Error("The mock begins with an application.");
  return { application, keyId: "none" };
};
const scopeOf = (subject: string) => ({ tenantKey: "acme", externalSubjectId: subject });

/** Whether a disconnect of the subject at the provider is still settling, from its jobs and siblings. */
function isSettling(world: World, provider: SocialProvider, subject: string): boolean {
  const { connections, jobs, settlements } = world.state;
  for (const { externalSubjectId, provider: at, revokeJobId } of settlements.values()) {
    if (at !== provider || externalSubjectId !== subject) continue;
    const revoke = jobs.get(revokeJobId);
    if (revoke !== undefined && isInFlight(revoke.status)) return true;
    for (const one of connections.values()) {
      if (one.status === "SUSPENDED" && one.suspendedByJobId === revokeJobId) return true;
    }
  }
  return false;
}

function begin(world: World, provider: SocialProvider, subject: string, target?: Connection): string | null {
  const { application } = callerOf(world);
  const [returnUrl = ""] = application.returnUrls;
  const isForbidden = isSettling(world, provider, subject);
  const input = { scope: scopeOf(subject), provider, capabilities: [...CAPABILITIES], returnUrl };
  try {
    const { id } = createConnectSession(world, callerOf(world), {
      ...input,
      ...(target && { reconnectConnectionId: target.id }),
    });
    expect(isForbidden, "a session is created although a disconnect is settling").toBe(false);
    return id;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const expected = isForbidden
      ? ["FORBIDDEN", "DISCONNECT_IN_PROGRESS", "NOT_FOUND"]
      : ["RATE_LIMITED", "DISCONNECT_IN_PROGRESS", "NOT_FOUND"];
    expect(expected).toContain(error.code);
    return null;
  }
}

/** Completes a session, or stops after its launch. */
function connect(world: World, id: string, account: string, until: "launched" | "end"): void {
  const control = new ConnectControl(world, id);
  if (control.state.status !== "CREATED") return;
  control.launch();
  if (until === "end") control.complete({ account });
}

/**
 * A provider at which a person's grants end together does not identify the person, so accounts of one person with two
 * subjects are not known to be siblings: the effect of a revoke is detected at the next read. Only one subject has such
 * accounts.
 */
function accountOf(where: SocialProvider, who: string, index: number): string {
  const account = at(accountsOf(where), index);
  const isUnknownSibling = PROVIDER_FIXTURES[where].grantsEndTogether && who !== "ann" && account.startsWith("sibling");
  return isUnknownSibling ? at(accountsOf(where), 0) : account;
}

const provider = fc.constantFrom<SocialProvider>("PROVIDER_A", ...SOCIAL_PROVIDERS);
const subject = fc.constantFrom(...SUBJECTS);
const at = (list: readonly string[], index: number): string => list[index % list.length] ?? "";
const connectionAt = ({ state }: World, index: number) =>
  [...state.connections.values()][index % Math.max(1, state.connections.size)];

const STEPS: fc.Arbitrary<Step>[] = [
  fc
    .tuple(provider, subject, fc.nat(4), fc.constantFrom("end", "end", "end", "launched"))
    .map(([where, who, index, until]) =>
      step(`connect ${where} ${who} ${at(accountsOf(where), index)} ${until}`, (world) => {
        const id = begin(world, where, who);
        if (id !== null) connect(world, id, accountOf(where, who, index), until as "end" | "launched");
      }),
    ),
  fc.tuple(fc.nat(9), fc.nat(4)).map(([index, account]) =>
    step(`reconnect ${index} with ${account}`, (world) => {
      const target = connectionAt(world, index);
      if (target === undefined) return;
      const id = begin(world, target.provider, target.externalSubjectId, target);
      if (id !== null) connect(world, id, accountOf(target.provider, target.externalSubjectId, account), "end");
    }),
  ),
  fc.nat(9).map((index) =>
    step(`refresh ${index}`, (world) => {
      const target = connectionAt(world, index);
      if (target === undefined) return;
      try {
        requestRefresh(world, callerOf(world), { scope: scopeOf(target.externalSubjectId), connectionId: target.id });
        expect(target.status, "reads are taken").toBe("CONNECTED");
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }),
  ),
  fc.nat(9).map((index) => step(`disconnect ${index}`, (world, model) => disconnect(world, model, index))),
  fc.tuple(provider, fc.nat(4), fc.constantFrom("endGrants", "removeApp")).map(([where, index, what]) =>
    step(`${what} ${where} ${at(accountsOf(where), index)}`, (world) => {
      new AccountControl(world, where, at(accountsOf(where), index))[what as "endGrants" | "removeApp"]();
    }),
  ),
  fc
    .tuple(provider, fc.constantFrom("revoke", "profile", "refresh", "list"), fc.integer({ min: 1, max: 40 }))
    .map(([where, call, times]) =>
      step(`${where} fails ${times} times at ${call}`, (world) => {
        new ProviderFaultsControl(world).add(where, call as "revoke", { status: 503 }, { times });
      }),
    ),
  fc.constant(null).map(() => step("providers work again", (world) => new ProviderFaultsControl(world).clear())),
  fc
    .constantFrom(0.01, 1, 60, 600, 3_600, 86_400, 8 * 86_400)
    .map((seconds) => step(`${seconds} s pass`, (world) => world.advanceTo(world.nowMs() + seconds * 1_000))),
];

/** A repeated disconnect returns the same two jobs until the connection is erased. */
function disconnect(world: World, model: Model, index: number): void {
  const target = connectionAt(world, index);
  if (target === undefined) return;
  const scope = scopeOf(target.externalSubjectId);
  const first = disconnectConnection(world, callerOf(world), scope, target.id);
  const receipts = [first.revokeJobId, first.eraseJobId] as const;
  expect(receipts).toEqual(model.receipts.get(target.id) ?? receipts);
  model.receipts.set(target.id, receipts);
  const again = disconnectConnection(world, callerOf(world), scope, target.id);
  expect([again.revokeJobId, again.eraseJobId], "a repeated disconnect").toEqual(receipts);
}

/** Statuses that can be reached by a table's moves, in one step or several. */
function reachable<Status extends string>(
  table: Readonly<Record<string, { readonly from: readonly Status[]; readonly to: Status }>>,
  from: Status,
): Status[] {
  const found = new Set([from]);
  for (let before = 0; before !== found.size; ) {
    before = found.size;
    for (const move of Object.values(table)) if (move.from.some((one) => found.has(one))) found.add(move.to);
  }
  return [...found];
}

function look(model: Model, world: World): void {
  lookAtConnections(model, world);
  lookAtJobs(model, world);
  for (const [id, { connectionId, resultCode, status }] of world.state.connectAttempts) {
    const known = model.attempts.get(id);
    if (known !== undefined && !isUnfinished(known.status)) expect({ status, resultCode, connectionId }).toEqual(known);
    model.attempts.set(id, { status, resultCode, connectionId });
  }
}

function lookAtConnections(model: Model, { state }: World): void {
  const isRechecked = (id: string) =>
    [...state.jobs.values()].some((job) => job.connectionId === id && job.kind === "RECHECK" && isInFlight(job.status));
  for (const [id, connection] of state.connections) {
    const known = model.connections.get(id);
    const posts = state.content.get(id)?.size ?? 0;
    const { provider: where, status } = connection;
    if (known !== undefined) {
      expect(reachable(CONNECTION_TRANSITIONS, known.status), `${known.status} → ${status}`).toContain(status);
      if (isDisconnected(known.status)) expect(posts, "posts after a disconnect").toBeLessThanOrEqual(known.posts);
    }
    const grants = [...state.grants.values()].filter((grant) => grant.connectionId === id);
    expect(grants.length, "grants of a connection").toBeLessThanOrEqual(1);
    for (const grant of grants) {
      const ended = state.providers.grants.get(grant.providerGrantId)?.ended;
      if (status === "CONNECTED" && !isRechecked(id))
        expect(ended, "a CONNECTED connection's grant was revoked").not.toBe("revoked");
    }
    if (isDisconnected(status)) {
      const left = [...state.jobs.values()].filter((job) => job.connectionId === id && !isReceipt(job.kind));
      expect(
        left.filter((job) => isInFlight(job.status)),
        "reads after a disconnect",
      ).toEqual([]);
    }
    if (status === "SUSPENDED") model.suspended.add(id);
    model.connections.set(id, { status, provider: where, posts });
  }
  for (const [id] of model.connections) {
    if (state.connections.has(id)) continue;
    expect(state.content.has(id), "posts of an erased connection").toBe(false);
    expect(
      [...state.grants.values()].some((grant) => grant.connectionId === id),
      "its credential",
    ).toBe(false);
  }
}

function lookAtJobs(model: Model, { state }: World): void {
  for (const [id, job] of state.jobs) {
    const { connectionId, creatorAction, errorCode, finishedAt, kind, status } = job;
    const known = model.jobs.get(id);
    if (known !== undefined) {
      expect(reachable(JOB_TRANSITIONS, known.status), `${kind}: ${known.status} → ${status}`).toContain(status);
      if (!isInFlight(known.status)) expect({ status, kind, connectionId, errorCode, finishedAt }).toEqual(known);
    }
    if (isReceipt(kind)) {
      const [revoke, erase] = model.receipts.get(connectionId) ?? [];
      expect(id, `the ${kind} receipt of a connection is one`).toBe(kind === "REVOKE" ? revoke : erase);
      expect(status, "a receipt is never canceled").not.toBe("CANCELED");
    }
    if (kind === "REVOKE" && status === "FAILED") expect(creatorAction).toBe("REMOVE_APP_AT_PROVIDER");
    if (kind === "REVOKE" && status === "SUCCEEDED") expect(creatorAction).toBeNull();
    model.jobs.set(id, { status, kind, connectionId, errorCode, finishedAt });
  }
}

/** Two weeks after the providers recovered, no work is pending, and all data is consistent. */
function lookWhenSettled(world: World): void {
  const { connections, grants, jobs, providers, settlements } = world.state;
  expect([...jobs.values()].filter((job) => isReceipt(job.kind) && isInFlight(job.status))).toEqual([]);
  expect([...settlements.keys()], "settlements").toEqual([]);
  for (const { id, provider: where, status } of connections.values()) {
    expect(["CONNECTED", "RECONNECT_REQUIRED"], `${where} ${id}`).toContain(status);
    if (status !== "CONNECTED") continue;
    const [grant] = [...grants.values()].filter((one) => one.connectionId === id);
    expect(providers.grants.get(grant?.providerGrantId ?? "")?.ended, "a CONNECTED connection's grant").toBeNull();
  }
  expect(
    [...grants.values()].filter((grant) => grant.status === "PENDING"),
    "grants of no connection",
  ).toEqual([]);
}

test(`connections keep their invariants in random sequences (${RUNS} sequences)`, async () => {
  expect(PROVIDER_TRAITS.PROVIDER_A.revokeAffectsSiblings).toBe(true);
  let connected = 0;
  let suspended = 0;
  await fc.assert(
    fc.asyncProperty(fc.commands(STEPS, { maxCommands: 40, size: "max" }), fc.nat(), async (commands, seed) => {
      const world = makeWorld({ seed });
      const model: Model = {
        connections: new Map(),
        jobs: new Map(),
        attempts: new Map(),
        receipts: new Map(),
        suspended: new Set(),
      };
      await fc.asyncModelRun(() => ({ model, real: world }), commands);
      suspended += model.suspended.size;
      connected += model.connections.size;
      new ProviderFaultsControl(world).clear();
      await world.advanceTo(world.nowMs() + 14 * 24 * HOUR_MS);
      look(model, world);
      lookWhenSettled(world);
    }),
    { numRuns: RUNS, ...CI_SEED },
  );
  // The property would hold of nothing, too.
  expect(connected).toBeGreaterThan(RUNS);
  expect(suspended).toBeGreaterThan(0);
});
