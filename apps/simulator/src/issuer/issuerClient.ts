/** An application registered at the OpenID provider. */
export interface IssuerClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name?: string;
  /** Compared byte for byte; http is only accepted on loopback. */
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris?: readonly string[];
}

const LOOPBACK_HOSTS = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Rejects redirect URLs that would send a code unencrypted. */
export function checkRedirectUris(client: IssuerClient): void {
  for (const address of [...client.redirectUris, ...(client.postLogoutRedirectUris ?? [])]) {
    const url = URL.parse(address);
    const good =
      url !== null && (url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK_HOSTS.has(url.hostname)));
    if (!good)
      throw new Error(
        `Redirect URL ${address} of issuer client ${client.clientId} must be https, or http on loopback.`,
      );
  }
}
