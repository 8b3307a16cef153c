import type { WireBody } from "../wire/call.ts";

/** The admin API and panel of the service: two keys for the API, and users who sign in to the panel. */
export interface AdminDriver {
  /** Base URL; the API is at `{adminHost}/api/admin/graphql`. */
  readonly adminHost: string;
  /** A key of either scope, valid for the whole run, however far its clock is moved. */
  readonly readKey: string;
  readonly writeKey: string;
  /** The signed-in admin who owns both keys. */
  readonly panel: PanelDriver;
  /**
   * Signs a user in to the panel, by the issuer's name: `admin-two`, `ada` and `unicode` have verified addresses
   * `<name>@example.test`, `admin-unverified` and `admin-other-account` have the first admin's. null: rejected.
   */
  signIn(person: string): Promise<PanelDriver | null>;
}

/** One user's access to the panel, by the operations of the admin schema. */
export interface PanelDriver {
  readonly email: string;
  /**
   * Runs a document as the user. It signs in again when the session has expired, and once more when a response has
   * `__typename: "ConfirmationRequiredError"`; with `raw` it does neither.
   */
  run(
    document: string,
    variables?: Readonly<Record<string, unknown>>,
    options?: { readonly raw?: boolean },
  ): Promise<PanelAnswer>;
  /** The headers of the user's browser; absent where the panel has no URL. */
  session?(): Promise<PanelSession>;
}

export type PanelAnswer = Pick<WireBody, "data" | "errors">;

export interface PanelSession {
  /** The endpoint to which the panel's pages post documents. */
  readonly endpoint: string;
  readonly origin: string;
  readonly cookie: string;
  readonly csrfToken: string;
}
