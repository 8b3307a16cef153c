import { CAPABILITIES, type Capability, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import type { OriginRules } from "@social-connect/domain";
import type { CreateClientInput } from "../../../_generated/clients.ts";
import {
  displayNameProblem,
  linesOf,
  linesProblem,
  originProblem,
  returnUrlProblem,
  slugProblem,
  tenantKeyProblem,
} from "../shared/rules.ts";

/** The form's values; lists are strings with one value per line. */
export interface CreateClientValues extends Record<string, unknown> {
  readonly displayName: string;
  readonly slug: string;
  readonly webOrigins: string;
  readonly returnUrls: string;
  readonly confirmedNoOnwardRedirect: boolean;
  readonly tenantKeys: string;
  readonly providers: SocialProvider[];
  readonly capabilities: Capability[];
}

export const INITIAL_VALUES: CreateClientValues = {
  displayName: "",
  slug: "",
  webOrigins: "",
  returnUrls: "",
  confirmedNoOnwardRedirect: false,
  tenantKeys: "",
  providers: [...SOCIAL_PROVIDERS],
  capabilities: [...CAPABILITIES],
};

export const validateWith = (rules: OriginRules) => ({
  displayName: displayNameProblem,
  slug: slugProblem,
  webOrigins: (text: string) =>
    linesProblem(text, (origin) => originProblem(origin, rules), "Enter at least one origin."),
  returnUrls: (text: string, { webOrigins }: CreateClientValues) =>
    linesProblem(text, (url) => returnUrlProblem(url, linesOf(webOrigins), rules), "Enter at least one return URL."),
  confirmedNoOnwardRedirect: (isConfirmed: boolean) =>
    isConfirmed ? null : "Check the code of these routes, then confirm.",
  tenantKeys: (text: string) => linesProblem(text, tenantKeyProblem, null),
});

export function inputOf(values: CreateClientValues): CreateClientInput {
  return {
    displayName: values.displayName,
    slug: values.slug,
    webOrigins: linesOf(values.webOrigins),
    returnUrls: linesOf(values.returnUrls),
    confirmedNoOnwardRedirect: values.confirmedNoOnwardRedirect,
    tenantKeys: linesOf(values.tenantKeys),
    providers: values.providers,
    capabilities: values.capabilities,
  };
}
