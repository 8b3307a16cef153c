import { checkTenant, enforce, explainTenant, type Refusal } from "@social-connect/domain";
import type { Service } from "../service.ts";

const REMEDY =
  "Add it in the admin panel or, while `dev` runs, with `npx @social-connect/server client add --tenant TENANT`.";

/** Adds to the refusal of an unregistered tenant how to register it. */
export function withTenantRemedy<Refused>({ mode }: Pick<Service, "mode">, refused: Refused): Refused | Refusal {
  return explainTenant(refused, mode, REMEDY);
}

/** Throws for a tenant that is not registered. */
export function enforceTenant(service: Pick<Service, "mode">, ...asked: Parameters<typeof checkTenant>): void {
  enforce(withTenantRemedy(service, checkTenant(...asked)));
}
