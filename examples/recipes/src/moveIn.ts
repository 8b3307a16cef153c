/** A line of the file that `social-connect import` reads. */
export interface Grant {
  readonly provider: string;
  readonly client: string;
  readonly tenantKey: string;
  readonly externalSubjectId: string;
  readonly accountId?: string;
  readonly refreshToken: string;
  readonly scopes?: readonly string[];
  readonly connectedAt?: string;
}

/** Where the lines belong, for example PROVIDER_A of the client `shop`. */
export type Place = Pick<Grant, "provider" | "client" | "tenantKey">;

async function get<Answer>(url: string, key: string): Promise<Answer> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  if (!response.ok) throw new Error(`${new URL(url).pathname} answers with ${response.status}`);
  return (await response.json()) as Answer;
}

// #region nango
export async function* fromNango(api: string, key: string, integration: string, place: Place): AsyncGenerator<Grant> {
  const { connections }: { connections: NangoConnection[] } = await get(`${api}/connections`, key);
  for (const { connection_id: id } of connections.filter((one) => one.provider_config_key === integration)) {
    const query = new URLSearchParams({ provider_config_key: integration, refresh_token: "true" });
    const one: NangoConnection = await get(`${api}/connections/${encodeURIComponent(id)}?${query}`, key);
    const { refresh_token: refreshToken, raw } = one.credentials ?? {};
    const externalSubjectId = one.tags?.end_user_id ?? one.end_user?.id; // the id of your user
    if (refreshToken === undefined || externalSubjectId === undefined) continue;
    const scopes = raw?.scope === undefined ? {} : { scopes: raw.scope.split(/[ ,]+/) };
    yield { ...place, externalSubjectId, refreshToken, ...scopes };
  }
}
// #endregion nango

interface NangoConnection {
  readonly connection_id: string;
  readonly provider_config_key: string;
  readonly tags?: { readonly end_user_id?: string };
  readonly end_user?: { readonly id: string };
  readonly credentials?: { readonly refresh_token?: string; readonly raw?: { readonly scope?: string } };
}

// #region auth0
export async function* fromAuth0(
  tenant: string,
  key: string, // of the Management API, with read:users and read:user_idp_tokens
  userIds: AsyncIterable<string>, // of the bulk export
  connection: string, // for example google-oauth2
  place: Place,
): AsyncGenerator<Grant> {
  for await (const userId of userIds) {
    const user: Auth0User = await get(`${tenant}/api/v2/users/${encodeURIComponent(userId)}`, key);
    for (const { connection: name, refresh_token: refreshToken } of user.identities) {
      if (name === connection && refreshToken !== undefined)
        yield { ...place, externalSubjectId: userId, refreshToken };
    }
  }
}
// #endregion auth0

interface Auth0User {
  readonly identities: readonly { readonly connection: string; readonly refresh_token?: string }[];
}
