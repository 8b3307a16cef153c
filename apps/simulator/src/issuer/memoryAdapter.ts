import type { Adapter, AdapterPayload } from "oidc-provider";

interface Entry {
  payload: AdapterPayload;
  expiresAtMs: number;
}

/** In-memory storage of the OpenID provider, one store per issuer. */
export function memoryAdapter(): (model: string) => Adapter {
  const entries = new Map<string, Entry>();
  const live = (key: string): AdapterPayload | undefined => {
    const entry = entries.get(key);
    // The library uses the system clock, so this does too.
    if (entry !== undefined && entry.expiresAtMs <= Date.now()) entries.delete(key);
    return entries.get(key)?.payload;
  };
  const first = (model: string, matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined => {
    for (const key of entries.keys()) {
      const payload = key.startsWith(`${model} `) ? live(key) : undefined;
      if (payload !== undefined && matches(payload)) return payload;
    }
    return undefined;
  };
  return (model) => ({
    upsert: async (id, payload, expiresInSeconds) => {
      const expiresAtMs =
        typeof expiresInSeconds === "number" ? Date.now() + expiresInSeconds * 1_000 : Number.POSITIVE_INFINITY;
      entries.set(`${model} ${id}`, { payload, expiresAtMs });
    },
    find: async (id) => live(`${model} ${id}`),
    findByUid: async (uid) => first(model, (payload) => payload.uid === uid),
    findByUserCode: async (userCode) => first(model, (payload) => payload.userCode === userCode),
    consume: async (id) => {
      const payload = live(`${model} ${id}`);
      if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1_000);
    },
    destroy: async (id) => {
      entries.delete(`${model} ${id}`);
    },
    revokeByGrantId: async (grantId) => {
      for (const [key, { payload }] of entries) {
        // Other models keep the grant's id: a sign-in with another account continues after the grant's end.
        if (payload.grantId === grantId && key.startsWith(`${model} `)) entries.delete(key);
      }
    },
  });
}
