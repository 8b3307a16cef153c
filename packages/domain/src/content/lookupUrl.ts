import { LIMITS, type SocialProvider } from "@social-connect/contract";
import { badUserInput, type Refusal } from "../decisions/refusal.ts";

/** The post a URL names: by its id, or by a short code where the provider has those. */
export interface LookupTarget {
  readonly kind: "id" | "shortcode";
  readonly value: string;
}

interface UrlForm {
  readonly hosts: readonly string[];
  readonly path: RegExp;
  /** The query parameter that holds the id, which must be there once; otherwise the path's first group holds it. */
  readonly parameter?: { readonly name: string; readonly value: RegExp };
}

const VIDEO_ID = "[A-Za-z0-9_-]{11}";
const PROVIDER_A_HOSTS = ["youtube.com", "www.youtube.com", "m.youtube.com", "music.youtube.com"];
const PROVIDER_A_EMBEDS = [...PROVIDER_A_HOSTS, "youtube-nocookie.com", "www.youtube-nocookie.com"];
const PROVIDER_B_HOSTS = ["tiktok.com", "www.tiktok.com", "m.tiktok.com"];
const PROVIDER_C_HOSTS = ["instagram.com", "www.instagram.com", "m.instagram.com", "instagr.am", "www.instagr.am"];

interface ProviderForms {
  readonly kind: LookupTarget["kind"];
  readonly forms: readonly UrlForm[];
  /** Short links that name a post only after a redirect. */
  readonly shortLinks?: readonly UrlForm[];
}

/**
 * The forms of a post's URL, by provider, as the provider's pages, apps and embed codes show it. Short links that
 * redirect are rejected: only following one shows its post, and a lookup never fetches a caller's URL. One slash may end
 * a path; other query parameters (tracking, start time) are ignored.
 */
const FORMS: Readonly<Record<SocialProvider, ProviderForms>> = {
  PROVIDER_A: {
    kind: "id",
    forms: [
      { hosts: PROVIDER_A_HOSTS, path: /^\/watch\/?$/, parameter: { name: "v", value: new RegExp(`^${VIDEO_ID}$`) } },
      { hosts: PROVIDER_A_HOSTS, path: new RegExp(`^/(?:shorts|live|watch)/(${VIDEO_ID})/?$`) },
      // `videoseries` and `live_stream` embed a playlist and a channel's live stream.
      {
        hosts: PROVIDER_A_EMBEDS,
        path: new RegExp(`^/(?:embed|v|e)/((?!videoseries|live_stream)${VIDEO_ID})/?$`),
      },
      { hosts: ["youtu.be", "www.youtu.be"], path: new RegExp(`^/(?:shorts/|live/)?(${VIDEO_ID})/?$`) },
      { hosts: ["studio.youtube.com"], path: new RegExp(`^/video/(${VIDEO_ID})(?:/[a-z-]+)*/?$`) },
    ],
  },
  PROVIDER_B: {
    kind: "id",
    forms: [
      // The handle can be empty: the page of the post is found by its id.
      { hosts: PROVIDER_B_HOSTS, path: /^\/(?:@|%40)[A-Za-z0-9._-]{0,128}\/(?:video|photo)\/([0-9]{1,32})\/?$/i },
      { hosts: PROVIDER_B_HOSTS, path: /^\/(?:(?:i18n\/)?share\/(?:video|photo)|v)\/([0-9]{1,32})(?:\.html)?\/?$/ },
      { hosts: PROVIDER_B_HOSTS, path: /^\/(?:embed(?:\/v[0-9])?|player\/v[0-9])\/([0-9]{1,32})\/?$/ },
      {
        hosts: PROVIDER_B_HOSTS,
        path: /^\/static\/profile-video\/?$/,
        parameter: { name: "id", value: /^[0-9]{1,32}$/ },
      },
    ],
    shortLinks: [
      { hosts: ["vm.tiktok.com", "vt.tiktok.com"], path: /^\/([\w-]+)\/?$/ },
      { hosts: PROVIDER_B_HOSTS, path: /^\/t\/([\w-]+)\/?$/ },
    ],
  },
  PROVIDER_C: {
    kind: "shortcode",
    forms: [
      {
        hosts: PROVIDER_C_HOSTS,
        // The account's handle comes before the form. `share` is not a handle but a short link that redirects.
        path: /^\/(?:(?!share\/)[A-Za-z0-9._]{1,64}\/)?(?:p|reels?|tv)\/((?!audio\/)[A-Za-z0-9_-]{5,64})(?:\/embed(?:\/captioned)?)?\/?$/,
      },
    ],
    shortLinks: [{ hosts: PROVIDER_C_HOSTS, path: /^\/share\/(?:(?:p|reel|tv)\/)?([\w-]+)\/?$/ }],
  },
};

/** Scheme, host with nothing around it, path, query; only characters that a URL may hold (RFC 3986). */
const PLAIN_HTTPS_URL =
  /^https:\/\/([a-z0-9.-]+)(\/[A-Za-z0-9\-._~!$&'()*+,;=:@/%]*)(?:\?([A-Za-z0-9\-._~!$&'()*+,;=:@/%?]*))?$/i;

/**
 * BAD_USER_INPUT unless the URL is https, without credentials, port or fragment, and at most 2,048 characters of the plain URL
 * alphabet. Source: service description, part 4, requestContentLookup.
 */
export function checkLookupUrl(url: string): Refusal | null {
  if (url.length > LIMITS.lookupUrlMaxLength)
    return badUserInput(`\`url\` must have at most ${LIMITS.lookupUrlMaxLength} characters.`);
  return PLAIN_HTTPS_URL.test(url)
    ? null
    : badUserInput("`url` must be an https URL without credentials, port or fragment.");
}

/**
 * Takes the post out of a URL without a request. BAD_USER_INPUT unless it is of a form known for the provider; the forms are
 * this project's choice.
 */
export function parseLookupUrl(url: string, provider: SocialProvider): LookupTarget | Refusal {
  const refusal = checkLookupUrl(url);
  if (refusal !== null) return refusal;
  const [, host = "", path = "", query = ""] = PLAIN_HTTPS_URL.exec(url) ?? [];
  const { kind, forms, shortLinks = [] } = FORMS[provider];
  const valueAmong = (among: readonly UrlForm[]): string | null => {
    const ofHost = among.filter(({ hosts }) => hosts.includes(host.toLowerCase()));
    return ofHost.map((form) => valueIn(form, path, query)).find((value) => value !== null) ?? null;
  };
  const value = valueAmong(forms);
  if (value !== null) return { kind, value };
  if (valueAmong(shortLinks) !== null) {
    return badUserInput("`url` is a short link. Open it in a browser and pass the URL of the page that it leads to.");
  }
  return badUserInput("`url` is not the URL of a post at this provider.");
}

/** Distinguishes the two results of `parseLookupUrl`. */
export function isLookupTarget(result: LookupTarget | Refusal): result is LookupTarget {
  return "kind" in result;
}

function valueIn({ path: shape, parameter }: UrlForm, path: string, query: string): string | null {
  const match = shape.exec(path);
  if (match === null) return null;
  if (parameter === undefined) return match[1] ?? null;
  const [value, ...more] = new URLSearchParams(query).getAll(parameter.name);
  return value !== undefined && more.length === 0 && parameter.value.test(value) ? value : null;
}
