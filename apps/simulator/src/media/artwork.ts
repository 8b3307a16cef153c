import { randomFor } from "@social-connect/provider-fixtures";
import type { Account, Post } from "../accounts/account.ts";

/** Five colors, from sky to foreground. */
type Palette = readonly string[];
const PALETTES: readonly Palette[] = [
  ["#f6e7cb", "#e8a87c", "#c38d9e", "#41748d", "#1f3b4d"],
  ["#fff3d9", "#ffc857", "#e9724c", "#c5283d", "#481d24"],
  ["#d6e4f0", "#9fb8ad", "#475b63", "#2e2c2f", "#131a22"],
  ["#fdf0f5", "#f7b2bd", "#b38cb4", "#7d6b91", "#3b2c4a"],
  ["#e0fbfc", "#98c1d9", "#3d5a80", "#2a6f77", "#0b2b40"],
  ["#fef9ef", "#ffcb77", "#17c3b2", "#227c9d", "#143642"],
];

export function paletteOf({ provider, name }: Account): Palette {
  return randomFor("palette", provider, name).pick(PALETTES);
}

/** A picture for a post: a sun over the account's colors, and a triangle on a video. Its values follow from the post. */
export function postPicture(account: Account, { id, form, width, height }: Post, child: number | null): string {
  const random = randomFor("picture", id, child ?? "cover");
  const [sky, haze, sun, ground, mark] = paletteOf(account);
  const size = Math.min(width, height);
  const horizon = random.int(Math.round(height * 0.5), Math.round(height * 0.8));
  const center = { x: random.int(0, width), y: random.int(Math.round(height * 0.15), horizon) };
  const radius = random.int(Math.round(size * 0.1), Math.round(size * 0.25));
  const [x, y, side] = [width / 2, height / 2, size * 0.09];
  const isStill = form === "image" || form === "carousel" || form === "photo";
  const play = `<path d="M${x - side} ${y - side}L${x + side} ${y}L${x - side} ${y + side}Z" fill="${mark}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${sky}"/><stop offset="1" stop-color="${haze}"/></linearGradient></defs>
<rect width="${width}" height="${height}" fill="url(#sky)"/><circle cx="${center.x}" cy="${center.y}" r="${radius}" fill="${sun}"/>
<rect y="${horizon}" width="${width}" height="${height}" fill="${ground}"/>${isStill ? "" : play}</svg>`;
}
