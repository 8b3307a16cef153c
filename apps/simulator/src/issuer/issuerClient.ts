/** An application registered at the OpenID provider. */
export interface IssuerClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name?: string;
  /** Compared byte for byte; http is taken on loopback addresses only. */
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris?: readonly string[];
}

const LOOPBACK_HOSTS = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Refuses redirect addresses that would send a code through the open. */
export function checkRedirectUris(client: IssuerClient): void {
  for (const address of [...client.redirectUris, ...(client.postLogoutRedirectUris ?? [])]) {
    const url = URL.parse(address);
    const good =
      url !== null && (url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK_HOSTS.has(url.hostname)));
    if (!good)
      throw new Error(
        `The issuer's client ${client.clientId} has the redirect address ${address}: it has to be https, or http on a loopback host.`,
      );
  }
}
