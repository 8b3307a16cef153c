import type { TestWire } from "../../testing/testWire.ts";

export const testWire: TestWire = {
  clientParameter: "client_id",
  scopeSeparator: ",",
  challengeEncoding: null,
  tokenExchangeUrl: (api, accessToken, clientSecret) =>
    `${api}/access_token?grant_type=ig_exchange_token&client_secret=${clientSecret}&access_token=${accessToken}`,
  renewalUrl: (api, accessToken) =>
    `${api}/refresh_access_token?grant_type=ig_refresh_token&access_token=${accessToken}`,
  profilePath: "/me?fields=id",
  list: () => ({ path: "/me/media?fields=id&limit=50" }),
  anyContent: { path: "/me/media?fields=id" },
  readPost: (id) => ({ path: `/${id}?fields=id` }),
  accountIdForm: /^17841\d{12}$/,
  leastScopes: "",
  rateLimitStatus: 403,
  removedApp: { status: 400, values: { "error.code": 190, "error.error_subcode": 458 } },
  changedPassword: { status: 400, values: { "error.error_subcode": 460 } },
  emptyList: { status: 200, values: { data: [] } },
};
