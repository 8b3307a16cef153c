import { type AdminRefusal, invalidField } from "../decisions/refusal.ts";
import { asEmailAddress } from "../text/emailAddress.ts";
import { ADDRESS_MAX_LENGTH, URL_TEXT } from "../urls/address.ts";
import { parseUrl } from "../urls/parseUrl.ts";
import { logoProblem } from "./logo.ts";

/** What pages of the service show of a client besides its name; null: nothing, or the service's own colour. */
export interface Branding {
  /** The image as a data URL, so that pages contain it and load nothing. */
  readonly logo: string | null;
  /** `#` and six hexadecimal digits. */
  readonly brandColor: string | null;
  /** A `mailto:` or https URL. */
  readonly supportAddress: string | null;
  readonly privacyUrl: string | null;
}

export const BRANDING_FIELDS = [
  "logo",
  "brandColor",
  "supportAddress",
  "privacyUrl",
] as const satisfies readonly (keyof Branding)[];

export const NO_BRANDING: Branding = { logo: null, brandColor: null, supportAddress: null, privacyUrl: null };

const COLOR = /^#[0-9a-f]{6}$/i;

/** Why a value of a branding field is not accepted; null when it is. A text for people. */
const PROBLEMS: Readonly<Record<keyof Branding, (value: string) => string | null>> = {
  logo: logoProblem,
  brandColor: (color) => (COLOR.test(color) ? null : "The color must be # and six hexadecimal digits, e.g. #0a5c36."),
  supportAddress: (address) => (isMailto(address) ? null : linkProblem(address, "a mailto or https address")),
  privacyUrl: (url) => linkProblem(url, "an https address"),
};

export function brandingProblem(field: keyof Branding, value: string): string | null {
  return PROBLEMS[field](value);
}

export function checkBrandingField(field: keyof Branding, value: string): AdminRefusal | null {
  const problem = brandingProblem(field, value);
  return problem === null ? null : invalidField(field, problem);
}

/** Without parameters, which could fill in a mail. */
function isMailto(address: string): boolean {
  return (
    address.startsWith("mailto:") && asEmailAddress(address.slice("mailto:".length)) === address.slice("mailto:".length)
  );
}

/** A link is written as a URL parser writes it, so that every browser reads the same address. */
function linkProblem(text: string, expected: string): string | null {
  if (text.length > ADDRESS_MAX_LENGTH) return `The address must have at most ${ADDRESS_MAX_LENGTH} characters.`;
  const url = parseUrl(text);
  if (url?.protocol !== "https:" || url.username !== "" || url.password !== "" || !URL_TEXT.test(url.href)) {
    return `Enter ${expected}, e.g. https://app.example.com/privacy.`;
  }
  return text === url.href ? null : `Write the address in its normal form: ${url.href}`;
}

const BLACK = "#000000";
const WHITE = "#ffffff";

/** Black or white: the one with the higher contrast on a color. One of them always has a contrast of at least 4.5 (WCAG AA). */
export function textColorOn(color: string): typeof BLACK | typeof WHITE {
  return contrastOf(color, BLACK) >= contrastOf(color, WHITE) ? BLACK : WHITE;
}

/** The contrast that the edge of a control needs with its ground (WCAG 2.2, 1.4.11). */
const EDGE_CONTRAST = 3;

/** A color, mixed with black or white as little as its contrast on a ground needs. */
export function contrastingColor(color: string, ground: string): string {
  const target = Number.parseInt(textColorOn(ground).slice(1, 3), 16);
  for (let part = 0; part < 1; part += 0.05) {
    const mixed = channelsOf(color).map((value) => Math.round(value + (target - value) * part));
    const candidate = `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
    if (contrastOf(candidate, ground) >= EDGE_CONTRAST) return candidate;
  }
  return textColorOn(ground);
}

/** The contrast of two colors, 1 to 21 (WCAG 2.2, contrast ratio). */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((left, right) => left - right);
  return (lighter + 0.05) / (darker + 0.05);
}

/** WCAG 2.2, relative luminance. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(color: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
