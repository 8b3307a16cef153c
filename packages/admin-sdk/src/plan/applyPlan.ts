import {
  CALL_OPTIONS,
  type CallOptions,
  notify,
  refuseUnknownNames,
  SocialConnectError,
} from "@social-connect/sdk-core";
import type { AdminClient } from "../_generated/types.ts";
import { exchange } from "../wire/call.ts";
import { findClient } from "../wire/reads.ts";
import type { Settings } from "../wire/settings.ts";
import { afterChange, isSameClient } from "../writes/clientChange.ts";
import { createClient } from "../writes/createClient.ts";
import type { WriteResult } from "../writes/outcome.ts";
import { changeClient } from "../writes/write.ts";
import { type EventSecrets, requireSecrets, setEndpoints } from "./eventEndpoints.ts";
import { checkPlan } from "./parsePlan.ts";
import { type ClientPlan, isDestructive, type PlanStep } from "./plan.ts";
import { PlanRefusedError, StalePlanError } from "./planErrors.ts";
import { changeOf, createdBy } from "./steps.ts";

/** Options of `apply`. */
export interface ApplyOptions extends CallOptions {
  /** Allows destructive steps. Otherwise a plan with destructive steps is rejected as a whole. */
  readonly allowDestructive?: boolean | undefined;
  /** The secrets of event endpoints, by the names in `secretFrom`. */
  readonly eventSecrets?: EventSecrets | undefined;
  /** Called for each step as soon as its outcome is known. */
  readonly onStep?: ((result: StepResult) => void) | undefined;
}

/** The outcome of a step; `skipped` was not started, because an earlier step failed or its outcome is unknown. */
export type StepOutcome = "applied" | "already" | "unknown" | "failed" | "skipped";

/** A step of a plan with its outcome. */
export interface StepResult {
  /** The step of the plan. */
  readonly step: PlanStep;
  /** The outcome. */
  readonly outcome: StepOutcome;
  /** The cause of an unknown outcome or a failure. */
  readonly error?: SocialConnectError;
}

/** Why a plan stopped early. `changed`: the client was changed by another caller. */
export type StopReason = "failed" | "unknown" | "changed";

/** The result of applying a plan, with the outcome of each step. */
export interface ApplyResult {
  /** The slug of the client. */
  readonly slug: string;
  /** True if every step is applied or was already. Otherwise make and apply a new plan. */
  readonly complete: boolean;
  /** Why it stopped early; absent if it is complete. */
  readonly stoppedBy?: StopReason;
  /** The last known state of the client. */
  readonly client: AdminClient | undefined;
  /** All steps of the plan in order, including the steps that were not started. */
  readonly steps: readonly StepResult[];
}

/** Implements `AdminWriter.apply`. */
export async function applyPlan(
  settings: Settings,
  plan: ClientPlan,
  options: ApplyOptions = {},
): Promise<ApplyResult> {
  refuseUnknownNames("options", options, [...CALL_OPTIONS, "allowDestructive", "eventSecrets", "onStep"]);
  checkPlan(plan);
  const { allowDestructive, eventSecrets = {}, onStep, ...callOptions } = options;
  refuse(plan, allowDestructive === true);
  requireSecrets(plan, eventSecrets);
  const found = await readPlanned(settings, plan, callOptions);
  if (isStale(plan, found)) {
    // Event endpoints are not a part of the client that was read.
    const hasOthers = plan.steps.some(({ operation }) => operation === "setEventEndpoints");
    if (found === undefined || hasOthers || !isSameClient(found, targetOf(plan, found))) throw new StalePlanError();
    const steps = plan.steps.map((step): StepResult => ({ step, outcome: "already" }));
    for (const step of steps) notify(onStep, step);
    return { slug: plan.slug, complete: true, client: found, steps };
  }
  return runSteps(settings, plan, found, { eventSecrets, onStep, ...callOptions });
}

function refuse(plan: ClientPlan, allowDestructive: boolean): void {
  if (plan.obstacles.length > 0) throw new PlanRefusedError("PLAN_BLOCKED", plan.obstacles.join(" "));
  if (!isDestructive(plan) || allowDestructive) return;
  const count = plan.steps.filter((step) => step.destructive).length;
  throw new PlanRefusedError(
    "PLAN_DESTRUCTIVE",
    `The plan has destructive steps (${count}). Nothing was changed. Check these steps, then allow them with allowDestructive.`,
  );
}

async function readPlanned(
  settings: Settings,
  { client, slug }: ClientPlan,
  options: CallOptions,
): Promise<AdminClient | undefined> {
  if (client === null) return findClient(settings, slug, options);
  return (await exchange(settings, "adminClient", { id: client.id }, options)).data;
}

function isStale(plan: ClientPlan, found: AdminClient | undefined): boolean {
  if (plan.client === null || found === undefined) return found !== undefined;
  return found.updatedAt !== plan.client.updatedAt || !isSameClient(found, plan.client);
}

/** The state after the plan. For a new client, values that the service chooses are taken from the client itself. */
function targetOf(plan: ClientPlan, found: AdminClient): AdminClient {
  let state = plan.client ?? found;
  for (const step of plan.steps) {
    const chosen = { id: found.id, createdAt: found.createdAt, updatedAt: found.updatedAt };
    if (step.operation === "setEventEndpoints") continue;
    state = step.operation === "createClient" ? { ...createdBy(step), ...chosen } : afterChange(state, changeOf(step));
  }
  return state;
}

async function runSteps(
  settings: Settings,
  plan: ClientPlan,
  found: AdminClient | undefined,
  { onStep, ...options }: ApplyOptions,
): Promise<ApplyResult> {
  const steps: StepResult[] = [];
  let client = found;
  let stoppedBy: StopReason | undefined;
  for (const step of plan.steps) {
    const before = client;
    const result = stoppedBy === undefined ? await runStep(settings, step, before, options) : SKIPPED;
    const stepResult = toStepResult(step, result);
    steps.push(stepResult);
    notify(onStep, stepResult);
    if (result.outcome === "failed" || result.outcome === "unknown") stoppedBy = result.outcome;
    if (!("client" in result) || result.client === undefined) continue;
    client = result.client;
    if (stoppedBy === undefined && !isAsExpected(step, before, client)) stoppedBy = "changed";
  }
  // A change after the last step does not affect this plan.
  const complete = steps.every(({ outcome }) => outcome === "applied" || outcome === "already");
  return {
    slug: plan.slug,
    complete,
    ...(stoppedBy === undefined || complete ? {} : { stoppedBy }),
    client,
    steps,
  };
}

type StepEnd = WriteResult | { readonly outcome: "failed"; readonly error: SocialConnectError } | typeof SKIPPED;

const SKIPPED = { outcome: "skipped" } as const;

async function runStep(
  settings: Settings,
  step: PlanStep,
  client: AdminClient | undefined,
  { eventSecrets = {}, ...options }: ApplyOptions,
): Promise<StepEnd> {
  try {
    if (step.operation === "createClient") return await createClient(settings, step.input, options, true);
    if (client === undefined) return SKIPPED;
    if (step.operation === "setEventEndpoints") {
      return await setEndpoints(settings, client, step, eventSecrets, options);
    }
    return await changeClient(settings, client.id, changeOf(step), options, client);
  } catch (error) {
    if (!(error instanceof SocialConnectError)) throw error;
    return { outcome: "failed", error };
  }
}

function toStepResult(step: PlanStep, end: StepEnd): StepResult {
  return { step, outcome: end.outcome, ...("error" in end ? { error: end.error } : {}) };
}

function isAsExpected(step: PlanStep, before: AdminClient | undefined, after: AdminClient): boolean {
  if (step.operation === "createClient") return isSameClient({ ...createdBy(step), id: after.id }, after);
  if (step.operation === "setEventEndpoints") return true;
  return before !== undefined && isSameClient(afterChange(before, changeOf(step)), after);
}
