/** For tests outside this package, which cannot import its dependencies. */
export * as openId from "openid-client";
