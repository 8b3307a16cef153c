import type { AdminClient, CreateClientInput } from "../_generated/types.ts";
import type { ClientBranding, ClientPolicy } from "../writes/clientChange.ts";

/** An event endpoint of a plan, without its secret. */
export interface PlannedEndpoint {
  /** Where events are sent. */
  readonly url: string;
  /** The types that it receives. Empty: all. */
  readonly types: readonly string[];
  /** The name of its secret, such as a variable of the environment. */
  readonly secretFrom: string;
}

/**
 * One write of a plan, by the name of its operation. `before` is the value that it replaces; `destructive` is true for
 * steps that remove access: a removal, a switch turned off, a narrower policy.
 */
export type PlanStep = { readonly destructive: boolean } & (
  | { readonly operation: "createClient"; readonly input: CreateClientInput }
  | { readonly operation: "setClientEnabled"; readonly enabled: boolean }
  | { readonly operation: "setClientDisplayName"; readonly displayName: string; readonly before: string }
  | { readonly operation: "setClientBranding"; readonly branding: ClientBranding; readonly before: ClientBranding }
  | { readonly operation: "setClientPolicy"; readonly policy: ClientPolicy; readonly before: ClientPolicy }
  | { readonly operation: "addClientTenantKey" | "removeClientTenantKey"; readonly tenantKey: string }
  | { readonly operation: "addClientOrigin" | "removeClientOrigin"; readonly origin: string }
  | {
      readonly operation: "addClientReturnUrl";
      readonly url: string;
      readonly confirmedNoOnwardRedirect: true;
    }
  | { readonly operation: "removeClientReturnUrl"; readonly url: string }
  | {
      readonly operation: "setEventEndpoints";
      readonly endpoints: readonly PlannedEndpoint[];
      readonly before: readonly Pick<PlannedEndpoint, "url" | "types">[];
      /** The URLs of endpoints that have another secret now. */
      readonly newSecrets: readonly string[];
    }
  | { readonly operation: "setClientPreviewOrigins"; readonly enabled: boolean }
  | { readonly operation: "addClientPreviewReturnPath" | "removeClientPreviewReturnPath"; readonly path: string }
);

export const PLAN_FORMAT = "social-connect-client-plan/1";

/**
 * The steps from a client's current state to its declaration. Plain data without secrets, for `JSON.stringify` and
 * `parsePlan`.
 */
export interface ClientPlan {
  /** Identifies the JSON of a plan and its version. */
  readonly format: "social-connect-client-plan/1";
  /** The slug of the client. */
  readonly slug: string;
  /** The client when it was planned; null if it will be created. A plan applies only to exactly this state. */
  readonly client: AdminClient | null;
  /** In order. Empty: the client already has the declared state. */
  readonly steps: readonly PlanStep[];
  /** Why the plan cannot be applied: what only an admin in the panel can change. */
  readonly obstacles: readonly string[];
}

/** Whether a plan has destructive steps, which must be allowed explicitly. */
export function isDestructive(plan: ClientPlan): boolean {
  return plan.steps.some((step) => step.destructive);
}

export type EndpointsStep = Extract<PlanStep, { readonly operation: "setEventEndpoints" }>;
export type DescribedEndpoint = Pick<PlannedEndpoint, "url" | "types">;

export function removedFrom(
  before: readonly DescribedEndpoint[],
  endpoints: readonly DescribedEndpoint[],
): readonly DescribedEndpoint[] {
  return before.filter(({ url }) => !endpoints.some((endpoint) => endpoint.url === url));
}
