import { ConfigurationError } from "@social-connect/sdk-core";
import * as z from "zod/mini";
import { type ClientPlan, PLAN_FORMAT, type PlanStep } from "./plan.ts";

const texts = z.array(z.string());
const nullable = z.nullable(z.string());
const destructive = z.boolean();
const policy = z.object({ providers: texts, capabilities: texts });

const branding = z.object({
  logo: nullable,
  brandColor: nullable,
  supportAddress: nullable,
  privacyUrl: nullable,
});

const client = z.object({
  ...branding.shape,
  id: z.string(),
  slug: z.string(),
  displayName: z.string(),
  enabled: z.boolean(),
  webOrigins: texts,
  returnUrls: texts,
  identityReturnUrls: texts,
  providers: texts,
  capabilities: texts,
  tenantKeys: texts,
  previewOriginsEnabled: z.boolean(),
  previewReturnPaths: texts,
  idpIdentityEnabled: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

const step = z.discriminatedUnion("operation", [
  z.object({
    operation: z.literal("createClient"),
    destructive,
    input: z.object({
      slug: z.string(),
      displayName: z.string(),
      webOrigins: texts,
      returnUrls: texts,
      tenantKeys: texts,
      providers: texts,
      capabilities: texts,
      confirmedNoOnwardRedirect: z.literal(true),
    }),
  }),
  z.object({ operation: z.enum(["setClientEnabled", "setClientPreviewOrigins"]), destructive, enabled: z.boolean() }),
  z.object({
    operation: z.literal("setClientDisplayName"),
    destructive,
    displayName: z.string(),
    before: z.string(),
  }),
  z.object({ operation: z.literal("setClientBranding"), destructive, branding, before: branding }),
  z.object({ operation: z.literal("setClientPolicy"), destructive, policy, before: policy }),
  z.object({
    operation: z.enum(["addClientTenantKey", "removeClientTenantKey"]),
    destructive,
    tenantKey: z.string(),
  }),
  z.object({ operation: z.enum(["addClientOrigin", "removeClientOrigin"]), destructive, origin: z.string() }),
  z.object({
    operation: z.literal("addClientReturnUrl"),
    destructive,
    url: z.string(),
    confirmedNoOnwardRedirect: z.literal(true),
  }),
  z.object({ operation: z.literal("removeClientReturnUrl"), destructive, url: z.string() }),
  z.object({
    operation: z.enum(["addClientPreviewReturnPath", "removeClientPreviewReturnPath"]),
    destructive,
    path: z.string(),
  }),
]);

const planSchema = z.object({
  format: z.literal(PLAN_FORMAT),
  slug: z.string(),
  client: z.nullable(client),
  steps: z.array(step),
  obstacles: texts,
});

/** Parses a plan from its JSON. Throws ConfigurationError for an invalid plan or a different version. */
export function parsePlan(text: string): ClientPlan {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notAPlan();
  }
  checkPlan(value);
  return value;
}

/** Plans are stored as JSON, so a plan is validated before it is applied, regardless of its type. */
export function checkPlan(value: unknown): asserts value is ClientPlan {
  const parsed = planSchema.safeParse(value);
  if (!parsed.success) throw notAPlan();
  const { slug, client: found, steps } = parsed.data;
  const creates = steps.map(({ operation }, index) => ({ operation, index })).filter(isCreation);
  const startsRight = found === null ? creates.length === 1 && creates[0]?.index === 0 : creates.length === 0;
  const isOfOneClient = found === null || found.slug === slug;
  const isHonest = (steps as readonly PlanStep[]).every((entry) => entry.destructive === removesSomething(entry));
  if (!startsRight || !isOfOneClient || !isHonest) throw notAPlan();
}

function isCreation({ operation }: { readonly operation: string }): boolean {
  return operation === "createClient";
}

/** Whether a step is destructive: a removal, a disabled setting, or a narrower policy. */
export function removesSomething(step: PlanStep): boolean {
  switch (step.operation) {
    case "setClientEnabled":
    case "setClientPreviewOrigins":
      return !step.enabled;
    case "setClientPolicy":
      return (
        step.before.providers.some((provider) => !step.policy.providers.includes(provider)) ||
        step.before.capabilities.some((capability) => !step.policy.capabilities.includes(capability))
      );
    default:
      return step.operation.startsWith("remove");
  }
}

function notAPlan(): ConfigurationError {
  return new ConfigurationError("This is not a plan of this version of the package. Create one with `plan`.");
}
