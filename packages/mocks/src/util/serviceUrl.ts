import { isLoopbackHost } from "@social-connect/domain";

/**
 * A URL to which keys may be sent, without a trailing slash. `fail` makes an error of the problem, which does not repeat the
 * text, because it may be a misplaced key.
 */
export function serviceUrl(text: string, fail: (problem: string) => Error): string {
  if (!URL.canParse(text)) throw fail("is not an absolute URL, like https://sandbox.example.com.");
  const { protocol, hostname, username, password, search, hash, origin, pathname } = new URL(text);
  if (protocol !== "https:" && !(protocol === "http:" && isLoopbackHost(hostname)))
    throw fail("is not https. Plain http is only allowed for loopback addresses.");
  if (`${username}${password}${search}${hash}` !== "") throw fail("contains credentials, a query or a fragment.");
  return origin + pathname.replace(/(?<!\/)\/+$/, "");
}
