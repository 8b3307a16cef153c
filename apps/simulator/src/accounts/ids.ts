import { digest, digits } from "../shared/random.ts";

/** Provider C's second id of an account, which is scoped to the application. */
export function appScopedIdFor(accountId: string, clientId: string): string {
  return `2776${digits(13, "app-scoped", accountId, clientId)}`;
}

export function uploadsPlaylistFor(channelId: string): string {
  return `UU${channelId.slice(2)}`;
}

export function shortcodeFor(account: string, slot: string): string {
  return `D${digest("shortcode", account, slot).toString("base64url").slice(0, 10)}`;
}

export function uuidLike(...parts: string[]): string {
  const hex = digest(...parts).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
