import { type ApplicationPolicy, checkTenant, enforce, explainTenant, type Refusal } from "@social-connect/domain";
import type { World } from "../../world/world.ts";

const REMEDIES: Readonly<Record<World["settings"]["mode"], string>> = {
  sandbox: "Add it to `application.tenantKeys` of the mock's options, or with `--tenant TENANT` of its command.",
  live: "Add it in the admin panel, or under `tenantKeys` of a declaration for `social-connect-admin apply`.",
};

/** Adds to the refusal of an unregistered tenant how to register it. */
export function withTenantRemedy<Refused>({ settings }: Pick<World, "settings">, refused: Refused): Refused | Refusal {
  return explainTenant(refused, REMEDIES[settings.mode]);
}

/** Throws for a tenant that is not registered. */
export function enforceTenant(
  world: Pick<World, "settings">,
  policy: Pick<ApplicationPolicy, "tenantKeys">,
  tenantKey: string,
  code: "FORBIDDEN" | "NOT_FOUND",
): void {
  enforce(withTenantRemedy(world, checkTenant(policy, tenantKey, code)));
}
