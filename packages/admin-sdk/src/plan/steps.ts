import { NO_BRANDING } from "@social-connect/domain";
import type { AdminClient } from "../_generated/types.ts";
import type { ClientChange } from "../writes/clientChange.ts";
import type { PlanStep } from "./plan.ts";

export type ChangeStep = Exclude<PlanStep, { readonly operation: "createClient" | "setEventEndpoints" }>;
export type CreateStep = Extract<PlanStep, { readonly operation: "createClient" }>;

/** The change of a step, without the previous value. */
export function changeOf({ destructive: _, ...step }: ChangeStep): ClientChange {
  switch (step.operation) {
    case "setClientPolicy":
      return { operation: step.operation, ...step.policy };
    case "setClientDisplayName":
      return { operation: step.operation, displayName: step.displayName };
    case "setClientBranding":
      return { operation: step.operation, ...step.branding };
    default:
      return step;
  }
}

/** A client right after its creation, except for the values that the service chooses. */
export function createdBy({ input }: CreateStep): AdminClient {
  const { confirmedNoOnwardRedirect: _, ...declared } = input;
  return {
    ...declared,
    id: "",
    enabled: true,
    identityReturnUrls: [],
    idpIdentityEnabled: false,
    previewOriginsEnabled: false,
    previewReturnPaths: [],
    ...NO_BRANDING,
    createdAt: "",
    updatedAt: "",
  };
}
