import type { Account } from "../accounts/account.ts";
import { THEMES } from "../accounts/themes.ts";
import { seededRandom } from "../shared/random.ts";

/** A profile picture with two colors of the account's theme and its first letter. */
export function avatarSvg(account: Account): string {
  const palette = (THEMES[account.theme] ?? THEMES.boats)?.palette ?? ["#eee", "#ccc", "#999", "#666", "#333"];
  const random = seededRandom("avatar", account.provider, account.name);
  const angle = random.int(0, 360);
  const letter = /\p{L}/u.exec(account.displayName)?.[0]?.toUpperCase() ?? "•";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" role="img" aria-hidden="true"><rect width="96" height="96" fill="${palette[3]}"/><g transform="rotate(${angle} 48 48)"><circle cx="72" cy="20" r="44" fill="${palette[1]}"/><circle cx="18" cy="84" r="30" fill="${palette[2]}"/></g><text x="48" y="63" text-anchor="middle" font-family="system-ui, sans-serif" font-size="44" font-weight="700" fill="#fff" stroke="${palette[4]}" stroke-width="1.5" paint-order="stroke">${letter}</text></svg>`;
}
