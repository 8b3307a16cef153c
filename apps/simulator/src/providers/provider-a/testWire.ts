import type { TestWire } from "../../testing/testWire.ts";

export const testWire: TestWire = {
  clientParameter: "client_id",
  scopeSeparator: " ",
  authorizationParameters: { access_type: "offline" },
  challengeEncoding: "base64url",
  profilePath: "/channels?part=id&mine=true",
  list: (channelId) => ({
    path: `/playlistItems?part=snippet,status&maxResults=50&playlistId=UU${channelId.slice(2)}`,
  }),
  anyContent: { path: "/videos?part=id&id=x" },
  readPost: (id) => ({ path: `/videos?part=status&id=${id}` }),
  accountIdForm: /^UC[\w-]{22}$/,
  leastScopes: "",
  rateLimitStatus: 429,
  removedApp: { status: 401, values: {} },
  changedPassword: { status: 401, values: {} },
  emptyList: { status: 404, values: { "error.errors.0.reason": "playlistNotFound" } },
};
