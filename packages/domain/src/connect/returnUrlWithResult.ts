import { RETURN_PARAMETERS, type SocialProvider } from "@social-connect/contract";
import { PROVIDER_TRAITS } from "../providers/providerTraits.ts";
import { queryOf } from "../urls/returnUrl.ts";

/**
 * The URL of the redirect: `returnUrl` with `ss_session_id` and `ss_status` appended to its query. The rest is unchanged,
 * because the application may compare it. An empty fragment ends it where the provider's redirect has a fragment, which browsers
 * would carry on.
 */
export function returnUrlWithResult(
  returnUrl: string,
  { id, status, provider }: { readonly id: string; readonly status: string; readonly provider?: SocialProvider },
): string {
  const ending = provider !== undefined && PROVIDER_TRAITS[provider].callbackFragment !== "" ? "#" : "";
  const result = `${RETURN_PARAMETERS.sessionId}=${encodeURIComponent(id)}&${RETURN_PARAMETERS.status}=${encodeURIComponent(status)}${ending}`;
  const query = queryOf(returnUrl);
  if (query === null) return `${returnUrl}?${result}`;
  return query === "" || query.endsWith("&") ? returnUrl + result : `${returnUrl}&${result}`;
}
