import { type ApplicationPolicy, checkTenant, enforce, explainTenant, type Refusal } from "@social-connect/domain";
import type { Service } from "../service.ts";

const REMEDIES: Readonly<Record<Service["mode"], string>> = {
  sandbox:
    "Add it in the admin panel or, while `dev` runs, with `npx @social-connect/server client add --tenant TENANT`.",
  live: "Add it in the admin panel, or under `tenantKeys` of a declaration for `social-connect-admin apply`.",
};

/** Adds to the refusal of an unregistered tenant how to register it. */
export function withTenantRemedy<Refused>({ mode }: Pick<Service, "mode">, refused: Refused): Refused | Refusal {
  return explainTenant(refused, REMEDIES[mode]);
}

/** Throws for a tenant that is not registered. */
export function enforceTenant(
  service: Pick<Service, "mode">,
  policy: Pick<ApplicationPolicy, "tenantKeys">,
  tenantKey: string,
  code: "FORBIDDEN" | "NOT_FOUND",
): void {
  enforce(withTenantRemedy(service, checkTenant(policy, tenantKey, code)));
}
