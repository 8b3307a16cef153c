import { TOO_MANY_ADMIN_CALLS, TOO_MANY_CALLS } from "@social-connect/domain";
import { rootFields } from "@social-connect/transport";
import type { DocumentNode } from "graphql";
import type { Service } from "../../modules/service.ts";
import { CallingOwners } from "../../platform/callingOwners.ts";
import type { FairLimits, LimitedCall } from "../../platform/fairLimiter.ts";
import { FairLimiter } from "../../platform/fairLimiter.ts";
import { fewAtATime } from "../../platform/fewAtATime.ts";
import type { ReadQueries } from "../../platform/readConnections.ts";
import type { ThrottleLimits } from "../../platform/throttle.ts";
import { Throttle } from "../../platform/throttle.ts";
import type { ReadyDocument } from "./documents.ts";

/** Calls that use the same database connections, and how many of them run at the same time. */
export interface CallLane {
  readonly service: Service;
  readonly limiter: FairLimiter;
}

/** The lanes of a process: reads never wait for writes. Each has its own connections, except the admin API and mutations. */
export interface CallLanes {
  readonly query: CallLane;
  readonly mutation: CallLane;
  readonly admin: CallLane;
  /** Of responses that cost no slot of a lane, while applications call. */
  readonly throttle: Throttle;
  /** Of the browser's pages, always: their visitors do not call. */
  readonly pageThrottle: Throttle;
}

export type LaneLimits = Readonly<Record<"query" | "mutation" | "admin", FairLimits>>;

/** Of one application, or of one network's callers without one. At 0.3 to 0.8 ms each they use up to a third of a core. */
const THROTTLE: ThrottleLimits = { perSecond: 400, burst: 100, msPerToken: 0.75, maxDelayed: 1_000 };
/** Of one network's pages of a kind: there are several kinds. */
const PAGES_PER_SECOND = 100;

/** Queries use the service's connections for reads; everything else uses those for work that may wait. */
export function createCallLanes(service: Service, limits: LaneLimits, throttle = THROTTLE): CallLanes {
  const { reads } = service;
  const reading: Service = {
    ...service,
    pool: reads.pool,
    // Created on first use, and frequent reads do not use it.
    get prisma() {
      return reads.prisma;
    },
  };
  // An application that only sends mutations is not the only caller while another reads.
  const applications = new CallingOwners(service.clock);
  const limiterOf = (own: FairLimits) => new FairLimiter(own, service.clock, TOO_MANY_CALLS, applications);
  return {
    query: { service: reading, limiter: limiterOf(limits.query) },
    mutation: { service, limiter: limiterOf(limits.mutation) },
    admin: { service, limiter: new FairLimiter(limits.admin, service.clock, TOO_MANY_ADMIN_CALLS) },
    throttle: new Throttle(throttle, service.clock, applications),
    pageThrottle: new Throttle(
      { ...throttle, perSecond: Math.min(throttle.perSecond, PAGES_PER_SECOND) },
      service.clock,
      { hasOther: () => true },
    ),
  };
}

/** Runs a document in its lane when it is its owner's turn. */
export function runInTurn<
  Context extends Required<Pick<LimitedCall, "whenLeft">> & { readonly service: Service },
  Result,
>(
  { service, limiter }: CallLane,
  owner: string,
  { document }: ReadyDocument,
  context: Context,
  execute: (context: Context) => Promise<Result>,
): Promise<Result> {
  const own = context.service === service ? context : { ...context, service };
  const call = { owner, operations: operationsOf(document), whenLeft: context.whenLeft };
  return limiter.run(call, (slots) =>
    execute(call.operations.length > slots ? { ...own, service: withFewReads(own.service, slots) } : own),
  );
}

/** Root fields of a query run in parallel. One document must not read more at the same time than its owner may. */
function withFewReads(service: Service, slots: number): Service {
  const few = fewAtATime(slots);
  const hotReads: ReadQueries = { query: (statement) => few(() => service.hotReads.query(statement)) };
  // Not a copy, which would create the Prisma client.
  return Object.create(service, { hotReads: { value: hotReads } });
}

/** Of cached documents, which most calls run. */
const operations = new WeakMap<DocumentNode, readonly string[]>();

function operationsOf(document: DocumentNode): readonly string[] {
  const found = operations.get(document) ?? rootFields(document);
  operations.set(document, found);
  return found;
}
