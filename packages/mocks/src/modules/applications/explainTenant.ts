import { checkTenant, enforce, explainTenant, type Refusal } from "@social-connect/domain";
import type { World } from "../../world/world.ts";

const REMEDY = "Add it to `application.tenantKeys` of the mock's options, or with `--tenant TENANT` of its command.";

/** Adds to the refusal of an unregistered tenant how to register it. */
export function withTenantRemedy<Refused>({ settings }: Pick<World, "settings">, refused: Refused): Refused | Refusal {
  return explainTenant(refused, settings.mode, REMEDY);
}

/** Throws for a tenant that is not registered. */
export function enforceTenant(world: Pick<World, "settings">, ...asked: Parameters<typeof checkTenant>): void {
  enforce(withTenantRemedy(world, checkTenant(...asked)));
}
