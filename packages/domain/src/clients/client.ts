import type { Capability, SocialProvider } from "@social-connect/contract";
import type { OriginRules } from "../urls/origin.ts";
import type { Branding } from "./branding.ts";

/** A client (an application in the consumer API) as stored. */
export interface Client extends Branding {
  readonly id: string;
  readonly slug: string;
  readonly displayName: string;
  readonly enabled: boolean;
  readonly webOrigins: string[];
  readonly returnUrls: string[];
  readonly identityReturnUrls: string[];
  readonly providers: SocialProvider[];
  readonly capabilities: Capability[];
  readonly tenantKeys: string[];
  readonly previewOriginsEnabled: boolean;
  readonly previewReturnPaths: string[];
  readonly idpIdentityEnabled: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The deployment's mode: live mode has the stricter rules. */
export type Mode = "sandbox" | "live";

/** Plain http on loopback is for sandbox and development. */
export function originRules(mode: Mode): OriginRules {
  return { allowLoopbackHttp: mode === "sandbox" };
}
