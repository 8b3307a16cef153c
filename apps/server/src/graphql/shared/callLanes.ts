import { TOO_MANY_ADMIN_CALLS, TOO_MANY_CALLS } from "@social-connect/domain";
import type { Service } from "../../modules/service.ts";
import type { Presence } from "../../platform/call/presence.ts";
import type { ReadQueries } from "../../platform/database/readConnections.ts";
import { fewAtATime } from "../../platform/fewAtATime.ts";
import { Admission, type AdmissionLimits } from "../../platform/load/admission.ts";
import {
  type FairCall,
  type FairLimits,
  FairShare,
  type LaneCounts,
  type TimeLimits,
  TimeShare,
} from "../../platform/load/fairShare.ts";
import { overload } from "../../platform/log/overload.ts";
import type { ReadyDocument } from "./documents.ts";

/** Calls that use the same database connections. */
export interface CallLane {
  run<Result>(call: Omit<FairCall, "lane">, work: (slots: number) => Promise<Result>): Promise<Result>;
  counts(): LaneCounts;
}

/** The callers' shares of a process. */
export type CallLanes = ReturnType<typeof createCallLanes>;

export interface CallLimits {
  readonly applications: FairLimits<"query" | "mutation">;
  readonly admins: FairLimits<"admin">;
  readonly responses: TimeLimits;
  readonly network: Readonly<Record<"pages" | "databaseRequests", TimeLimits>>;
  readonly strangers: AdmissionLimits;
}

export function createCallLanes({ clock, logger }: Pick<Service, "clock" | "logger">, limits: CallLimits) {
  const applications = new FairShare(limits.applications, clock, TOO_MANY_CALLS);
  const admins = new FairShare(limits.admins, clock, TOO_MANY_ADMIN_CALLS);
  return {
    query: laneOf(applications, "query"),
    mutation: laneOf(applications, "mutation"),
    admin: laneOf(admins, "admin"),
    throttle: new TimeShare(limits.responses, clock, (owner) => applications.hasOther(owner)),
    admission: new Admission(limits.strangers, clock, () => overload(logger).count("requests")),
    /** How an unknown caller's calls and pages are limited. Pages are limited also while no application calls. */
    strangers: {
      calls: { limits: limits.network.databaseRequests, isLimited: () => applications.hasOther("") },
      pages: { limits: limits.network.pages, isLimited: () => true },
      attemptPages: { limits: limits.network.databaseRequests, isLimited: () => true },
    },
  };
}

function laneOf<Name extends string>(share: FairShare<Name>, lane: Name): CallLane {
  return { run: (call, work) => share.run({ ...call, lane }, work), counts: () => share.counts(lane) };
}

/** Runs a document when it is its owner's turn. Its root fields read in parallel, at most as many as it has slots. */
export function runInTurn<Context extends { readonly service: Service; readonly presence: Presence }, Result>(
  lane: CallLane,
  owner: string,
  { roots }: Pick<ReadyDocument, "roots">,
  context: Context,
  execute: (context: Context) => Promise<Result>,
): Promise<Result> {
  context.presence.requirePresence();
  const fields = Math.max(1, roots.length);
  return lane.run({ owner, slots: fields, whenLeft: context.presence.whenLeft }, (slots) =>
    execute(fields > slots ? { ...context, service: withFewReads(context.service, slots) } : context),
  );
}

function withFewReads(service: Service, slots: number): Service {
  const few = fewAtATime(slots);
  const hotReads: ReadQueries = { query: (statement) => few(() => service.hotReads.query(statement)) };
  // Not a copy, which would create the Prisma client.
  return Object.create(service, { hotReads: { value: hotReads } });
}
