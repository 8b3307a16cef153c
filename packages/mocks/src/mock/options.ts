import { checkPreviewTemplate } from "@social-connect/domain";
import { checkApplication, LOOPBACK } from "../control/applicationControl.ts";
import { fieldsOf } from "../control/fields.ts";
import { runAgendaEntry } from "../scheduler/runScheduled.ts";
import type { Settings } from "../state/settings.ts";
import type { Duration } from "../util/duration.ts";
import { durationMs, momentMs } from "../util/duration.ts";
import { machineNowMs } from "../util/machineClock.ts";
import { allowed, MockMisuseError } from "../util/misuse.ts";
import type { ApplicationOptions } from "../world/initialState.ts";
import { initialState } from "../world/initialState.ts";
import { World } from "../world/world.ts";

/** A moment that no test has to know: where a mock begins unless it is told. */
export const DEFAULT_NOW = "2026-06-15T12:00:00.000Z";
export const DEFAULT_BASE_URL = "https://social-connect.example.test";

/** How a mock begins; everything has a default. */
export interface MockOptions {
  /** Ids, tokens, posts and numbers follow from it: the same seed gives the same bytes. 1 by default. */
  readonly seed?: string | number;
  /**
   * Where the clock begins; it then stands still until it is advanced. `system` goes with this machine's clock, and so with
   * fake timers where a test has them. 2026-06-15T12:00:00.000Z by default.
   */
  readonly now?: Date | string | number | "system";
  /** Lets the clock go on by so much with each request, so that what polls comes to an end by itself. */
  readonly advancePerRequest?: Duration;
  /**
   * Where retries and background reads fall in the range that they are spread over, from 0 (earliest) to below 1. By the seed
   * when absent.
   */
  readonly jitter?: number;
  /** Base address of the consumer API. */
  readonly baseUrl?: string;
  /** Address of the browser side; the base address by default. */
  readonly connectHost?: string;
  /** Address of the admin API; the base address by default. */
  readonly adminHost?: string;
  /** In `sandbox`, the default, only testers connect; in `live` everybody does. */
  readonly mode?: "sandbox" | "live";
  /** Switches off what is this project's choice and not the contract's; see ASSUMPTIONS. */
  readonly strict?: boolean;
  /** Origins that count as previews, e.g. `https://{label}.preview.example.app`; none by default. */
  readonly previewOriginTemplate?: string | null;
  /** The application that the mock begins with. */
  readonly application?: ApplicationOptions;
}

const OPTIONS = {
  seed: "any",
  now: "any",
  advancePerRequest: "duration",
  jitter: "number",
  baseUrl: "text",
  connectHost: "text",
  adminHost: "text",
  mode: ["sandbox", "live"],
  strict: "flag",
  previewOriginTemplate: "text?",
  application: "record",
} as const satisfies Record<keyof MockOptions, unknown>;

export function makeWorld(options: MockOptions): World {
  fieldsOf(options, OPTIONS);
  const { seed = 1, now = DEFAULT_NOW } = options;
  if (typeof seed !== "string" && !Number.isFinite(seed)) throw new MockMisuseError("The seed is a text or a number.");
  const settings = settingsOf(options);
  const startMs = now === "system" ? machineNowMs() : momentMs(now);
  const clockMs = now === "system" ? 0 : startMs;
  const state = initialState(String(seed), new Date(startMs), clockMs, {
    ...settings,
    application: options.application ?? {},
  });
  for (const application of state.applications.values()) checkApplication(application, options.application ?? {});
  return new World(settings, state, runAgendaEntry);
}

function settingsOf(options: MockOptions): Settings {
  const baseUrl = addressOf("baseUrl", options.baseUrl ?? DEFAULT_BASE_URL);
  const connectHost = addressOf("connectHost", options.connectHost ?? baseUrl);
  const clock = options.now === "system" ? "system" : "manual";
  const advancePerRequestMs = durationMs(options.advancePerRequest ?? 0);
  if (clock === "system" && options.advancePerRequest !== undefined) {
    throw new MockMisuseError("advancePerRequest is for a clock that stands still, and this one is the machine's.");
  }
  const { jitter = null, previewOriginTemplate = null } = options;
  if (jitter !== null && !(jitter >= 0 && jitter < 1))
    throw new MockMisuseError("jitter is a number from 0 to below 1.");
  if (previewOriginTemplate !== null)
    allowed(checkPreviewTemplate(previewOriginTemplate, LOOPBACK), "previewOriginTemplate");
  return {
    baseUrl,
    connectHost,
    adminHost: addressOf("adminHost", options.adminHost ?? baseUrl),
    issuerUrl: `${connectHost}/__mock/issuer`,
    previewOriginTemplate,
    mode: options.mode ?? "sandbox",
    clock,
    advancePerRequestMs,
    jitter,
    strict: options.strict ?? false,
  };
}

function addressOf(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new MockMisuseError(`${name} is an absolute http or https address without query and fragment.`);
  }
  return text.replace(/(?<!\/)\/+$/, "");
}
