import type { ProviderSession } from "../contract.ts";
import type { HttpAnswer } from "../httpJson.ts";
import { callProvider } from "../httpJson.ts";

/** One read of the graph, answer unjudged. The token goes in the header: addresses end up in logs. */
export async function get(
  session: ProviderSession,
  path: string,
  query: Record<string, string | undefined>,
): Promise<HttpAnswer> {
  const { registration, accessToken } = session;
  return callProvider(registration, {
    method: "GET",
    address: `${registration.addresses.api}/${path}`,
    query,
    accessToken,
  });
}
