import { printable } from "@social-connect/contract";
import { BRANDING_FIELDS } from "@social-connect/domain";
import { listChangeOf } from "../writes/clientChange.ts";
import type { ApplyResult, StepOutcome, StepResult } from "./applyPlan.ts";
import { type ClientPlan, type EndpointsStep, isDestructive, type PlanStep, removedFrom } from "./plan.ts";

/** Formats a plan: `+` for additions, `-` for removals, `~` for changes. Escapes values for a terminal. */
export function describePlan(plan: ClientPlan): string {
  const name = printable(plan.slug);
  if (plan.steps.length === 0 && plan.obstacles.length === 0) return `client ${name}: up to date, nothing to do`;
  const what = plan.client === null ? "will be created" : `will be changed (id ${printable(plan.client.id)})`;
  const lines = plan.steps.flatMap((step) => linesOf(step).map((line) => `  ${line}`));
  const warning = isDestructive(plan) ? ["  Steps marked with ! are destructive and must be allowed explicitly."] : [];
  const obstacles = plan.obstacles.map((obstacle) => `  CANNOT BE APPLIED: ${printable(obstacle)}`);
  return [`client ${name} ${what}`, ...lines, ...warning, ...obstacles].join("\n");
}

/** Formats the result of applying a plan. */
export function describeResult(result: ApplyResult): string {
  return [describeEnd(result), ...result.steps.map((step) => `  ${describeStepResult(step)}`)].join("\n");
}

/** Formats the result without the steps. */
export function describeEnd(result: ApplyResult): string {
  const done = result.steps.length === 0 ? "up to date, nothing to do" : "done";
  return `client ${printable(result.slug)}: ${result.complete ? done : STOPPED[result.stoppedBy ?? "failed"]}`;
}

/** Formats a step with its outcome in one line, and its error in a second line. */
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
  skipped: "not started",
};

const STOPPED = {
  failed: "stopped: a step was rejected. Fix the cause, then plan again",
  unknown: "stopped: it is unknown whether a step was applied. Plan again from the current state",
  changed: "stopped: another caller changed the client. Plan again",
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
    case "setClientBranding":
      return brandingWords(step);
    case "setClientPolicy":
      return policyWords(step);
    case "setEventEndpoints":
      return endpointWords(step);
    default: {
      const { isAddition, label, entry } = listChangeOf(step);
      return [[isAddition ? "+" : "-", label, entry]];
    }
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

const BRANDING_LABELS = {
  logo: "logo",
  brandColor: "brand color",
  supportAddress: "support address",
  privacyUrl: "privacy link",
} as const;

function brandingWords({ branding, before }: Extract<PlanStep, { operation: "setClientBranding" }>): Words {
  return BRANDING_FIELDS.filter((field) => before[field] !== branding[field]).map((field) => {
    const shown = (value: string | null) => (value !== null && field === "logo" ? "an image" : (value ?? "none"));
    return ["~", BRANDING_LABELS[field], `${shown(before[field])} → ${shown(branding[field])}`];
  });
}

function endpointWords({ endpoints, before, newSecrets }: EndpointsStep): Words {
  const typesOf = (types: readonly string[]) => (types.length === 0 ? "all types" : listed(types));
  return [
    ...removedFrom(before, endpoints).map(({ url }) => ["-", "event endpoint", url] as const),
    ...endpoints.flatMap(({ url, types, secretFrom }): Words => {
      const old = before.find((one) => one.url === url);
      if (old === undefined) return [["+", "event endpoint", `${url}: ${typesOf(types)}, secret of ${secretFrom}`]];
      const changed = typesOf([...old.types].sort()) !== typesOf([...types].sort());
      return [
        ...(changed ? [["~", "event types", `${url}: ${typesOf(old.types)} → ${typesOf(types)}`] as const] : []),
        ...(newSecrets.includes(url) ? [["~", "event secret", `${url}: that of ${secretFrom}`] as const] : []),
      ];
    }),
  ];
}

function listed(values: readonly string[]): string {
  return values.join(", ") || "none";
}

function onOff(enabled: boolean): string {
  return enabled ? "on" : "off";
}
