import { explainReturnUrl, type Refusal, UNREGISTERED_RETURN_URL } from "@social-connect/domain";
import type { World } from "../../world/world.ts";

/** In a sandbox, the refusal of an unregistered return URL says how it differs and how to register it; in live mode it stays short. */
export function explained<Decision extends object>(
  { settings }: Pick<World, "settings">,
  decision: Refusal | Decision,
  {
    returnUrl,
    registered,
    option,
  }: {
    readonly returnUrl: string;
    readonly registered: readonly string[];
    readonly option: "returnUrls" | "identityReturnUrls";
  },
): Refusal | Decision {
  if (settings.mode === "live" || decision !== UNREGISTERED_RETURN_URL) return decision;
  const flag = option === "returnUrls" ? "--return-url" : "--identity-return-url";
  const remedy = `Add yours to \`application.${option}\` of the mock's options, or with \`${flag} URL\` of its command.`;
  return explainReturnUrl(UNREGISTERED_RETURN_URL, { returnUrl, registered, remedy });
}
