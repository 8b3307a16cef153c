import { createConsumerMock } from "../../packages/mocks/src/index.ts";
import { openPanel } from "../../packages/mocks/src/testing/adminDriver.ts";
import { openControl } from "../../packages/mocks/src/testing/control.ts";
import { eventsDriver } from "../../packages/mocks/src/testing/eventsDriver.ts";
import { identityDriver } from "../../packages/mocks/src/testing/identityDriver.ts";
import { providerDriver } from "../../packages/mocks/src/testing/providerDriver.ts";
import type { Follower, Leader } from "./steps/side.ts";

interface MockSideOptions {
  readonly seed: string;
  readonly now: Date;
  readonly jitter: number;
  readonly previewTemplate: string | null;
  /** In place of the mock's own `fetch`: what a test plants a difference with. */
  readonly wrapFetch?: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;
}

const DAY_MS = 86_400_000;
/** Posts that the accounts begin with are older than any window that a sequence asks for. */
export const ACCOUNTS_AGE_MS = 130 * DAY_MS;
/** The service's delay between a call and its effect: a few provider requests. */
const WORK_MS = 250;
/** Work that takes longer than this never ends. */
const LONGEST_WORK_MS = 60_000;
const WORK_STEP_MS = 10;

/** A separate mock per sequence, at the leader's time. */
export async function openMockSide(options: MockSideOptions): Promise<Follower & Pick<Leader, "quiesce" | "advance">> {
  const { now, previewTemplate: previewOriginTemplate, wrapFetch, ...given } = options;
  const baseUrl = "http://127.0.0.1:4010";
  const began = new Date(now.getTime() - ACCOUNTS_AGE_MS);
  const mock = createConsumerMock({ ...given, baseUrl, now: began, previewOriginTemplate });
  await mock.clock.set(now);
  const control = openControl(baseUrl, mock.fetch);
  const fetch = wrapFetch?.(mock.fetch) ?? mock.fetch;
  return {
    name: "mock",
    baseUrl,
    fetch,
    provider: providerDriver(control, mock.fetch),
    identity: identityDriver(control, baseUrl, mock.fetch),
    panel: (person) => openPanel(openControl(baseUrl, fetch), person),
    events: eventsDriver(openControl(baseUrl, fetch), mock),
    addresses: { [`${baseUrl}/__mock/issuer`]: "{issuer}", [baseUrl]: "{service}", "client id mock-p…": "{client}" },
    now: async () => mock.clock.date(),
    goTo: async (moment) => {
      if (moment > mock.clock.date()) await mock.clock.set(moment);
    },
    finishWork: async () => {
      const isWorking = () =>
        mock.jobs().some(({ nextRetryAt, status }) => status === "RUNNING" || (status === "QUEUED" && !nextRetryAt));
      for (let ms = 0; isWorking() && ms < LONGEST_WORK_MS; ms += WORK_STEP_MS) await mock.clock.advance(WORK_STEP_MS);
      const retries = mock.jobs().flatMap(({ nextRetryAt }) => (nextRetryAt === null ? [] : [Date.parse(nextRetryAt)]));
      return retries.length === 0 ? null : new Date(Math.min(...retries));
    },
    quiesce: async () => {
      await mock.clock.advance(WORK_MS);
      return null;
    },
    advance: async (ms) => void (await mock.clock.advance(ms)),
  };
}
