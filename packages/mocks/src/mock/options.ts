import { checkPreviewTemplate, parseUrl } from "@social-connect/domain";
import { checkApplication, checkApplicationOptions, LOOPBACK } from "../control/applicationControl.ts";
import { fieldsOf } from "../control/fields.ts";
import { runScheduledTask } from "../scheduler/runScheduled.ts";
import { applySeedData, LINKED_BEFORE_MS } from "../seed/applySeedData.ts";
import { SEED_DATA, type SeedData } from "../seed/seedData.ts";
import { ISSUER_PATH } from "../state/addresses.ts";
import type { Settings } from "../state/settings.ts";
import { type Duration, durationMs, timeMs } from "../util/duration.ts";
import { machineNowMs } from "../util/machineClock.ts";
import { allowed, MockMisuseError, within } from "../util/misuse.ts";
import { type ApplicationOptions, initialState } from "../world/initialState.ts";
import { World } from "../world/world.ts";

/** The default start of the clock. */
export const DEFAULT_NOW = "2026-06-15T12:00:00.000Z";
export const DEFAULT_BASE_URL = "https://social-connect.example.test";

/** Options of a mock, and the data that it starts with. All have defaults. */
export interface MockOptions extends SeedData {
  /** Seed of ids, tokens, posts and metrics: the same seed returns the same bytes. 1 by default. */
  readonly seed?: string | number;
  /**
   * The start of the clock, 2026-06-15T12:00:00.000Z by default. `system` uses the system clock, including fake timers of a
   * test.
   */
  readonly now?: Date | string | number | "system";
  /**
   * `manual`, the default, only moves when a test or a request advances it. `running` starts at `now` and runs on, so that
   * a browser never waits for a test to advance it.
   */
  readonly clock?: "manual" | "running";
  /** Advances a manual clock with each request, so that a client that polls reaches the end of a job. */
  readonly advancePerRequest?: Duration;
  /** Fixed jitter of retries and background reads, from 0 (earliest) to below 1. By default random by the seed. */
  readonly jitter?: number;
  /** Base URL of the consumer API. */
  readonly baseUrl?: string;
  /** Base URL of the pages; the base URL by default. */
  readonly connectHost?: string;
  /** Base URL of the admin API; the base URL by default. */
  readonly adminHost?: string;
  /** In `sandbox`, the default, only testers can connect; in `live`, every account can. */
  readonly mode?: "sandbox" | "live";
  /** Disables behavior that the contract does not specify; see ASSUMPTIONS. */
  readonly strict?: boolean;
  /** The template of preview origins, e.g. `https://{label}.preview.example.app`; null by default. */
  readonly previewOriginTemplate?: string | null;
  /** The default application. */
  readonly application?: ApplicationOptions;
}

const OPTIONS = {
  seed: "any",
  now: "any",
  clock: ["manual", "running"],
  advancePerRequest: "duration",
  jitter: "number",
  baseUrl: "string",
  connectHost: "string",
  adminHost: "string",
  mode: ["sandbox", "live"],
  strict: "boolean",
  previewOriginTemplate: "string?",
  application: "object",
  ...SEED_DATA,
} as const satisfies Record<keyof MockOptions, unknown>;

export function makeWorld(options: MockOptions): World {
  fieldsOf(options, OPTIONS);
  const { seed = 1, now = DEFAULT_NOW } = options;
  if (typeof seed !== "string" && !Number.isFinite(seed))
    throw new MockMisuseError("`seed` must be a string or a number.", ["seed"]);
  const settings = settingsOf(options);
  const nowMs = now === "system" ? machineNowMs() : within("now", () => timeMs(now));
  // Accounts of the data were linked and read before.
  const startMs = nowMs - (options.connections?.length ? LINKED_BEFORE_MS : 0);
  const clockMs = now === "system" ? startMs - nowMs : startMs;
  const { application = {} } = options;
  within("application", () => checkApplicationOptions(application));
  const state = initialState(String(seed), new Date(startMs), clockMs, { ...settings, application });
  within("application", () => {
    for (const one of state.applications.values()) checkApplication(one);
  });
  const world = new World(settings, state, runScheduledTask);
  applySeedData(world, options, nowMs);
  return world;
}

export function makeEmptyWorld(options: MockOptions): World {
  const names = Object.keys(SEED_DATA);
  return makeWorld(Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name))));
}

function settingsOf(options: MockOptions): Settings {
  const baseUrl = addressOf("baseUrl", options.baseUrl ?? DEFAULT_BASE_URL);
  const connectHost = addressOf("connectHost", options.connectHost ?? baseUrl);
  if (options.now === "system" && options.clock !== undefined)
    throw new MockMisuseError('`clock` requires a time as `now`, and `now` is "system".', ["clock"]);
  const clock = options.now === "system" ? "system" : (options.clock ?? "manual");
  const advancePerRequestMs = within("advancePerRequest", () => durationMs(options.advancePerRequest ?? 0));
  if (clock !== "manual" && options.advancePerRequest !== undefined) {
    throw new MockMisuseError(`advancePerRequest requires a manual clock, and the clock is ${clock}.`, [
      "advancePerRequest",
    ]);
  }
  const { jitter = null, previewOriginTemplate = null } = options;
  if (jitter !== null && !(jitter >= 0 && jitter < 1))
    throw new MockMisuseError("`jitter` must be a number from 0 to below 1.", ["jitter"]);
  if (previewOriginTemplate !== null) {
    const refusal = checkPreviewTemplate(previewOriginTemplate, LOOPBACK);
    within("previewOriginTemplate", () => allowed(refusal, "previewOriginTemplate"));
  }
  return {
    baseUrl,
    connectHost,
    adminHost: addressOf("adminHost", options.adminHost ?? baseUrl),
    issuerUrl: `${connectHost}${ISSUER_PATH}`,
    previewOriginTemplate,
    mode: options.mode ?? "sandbox",
    clock,
    advancePerRequestMs,
    jitter,
    strict: options.strict ?? false,
  };
}

export function addressOf(name: string, text: string): string {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new MockMisuseError(`\`${name}\` must be an absolute http or https URL without query and fragment.`);
  }
  return text.replace(/(?<!\/)\/+$/, "");
}
