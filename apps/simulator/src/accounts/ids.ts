import { digest, digits } from "../random.ts";
import type { ProviderKey } from "../wire.ts";

/** Account ids in each provider's own form; the same for every seed, so that lists of testers stay right. */
export function accountIdFor(provider: ProviderKey, name: string): string {
  switch (provider) {
    case "provider-a":
      return `UC${digest("channel", name).toString("base64url").slice(0, 22)}`;
    case "provider-b":
      return name === "unicode" ? oddOpenId(name) : uuidLike("open-id", name);
    case "provider-c":
      return `17841${digits(12, "user", name)}`;
  }
}

/** Provider B's id of the person, the same for all applications of one developer. */
export function unionIdFor(personKey: string): string {
  return uuidLike("union-id", personKey);
}

/** Provider C's second id of an account, which differs from one application to the next. */
export function appScopedIdFor(accountId: string, clientId: string): string {
  return `2776${digits(13, "app-scoped", accountId, clientId)}`;
}

export function uploadsPlaylistFor(channelId: string): string {
  return `UU${channelId.slice(2)}`;
}

/** The id of a post that is the `slot`-th of its account; `publishedAt` is part of provider B's ids. */
export function postIdFor(provider: ProviderKey, account: string, slot: string, publishedAt: Date): string {
  switch (provider) {
    case "provider-a":
      return digest("video", account, slot).toString("base64url").slice(0, 11);
    case "provider-b":
      return snowflake(account, slot, publishedAt);
    case "provider-c":
      return `179${digits(14, "media", account, slot)}`;
  }
}

export function shortcodeFor(account: string, slot: string): string {
  return `D${digest("shortcode", account, slot).toString("base64url").slice(0, 10)}`;
}

/** Seconds in the upper half, as the real ids have; now and then 20 digits long, which is above 2^63. */
function snowflake(account: string, slot: string, publishedAt: Date): string {
  const seconds = BigInt(Math.floor(publishedAt.getTime() / 1_000));
  const low = BigInt(digest("video", account, slot).readUInt32LE(0));
  const id = (seconds << 32n) | low;
  return low % 31n === 0n ? (id + 10_000_000_000_000_000_000n).toString() : id.toString();
}

function uuidLike(...parts: string[]): string {
  const hex = digest(...parts).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Some open ids are not UUIDs at all. */
function oddOpenId(name: string): string {
  const hex = digest("odd-open-id", name).toString("hex");
  return `${hex.slice(0, 4)}-${hex.slice(4, 10)}-${hex.slice(10, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 35)}`;
}
