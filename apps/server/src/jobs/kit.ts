import type { SocialProvider } from "@social-connect/contract";
import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import { z } from "zod";
import type { Service, TaskName } from "../modules/service.ts";

/**
 * Which workers a task waits for. Each lane has its own queue at each provider, so that neither a slow provider nor a
 * flood of scans can hold up a disconnect, or another provider's work.
 */
export const LANES = ["read", "settle"] as const;
export type Lane = (typeof LANES)[number];

export interface TaskDefinition<Payload = unknown> {
  readonly name: TaskName;
  readonly lane: Lane;
  /** Parsed when a task is queued and again when it runs: what waits in the database may be from an older release. */
  readonly payload: z.ZodType<Payload>;
  readonly run: (service: Service, payload: Payload) => Promise<void>;
}

/** Everything a task may carry: the id of a row. Strict, so that nothing else can slip in. */
export const rowPayload = z.strictObject({ id: z.uuid() });

export function defineTask<Payload>(definition: TaskDefinition<Payload>): TaskDefinition {
  const { name, lane, payload, run } = definition;
  return { name, lane, payload, run: (service, data) => run(service, payload.parse(data)) };
}

export function queueName(lane: Lane, provider: SocialProvider): string {
  return `${lane}.${provider.toLowerCase().replace("_", "-")}`;
}

export const TASK_QUEUES: readonly { readonly lane: Lane; readonly name: string }[] = LANES.flatMap((lane) =>
  SOCIAL_PROVIDERS.map((provider) => ({ lane, name: queueName(lane, provider) })),
);
