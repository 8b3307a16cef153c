/** What a mock was made with; fixed for its life. */
export interface Settings {
  /** Base address of the consumer API, without a trailing slash. */
  readonly baseUrl: string;
  /** Address of the browser side of Connect and identity. */
  readonly connectHost: string;
  /** Address of the admin API. */
  readonly adminHost: string;
  readonly issuerUrl: string;
  readonly previewOriginTemplate: string | null;
  readonly mode: "sandbox" | "live";
  /** `manual`: stands still until it is advanced. `system`: goes with this machine's clock. */
  readonly clock: "manual" | "system";
  /** How far a manual clock goes on by itself with each request, in milliseconds. */
  readonly advancePerRequestMs: number;
  /** Where retries and background reads fall in the range they are spread over; null: by the seed. */
  readonly jitter: number | null;
  /** Switches off what is this project's choice and not the contract's; see the table of assumptions. */
  readonly strict: boolean;
}
