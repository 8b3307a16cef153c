/** For tests outside this package, which cannot name its dependencies. */
export * as openId from "openid-client";
