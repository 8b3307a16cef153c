/** The admin side of the service: two keys for its API, and people who sign in to its panel. */
export interface AdminDriver {
  /** Base address; the API is at `{adminHost}/api/admin/graphql`. */
  readonly adminHost: string;
  /** A key of either scope, good for the whole run, however far its clock is moved. */
  readonly readKey: string;
  readonly writeKey: string;
  /** The admin as whom both keys act, signed in. */
  readonly panel: PanelDriver;
  /**
   * Signs somebody in to the panel, by the name the issuer knows: `admin-two`, `ada` and `unicode` have verified addresses
   * `<name>@example.test`, `admin-unverified` and `admin-other-account` have the first admin's. null: not let in.
   */
  signIn(person: string): Promise<PanelDriver | null>;
}

/** One person's way into the panel, by the operations of the admin schema. */
export interface PanelDriver {
  readonly email: string;
  /**
   * Runs a document as the person. Before, it signs in again when the session has ended, and once more when an answer says
   * `__typename: "ConfirmationRequiredError"`; with `raw` neither happens.
   */
  run(
    document: string,
    variables?: Readonly<Record<string, unknown>>,
    options?: { readonly raw?: boolean },
  ): Promise<PanelAnswer>;
  /** What the person's browser sends; absent where the panel has no address of its own. */
  session?(): Promise<PanelSession>;
}

export interface PanelAnswer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly AdminError[];
}

export interface AdminError {
  readonly message: string;
  readonly extensions?: {
    readonly code?: string;
    readonly reason?: string;
    readonly correlationId?: string;
  };
}

export interface PanelSession {
  /** Where the panel's pages post documents to. */
  readonly endpoint: string;
  readonly origin: string;
  readonly cookie: string;
  readonly csrfToken: string;
}
