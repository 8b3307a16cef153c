/** How time passes for a mock. */
export type ClockKind = "manual" | "running" | "system";

/** Settings of a mock; they never change. */
export interface Settings {
  /** Base address of the consumer API, without a trailing slash. */
  readonly baseUrl: string;
  /** Address of the browser side of Connect and identity. */
  readonly connectHost: string;
  /** Address of the admin API. */
  readonly adminHost: string;
  /** The issuer's name, which stays the same if the addresses follow each request. */
  readonly issuerUrl: string;
  readonly previewOriginTemplate: string | null;
  readonly mode: "sandbox" | "live";
  /** `manual`: moves only when advanced. `running`: starts at a time and runs on. `system`: follows the system clock. */
  readonly clock: ClockKind;
  /** Milliseconds by which each request advances a manual clock. */
  readonly advancePerRequestMs: number;
  /** Fixed jitter of retries and background reads; null for random jitter by the seed. */
  readonly jitter: number | null;
  /** Disables behavior that the contract does not specify; see ASSUMPTIONS. */
  readonly strict: boolean;
}
