import type { Capability, SocialProvider } from "../_generated/types.ts";
import type { ReturnUrlConfirmation } from "../writes/clientWrites.ts";

/** A return URL, with what has to be said of it before it is registered. */
export interface DeclaredReturnUrl extends ReturnUrlConfirmation {
  /** An absolute address on one of the origins, without fragment. */
  readonly url: string;
}

/**
 * The target state of a client. An omitted field stays unchanged. A list is complete: entries that are not in it are
 * removed. A missing client is created, which requires displayName, webOrigins, returnUrls, providers and capabilities.
 *
 * Identity return URLs and the identity sign-in have no field, because only an admin in the panel changes them.
 */
export interface ClientDeclaration {
  /** Which client: 1 to 63 lower-case letters, digits and inner hyphens. It never changes. */
  readonly slug: string;
  /** 1 to 80 characters. */
  readonly displayName?: string | undefined;
  /** `false` refuses the keys of the client, and cancels its unfinished attempts. */
  readonly enabled?: boolean | undefined;
  /** At least one, each exactly as a browser writes it: `https://app.example.com`. */
  readonly webOrigins?: readonly string[] | undefined;
  /** At least one, each on one of the origins. A registered URL can be a plain string. */
  readonly returnUrls?: readonly (string | DeclaredReturnUrl)[] | undefined;
  /** 1 to 128 characters each. */
  readonly tenantKeys?: readonly string[] | undefined;
  /** The allowed providers. */
  readonly providers?: readonly SocialProvider[] | undefined;
  /** The allowed capabilities. */
  readonly capabilities?: readonly Capability[] | undefined;
  /** Whether pages on origins of the deployment's preview template count, too. */
  readonly previewOriginsEnabled?: boolean | undefined;
  /** Paths that are return URLs on every preview origin. */
  readonly previewReturnPaths?: readonly string[] | undefined;
}
