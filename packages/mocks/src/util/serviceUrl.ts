import { isLoopbackHost } from "@social-connect/domain";
import { ownPathProblem } from "@social-connect/sdk-core/serviceRoot";

/**
 * A URL to which keys may be sent, without a trailing slash. `fail` makes an error of the problem, which does not repeat the
 * text, because it may be a misplaced key.
 */
export function serviceUrl(text: string, fail: (problem: string) => Error): string {
  if (!URL.canParse(text)) throw fail("is not an absolute URL, like https://sandbox.example.com.");
  const url = new URL(text);
  const { protocol, hostname, username, password, search, hash, origin, pathname } = url;
  if (protocol !== "https:" && !(protocol === "http:" && isLoopbackHost(hostname)))
    throw fail("is not https. Plain http is only allowed for loopback addresses.");
  if (username + password !== "") throw fail("contains credentials.");
  if (/[0-9a-f]{64}/i.test(url.href)) throw fail("contains a key.");
  const problem = ownPathProblem(url);
  if (problem !== undefined) throw fail(`${problem}.`);
  if (search + hash !== "") throw fail("contains a query or a fragment.");
  return origin + pathname.replace(/(?<!\/)\/+$/, "");
}
