import { explainReturnUrl, type Refusal } from "@social-connect/domain";
import { withTenantRemedy } from "../applications/explainTenant.ts";
import type { Service } from "../service.ts";

/**
 * The refusal of an unregistered tenant says how to register it. In a sandbox, that of an unregistered return URL also says how it
 * differs; in live mode it stays short.
 */
export function explainRefusal(
  service: Pick<Service, "mode">,
  refusal: Refusal | null,
  {
    returnUrl,
    registered,
    option,
  }: {
    readonly returnUrl: string;
    readonly registered: readonly string[];
    readonly option: "--return-url" | "--identity-return-url";
  },
): Refusal | null {
  if (service.mode === "live") return withTenantRemedy(service, refusal);
  const command = `npx @social-connect/server client add ${option} URL`;
  const remedy = `Register yours in the admin panel or, while \`dev\` runs, with \`${command}\`.`;
  return explainReturnUrl(withTenantRemedy(service, refusal), { returnUrl, registered, remedy });
}
