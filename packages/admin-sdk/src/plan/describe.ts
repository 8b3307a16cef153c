import type { ApplyResult, StepOutcome, StepResult } from "./applyPlan.ts";
import type { ClientPlan, PlanStep } from "./plan.ts";
import { isDestructive } from "./plan.ts";
import { printable } from "./printable.ts";

/**
 * A plan for people: `+` for what is new, `-` for what goes, `~` for what becomes something else. Text that came from
 * elsewhere is made harmless for a terminal.
 */
export function describePlan(plan: ClientPlan): string {
  const name = printable(plan.slug);
  if (plan.steps.length === 0 && plan.obstacles.length === 0) return `client ${name}: as declared, nothing to do`;
  const what = plan.client === null ? "is to be created" : `is to be changed (id ${printable(plan.client.id)})`;
  const lines = plan.steps.flatMap((step) => linesOf(step).map((line) => `  ${line}`));
  const warning = isDestructive(plan) ? ["  Lines with ! remove something; applying them has to be allowed."] : [];
  const obstacles = plan.obstacles.map((obstacle) => `  CANNOT BE APPLIED: ${printable(obstacle)}`);
  return [`client ${name} ${what}`, ...lines, ...warning, ...obstacles].join("\n");
}

/** How applying a plan went, for people. */
export function describeResult(result: ApplyResult): string {
  return [describeEnd(result), ...result.steps.map((step) => `  ${describeStepResult(step)}`)].join("\n");
}

/** The same without the steps. */
export function describeEnd(result: ApplyResult): string {
  const done = result.steps.length === 0 ? "as declared, nothing to do" : "done";
  return `client ${printable(result.slug)}: ${result.complete ? done : STOPPED[result.stoppedBy ?? "failed"]}`;
}

/** One step with its outcome, in one line and one more for what went wrong. */
export function describeStepResult({ step, outcome, error }: StepResult): string {
  const [first = ""] = linesOf(step);
  const line = `${OUTCOMES[outcome].padEnd(9)} ${first}`;
  return error === undefined ? line : `${line}\n            ${printable(error.message)}`;
}

const OUTCOMES: Readonly<Record<StepOutcome, string>> = {
  applied: "applied",
  already: "already",
  unknown: "UNKNOWN",
  failed: "FAILED",
  skipped: "not begun",
};

const STOPPED = {
  failed: "stopped, because a step was refused. Fix the cause, then plan again",
  unknown: "stopped, because it is not known whether a step was applied. Plan again: the new plan starts from what is",
  changed: "stopped, because the client was changed by another caller. Plan again",
} as const;

function linesOf(step: PlanStep): string[] {
  const mark = step.destructive ? "!" : " ";
  return describeStep(step).map(([sign, field, value]) => `${sign}${mark} ${field.padEnd(19)} ${printable(value)}`);
}

type Words = readonly (readonly [sign: "+" | "-" | "~", field: string, value: string])[];

function describeStep(step: PlanStep): Words {
  switch (step.operation) {
    case "createClient":
      return createdWords(step);
    case "setClientEnabled":
      return [["~", "enabled", `${!step.enabled} → ${step.enabled}`]];
    case "setClientPreviewOrigins":
      return [["~", "preview origins", `${onOff(!step.enabled)} → ${onOff(step.enabled)}`]];
    case "setClientDisplayName":
      return [["~", "display name", `"${step.before}" → "${step.displayName}"`]];
    case "setClientPolicy":
      return policyWords(step);
    case "addClientTenantKey":
    case "removeClientTenantKey":
      return [[signOf(step), "tenant key", step.tenantKey]];
    case "addClientOrigin":
    case "removeClientOrigin":
      return [[signOf(step), "origin", step.origin]];
    case "addClientReturnUrl":
    case "removeClientReturnUrl":
      return [[signOf(step), "return URL", step.url]];
    case "addClientPreviewReturnPath":
    case "removeClientPreviewReturnPath":
      return [[signOf(step), "preview return path", step.path]];
  }
}

function createdWords({ input }: Extract<PlanStep, { operation: "createClient" }>): Words {
  const each = (field: string, values: readonly string[]) => values.map((value) => ["+", field, value] as const);
  return [
    ["+", "client", input.slug],
    ["+", "display name", `"${input.displayName}"`],
    ...each("origin", input.webOrigins),
    ...each("return URL", input.returnUrls),
    ...each("tenant key", input.tenantKeys),
    ["+", "providers", listed(input.providers)],
    ["+", "capabilities", listed(input.capabilities)],
  ];
}

function policyWords({ policy, before }: Extract<PlanStep, { operation: "setClientPolicy" }>): Words {
  return (["providers", "capabilities"] as const)
    .filter((field) => listed([...before[field]].sort()) !== listed([...policy[field]].sort()))
    .map((field) => ["~", field, `${listed(before[field])} → ${listed(policy[field])}`]);
}

function signOf(step: PlanStep): "+" | "-" {
  return step.operation.startsWith("add") ? "+" : "-";
}

function listed(values: readonly string[]): string {
  return values.join(", ") || "none";
}

function onOff(enabled: boolean): string {
  return enabled ? "on" : "off";
}
