import { BRANDING_FIELDS } from "@social-connect/domain";
import {
  boolean,
  ConfigurationError,
  type Fields,
  list,
  nullable,
  object,
  string,
  type Validator,
} from "@social-connect/sdk-core";
import type { AdminClient } from "../_generated/types.ts";
import { ANSWERS } from "../_generated/validators.ts";
import { type ClientPlan, PLAN_FORMAT, type PlanStep, removedFrom } from "./plan.ts";

const CLIENT = Object.entries({ ...ANSWERS.adminClient.fields });
const fieldsOf = (...names: readonly (keyof AdminClient)[]): Fields =>
  Object.fromEntries(CLIENT.filter(([name]) => names.includes(name as keyof AdminClient)));

const isTrue: Validator = (value) => value === true;
const branding = object(fieldsOf(...BRANDING_FIELDS));
const policy = object(fieldsOf("providers", "capabilities"));
const input = object({
  ...fieldsOf("slug", "displayName", "webOrigins", "returnUrls", "tenantKeys", "providers", "capabilities"),
  confirmedNoOnwardRedirect: isTrue,
});

/** The fields of each step besides its operation. */
const endpoint = { url: string, types: list(string) };
const STEPS: Readonly<Record<PlanStep["operation"], Fields>> = {
  createClient: { input },
  setClientEnabled: { enabled: boolean },
  setClientDisplayName: { displayName: string, before: string },
  setClientBranding: { branding, before: branding },
  setClientPolicy: { policy, before: policy },
  addClientTenantKey: { tenantKey: string },
  removeClientTenantKey: { tenantKey: string },
  addClientOrigin: { origin: string },
  removeClientOrigin: { origin: string },
  addClientReturnUrl: { url: string, confirmedNoOnwardRedirect: isTrue },
  removeClientReturnUrl: { url: string },
  setClientPreviewOrigins: { enabled: boolean },
  setEventEndpoints: {
    endpoints: list(object({ ...endpoint, secretFrom: string })),
    before: list(object(endpoint)),
    newSecrets: list(string),
  },
  addClientPreviewReturnPath: { path: string },
  removeClientPreviewReturnPath: { path: string },
};
const VALIDATORS = new Map(
  Object.entries(STEPS).map(([name, fields]) => [name, object({ operation: string, destructive: boolean, ...fields })]),
);

const isPlan = object({
  format: (value) => value === PLAN_FORMAT,
  slug: string,
  client: nullable(ANSWERS.adminClient),
  steps: list((step) => VALIDATORS.get(Object(step).operation)?.(step) === true),
  obstacles: list(string),
});

/** Parses a plan from its JSON. Throws ConfigurationError for an invalid plan or a different version. */
export function parsePlan(text: string): ClientPlan {
  const plan = parsed(() => text);
  checkPlan(plan);
  return plan;
}

/** Plans are stored as JSON, so a plan is validated before it is applied, regardless of its type. */
export function checkPlan(value: unknown): asserts value is ClientPlan {
  // A copy, because the validators delete unknown fields.
  const plan = parsed(() => JSON.stringify(value)) as ClientPlan;
  if (!isPlan(plan)) throw notAPlan();
  const { slug, client, steps } = plan;
  const creations = steps.filter(({ operation }) => operation === "createClient").length;
  const startsRight = client === null ? creations === 1 && steps[0]?.operation === "createClient" : creations === 0;
  const isOfOneClient = client === null || client.slug === slug;
  const isHonest = steps.every((step) => step.destructive === removesSomething(step));
  if (!startsRight || !isOfOneClient || !isHonest) throw notAPlan();
}

function parsed(text: () => string): unknown {
  try {
    return JSON.parse(text());
  } catch {
    throw notAPlan();
  }
}

/** Whether a step is destructive: a removal, a disabled setting, or a narrower policy. */
function removesSomething(step: PlanStep): boolean {
  switch (step.operation) {
    case "setClientEnabled":
    case "setClientPreviewOrigins":
      return !step.enabled;
    case "setClientPolicy":
      return (
        step.before.providers.some((provider) => !step.policy.providers.includes(provider)) ||
        step.before.capabilities.some((capability) => !step.policy.capabilities.includes(capability))
      );
    case "setEventEndpoints":
      return removedFrom(step.before, step.endpoints).length > 0;
    default:
      return step.operation.startsWith("remove");
  }
}

function notAPlan(): ConfigurationError {
  return new ConfigurationError("This is not a plan of this version of the package. Create one with `plan`.");
}
