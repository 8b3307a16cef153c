import { createHmac } from "node:crypto";
import type { Post } from "../../accounts/post.ts";
import { sameSecret } from "../../oauth/clientAuthentication.ts";
import { HOUR_MS, SECOND_MS } from "../../shared/clock.ts";

const COVER_LIFETIME_MS = 6 * HOUR_MS;
/** Not a secret: it only makes a URL with a changed expiry fail, like at the provider. */
const SIGNING_KEY = "cover pictures of the simulator";

/** URL of a cover picture, valid for 6 hours. */
export function coverUrl(baseUrl: string, post: Post, now: Date): string {
  const expires = `${Math.floor((now.getTime() + COVER_LIFETIME_MS) / SECOND_MS)}`;
  const url = new URL(`${baseUrl}/media/provider-b/${post.accountName}/${post.id}.image`);
  url.searchParams.set("x-expires", expires);
  url.searchParams.set("x-signature", signature(post.id, expires));
  return url.toString();
}

export function coverUrlIsValid(postId: string, query: URLSearchParams, now: Date): boolean {
  const expires = query.get("x-expires") ?? "";
  const given = query.get("x-signature") ?? "";
  return sameSecret(signature(postId, expires), given) && Number(expires) * SECOND_MS > now.getTime();
}

function signature(postId: string, expires: string): string {
  return createHmac("sha256", SIGNING_KEY).update(`${postId} ${expires}`).digest("base64");
}
