import { explainReturnUrl, type Refusal } from "@social-connect/domain";
import type { Service } from "../service.ts";

/** In a sandbox, the refusal of an unregistered return URL says how it differs and how to register it; in live mode it stays short. */
export function explainInSandbox(
  { mode }: Pick<Service, "mode">,
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
  if (mode === "live") return refusal;
  const command = `npx @social-connect/server client add ${option} URL`;
  const remedy = `Register yours in the admin panel or, while \`dev\` runs, with \`${command}\`.`;
  return explainReturnUrl(refusal, { returnUrl, registered, remedy });
}
