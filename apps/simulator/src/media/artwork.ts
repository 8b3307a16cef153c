import type { Account, Post } from "../accounts/account.ts";
import { THEMES } from "../accounts/themes.ts";
import { type SeededRandom, seededRandom } from "../shared/random.ts";

type Palette = readonly [string, string, string, string, string];
const FALLBACK: Palette = ["#f0f0f0", "#c9ccd1", "#9aa1ab", "#5f6873", "#2b3138"];

/** A generated picture for a post in the account's colors; deterministic. */
export function postPicture(account: Account, post: Post, child: number | null): string {
  const { width, height } = post;
  const random = seededRandom("picture", post.id, child ?? "cover");
  const palette = shuffledPalette(THEMES[account.theme]?.palette ?? FALLBACK, random);
  const compose = random.pick([landscape, landscape, arches, tiles]);
  const layers = [sky(palette, width, height), ...compose(palette, width, height, random)];
  const marker =
    post.form === "video" || post.form === "short" || post.form === "reel" || post.form === "live"
      ? play(width, height)
      : "";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">${layers.join("")}${marker}</svg>`;
}

/** Some pictures show a night, with the colors reversed. */
function shuffledPalette(palette: Palette, random: SeededRandom): Palette {
  return random.chance(0.3) ? [palette[4], palette[3], palette[2], palette[1], palette[0]] : palette;
}

function sky(palette: Palette, width: number, height: number): string {
  return `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${palette[0]}"/><stop offset="1" stop-color="${palette[1]}"/></linearGradient></defs><rect width="${width}" height="${height}" fill="url(#sky)"/>`;
}

function sun(palette: Palette, width: number, height: number, random: SeededRandom): string {
  const radius = Math.round(Math.min(width, height) * (0.08 + random.fraction() * 0.16));
  const x = random.int(Math.round(width * 0.15), Math.round(width * 0.85));
  const y = random.int(Math.round(height * 0.12), Math.round(height * 0.45));
  return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${palette[2]}" opacity=".9"/>`;
}

function landscape(palette: Palette, width: number, height: number, random: SeededRandom): string[] {
  return [
    sun(palette, width, height, random),
    ...hills(palette, width, height, random),
    motif(palette, width, height, random),
  ];
}

/** Rings around a point on the lower edge. */
function arches(palette: Palette, width: number, height: number, random: SeededRandom): string[] {
  const x = random.int(Math.round(width * 0.25), Math.round(width * 0.75));
  const outer = Math.max(width, height) * (0.45 + random.fraction() * 0.25);
  const rings = random.int(4, 6);
  const circles = Array.from({ length: rings }, (_, index) => {
    const radius = Math.round(outer * (1 - index / rings));
    return `<circle cx="${x}" cy="${height}" r="${radius}" fill="${palette[(index % 4) + 1]}"/>`;
  });
  return [...circles, motif(palette, width, height, random)];
}

/** A grid of quarter circles with random rotation. */
function tiles(palette: Palette, width: number, height: number, random: SeededRandom): string[] {
  const columns = random.int(3, 5);
  const side = Math.ceil(width / columns);
  const rows = Math.ceil(height / side);
  return Array.from({ length: columns * rows }, (_, index) => {
    const x = (index % columns) * side;
    const y = Math.floor(index / columns) * side;
    const ground = random.pick(palette);
    const shape = random.pick(palette.filter((colour) => colour !== ground));
    const turn = random.int(0, 3) * 90;
    return `<g transform="translate(${x} ${y}) rotate(${turn} ${side / 2} ${side / 2})"><rect width="${side}" height="${side}" fill="${ground}"/><path d="M0 0H${side}A${side} ${side} 0 0 1 0 ${side}Z" fill="${shape}"/></g>`;
  });
}

function hills(palette: Palette, width: number, height: number, random: SeededRandom): string[] {
  return [palette[2], palette[3], palette[4]].map((colour, layer) => {
    const base = height * (0.5 + layer * 0.16);
    const steps = 6;
    const points = Array.from({ length: steps + 1 }, (_, index) => {
      const x = Math.round((width / steps) * index);
      const y = Math.round(base + (random.fraction() - 0.5) * height * 0.2);
      return { x, y };
    });
    const curve = points.slice(1).map((point, index) => {
      const before = points[index] ?? point;
      const middle = Math.round((before.x + point.x) / 2);
      return `C${middle} ${before.y} ${middle} ${point.y} ${point.x} ${point.y}`;
    });
    return `<path d="M0 ${height}V${points[0]?.y ?? base}${curve.join("")}V${height}Z" fill="${colour}" opacity="${0.75 + layer * 0.12}"/>`;
  });
}

function motif(palette: Palette, width: number, height: number, random: SeededRandom): string {
  const count = random.int(3, 9);
  const size = Math.min(width, height);
  return Array.from({ length: count }, () => {
    const x = random.int(0, width);
    const y = random.int(Math.round(height * 0.1), Math.round(height * 0.9));
    const extent = Math.round(size * (0.01 + random.fraction() * 0.035));
    return random.chance(0.5)
      ? `<circle cx="${x}" cy="${y}" r="${extent}" fill="${palette[0]}" opacity=".55"/>`
      : `<path d="M${x - extent * 2} ${y}q${extent} ${-extent * 1.4} ${extent * 2} 0q${extent} ${-extent * 1.4} ${extent * 2} 0" fill="none" stroke="${palette[0]}" stroke-width="${Math.max(2, extent / 5)}" opacity=".7"/>`;
  }).join("");
}

function play(width: number, height: number): string {
  const size = Math.min(width, height) * 0.09;
  const x = width / 2;
  const y = height / 2;
  return `<circle cx="${x}" cy="${y}" r="${size}" fill="#000" opacity=".35"/><path d="M${x - size * 0.35} ${y - size * 0.5}L${x + size * 0.55} ${y}L${x - size * 0.35} ${y + size * 0.5}Z" fill="#fff" opacity=".9"/>`;
}
