import type { Capability, SocialProvider } from "../_generated/types.ts";
import type { ReturnUrlConfirmation } from "../writes/clientChange.ts";

/** A return URL with the confirmation that is required to register it. */
export interface DeclaredReturnUrl extends ReturnUrlConfirmation {
  /** An absolute URL on one of the origins, without fragment. */
  readonly url: string;
}

/** A URL of the application's backend that receives events. */
export interface DeclaredEventEndpoint {
  /** An https URL. */
  readonly url: string;
  /** The types of events that it receives; all if omitted. */
  readonly types?: readonly string[] | undefined;
  /** The name of its secret, such as a variable of the environment: `whsec_` and the base64 of 24 to 64 random bytes. */
  readonly secretFrom: string;
}

/**
 * The target state of a client. An omitted field stays unchanged. A list is complete: entries that are not in it are
 * removed. A missing client is created, which requires displayName, webOrigins, returnUrls, providers and capabilities.
 *
 * Identity return URLs and the identity sign-in have no field, because only an admin in the panel changes them.
 */
export interface ClientDeclaration {
  /** Identifies the client: 1 to 63 lowercase letters, digits and inner hyphens. It cannot be changed. */
  readonly slug: string;
  /** 1 to 80 characters. */
  readonly displayName?: string | undefined;
  /** `false` rejects the client's keys and cancels its unfinished attempts. */
  readonly enabled?: boolean | undefined;
  /** At least one, each in the form of a browser's Origin header: `https://app.example.com`. */
  readonly webOrigins?: readonly string[] | undefined;
  /** At least one, each on one of the origins. A registered URL can be a plain string. */
  readonly returnUrls?: readonly (string | DeclaredReturnUrl)[] | undefined;
  /** 1 to 128 characters each. */
  readonly tenantKeys?: readonly string[] | undefined;
  /** A data URL of a PNG, JPEG or WebP image with at most 16,384 bytes: see `logoDataUrl`. `null` removes the logo. */
  readonly logo?: string | null | undefined;
  /** The color of buttons on pages of the service, as `#` and six hexadecimal digits. `null`: the service's own. */
  readonly brandColor?: string | null | undefined;
  /** Where users of the application get help: a `mailto:` or https address. `null` removes it. */
  readonly supportAddress?: string | null | undefined;
  /** The https address of the application's privacy notice. `null` removes it. */
  readonly privacyUrl?: string | null | undefined;
  /** The allowed providers. */
  readonly providers?: readonly SocialProvider[] | undefined;
  /** The allowed capabilities. */
  readonly capabilities?: readonly Capability[] | undefined;
  /** At most two URLs of the backend that receive events. Omitted: they are not managed. */
  readonly eventEndpoints?: readonly DeclaredEventEndpoint[] | undefined;
  /** Whether origins that match the deployment's preview template are allowed. */
  readonly previewOriginsEnabled?: boolean | undefined;
  /** Paths that are return URLs on every preview origin. */
  readonly previewReturnPaths?: readonly string[] | undefined;
}
