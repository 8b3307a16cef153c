import { SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { revokeOrphanedGrant } from "../modules/disconnect/revokeOrphanedGrant.ts";
import { runErase } from "../modules/disconnect/runErase.ts";
import { runRecheck } from "../modules/disconnect/runRecheck.ts";
import { runRevoke } from "../modules/disconnect/runRevoke.ts";
import { deliverEvent } from "../modules/events/deliverEvent.ts";
import { runLookup } from "../modules/jobs/runLookup.ts";
import { runMetricsRefresh, runProfileRead } from "../modules/jobs/runRead.ts";
import { runScan } from "../modules/jobs/runScan.ts";
import type { RowKey } from "../modules/rowKey.ts";
import type { Service, TaskName } from "../modules/service.ts";

/** Each of these lanes has a queue per provider, so that neither a slow provider nor many scans delay a disconnect. */
const PROVIDER_LANES = ["read", "settle"] as const;
/** Deliveries of events have one queue, whatever their provider. */
export type Lane = (typeof PROVIDER_LANES)[number] | "event";

interface Task {
  readonly lane: Lane;
  /** Runs the task for a row. */
  readonly run: (service: Service, row: RowKey) => Promise<void>;
}

export const TASKS: Readonly<Record<TaskName, Task>> = {
  scan: { lane: "read", run: runScan },
  metrics: { lane: "read", run: runMetricsRefresh },
  lookup: { lane: "read", run: runLookup },
  profile: { lane: "read", run: runProfileRead },
  recheck: { lane: "settle", run: runRecheck },
  revoke: { lane: "settle", run: runRevoke },
  erase: { lane: "settle", run: runErase },
  revokeOrphanedGrant: { lane: "settle", run: revokeOrphanedGrant },
  deliver: { lane: "event", run: deliverEvent },
};

/** The queue of a lane at a provider; a null provider for the lane of events. */
export function queueName(lane: Lane, provider: SocialProvider | null): string {
  return provider === null ? lane : `${lane}.${provider.toLowerCase().replace("_", "-")}`;
}

export const TASK_QUEUES: readonly { readonly lane: Lane; readonly name: string }[] = [
  ...PROVIDER_LANES.flatMap((lane) => SOCIAL_PROVIDERS.map((provider) => ({ lane, name: queueName(lane, provider) }))),
  { lane: "event", name: queueName("event", null) },
];
