import type { ProviderSession } from "../contract.ts";
import type { HttpAnswer } from "../httpJson.ts";
import { callProvider } from "../httpJson.ts";

/**
 * One read of the graph, without interpretation of the response. The token is sent in a header, because URLs are
 * logged.
 */
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
