import type { Capability, SocialProvider } from "../types/index.ts";
import type { ReturnUrlConfirmation } from "../writes/clientWrites.ts";

/** A return URL, with what has to be said of it before it is registered. */
export interface DeclaredReturnUrl extends ReturnUrlConfirmation {
  /** An absolute address on one of the origins, without fragment. */
  readonly url: string;
}

/**
 * The state that a client is to be in. A field that is left out is not looked after: it stays as it is. A list is the
 * whole list: what is not on it is removed. A client that is not there is created, for which displayName, webOrigins,
 * returnUrls, providers and capabilities are needed.
 *
 * Identity return URLs and the identity sign-in are not among the fields, because only an admin in the panel changes them.
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
  /** At least one, each on one of the origins. A plain text will do for one that is registered already. */
  readonly returnUrls?: readonly (string | DeclaredReturnUrl)[] | undefined;
  /** 1 to 128 characters each. */
  readonly tenantKeys?: readonly string[] | undefined;
  /** All that it may use. */
  readonly providers?: readonly SocialProvider[] | undefined;
  /** All that it may read. */
  readonly capabilities?: readonly Capability[] | undefined;
  /** Whether pages on origins of the deployment's preview template count, too. */
  readonly previewOriginsEnabled?: boolean | undefined;
  /** Paths that are return URLs on every preview origin. */
  readonly previewReturnPaths?: readonly string[] | undefined;
}
