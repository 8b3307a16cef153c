import type { TestWire } from "../../testing/testWire.ts";

export const testWire: TestWire = {
  clientParameter: "client_key",
  scopeSeparator: ",",
  challengeEncoding: "hex",
  profilePath: "/user/info/?fields=open_id",
  list: () => ({ path: "/video/list/?fields=id", body: { max_count: 20 } }),
  anyContent: { path: "/video/list/?fields=id", body: {} },
  readPost: (id) => ({ path: "/video/query/?fields=id", body: { filters: { video_ids: [id] } } }),
  accountIdForm: /^[0-9a-f-]{35,40}$/,
  leastScopes: "user.info.basic",
  rateLimitStatus: 429,
  removedApp: { status: 401, values: {} },
  changedPassword: { status: 401, values: {} },
  emptyList: { status: 200, values: { "data.videos": [] } },
};
