import { explainReturnUrl, type Refusal, UNREGISTERED_RETURN_URL } from "@social-connect/domain";
import type { World } from "../../world/world.ts";
import { withTenantRemedy } from "./explainTenant.ts";

type Urls = Omit<Parameters<typeof explainReturnUrl>[1], "remedy">;

/**
 * The refusal of an unregistered tenant says how to register it. In a sandbox, that of an unregistered return URL also says how it
 * differs; in live mode it stays short.
 */
export function explained<Decision extends object>(
  world: Pick<World, "settings">,
  decision: Refusal | Decision,
  { option, ...urls }: Urls & { readonly option: "returnUrls" | "identityReturnUrls" },
): Refusal | Decision {
  if (decision !== UNREGISTERED_RETURN_URL) return withTenantRemedy(world, decision);
  if (world.settings.mode === "live") return decision;
  const flag = option === "returnUrls" ? "--return-url" : "--identity-return-url";
  const remedy = `Add yours to \`application.${option}\` of the mock's options, or with \`${flag} URL\` of its command.`;
  return explainReturnUrl(UNREGISTERED_RETURN_URL, { ...urls, remedy });
}
