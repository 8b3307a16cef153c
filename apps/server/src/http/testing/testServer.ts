import { fileURLToPath } from "node:url";
import { type LocalServer, serve } from "@social-connect/testkit";
import { beforeAll } from "vitest";
import { type CallLanes, createCallLanes } from "../../graphql/shared/callLanes.ts";
import type { Service } from "../../modules/service.ts";
import { service as serviceOfFile, useApplication } from "../../modules/testing/fixtures.ts";
import type { TestService } from "../../modules/testing/testService.ts";
import type { AdmissionLimits } from "../../platform/load/admission.ts";
import type { Lane, TimeLimits } from "../../platform/load/fairShare.ts";
import { createHttpHandler } from "../server.ts";

/** A folder that does not exist: most tests do not use the panel, and none depends on an earlier build. */
export const NO_PANEL = fileURLToPath(new URL("./no-panel/", import.meta.url));

/** Enough for every test that is not about these limits. */
const LANE: Lane = { slots: 200, share: 200, shareAlone: 200 };

/** Tests move the clock, so a delayed response would wait for a test that does not know of it. */
const UNLIMITED: TimeLimits = { msPerSecond: 1, burstMs: Number.POSITIVE_INFINITY, leastMs: 0 };

const STRANGERS: AdmissionLimits = {
  slots: 5_000,
  slotsOfOwner: 5_000,
  starts: Number.POSITIVE_INFINITY,
  startsWhenLate: 1_000_000,
};

export function testLanes(
  service: Pick<Service, "clock" | "logger">,
  lane: Lane = LANE,
  responses: TimeLimits = UNLIMITED,
  strangers: AdmissionLimits = STRANGERS,
  network = { pages: responses, databaseRequests: responses },
): CallLanes {
  const shareInAll = lane.share;
  return createCallLanes(service, {
    applications: { lanes: { query: lane, mutation: lane }, shareInAll },
    admins: { lanes: { admin: lane }, shareInAll },
    responses,
    network,
    strangers,
  });
}

export function startTestServer(service: TestService, lanes: CallLanes = testLanes(service)): Promise<LocalServer> {
  return serve(createHttpHandler({ service, lanes, isReady: async () => true, panelFolder: NO_PANEL }));
}

export let server: LocalServer;

export function useServer(): void {
  useApplication();
  beforeAll(async () => {
    server = await startTestServer(serviceOfFile);
    return server.close;
  });
}

export interface GraphQLAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the query's
  readonly data: any;
  readonly errors: readonly { message: string; extensions: Record<string, unknown> }[];
  readonly code: unknown;
  readonly reason: unknown;
  readonly text: string;
}

export async function post(
  address: string,
  body: unknown,
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null,
): Promise<GraphQLAnswer> {
  const response = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    signal,
  });
  const text = await response.text();
  const { data = null, errors = [] } = (text === "" ? {} : JSON.parse(text)) as Partial<GraphQLAnswer>;
  const { code, reason } = errors[0]?.extensions ?? {};
  return { status: response.status, data, errors, code, reason, text };
}

export function bearer(key: string | null): Record<string, string> {
  return key === null ? {} : { authorization: `Bearer ${key}` };
}

export function query(
  { url }: Pick<LocalServer, "url">,
  key: string | null,
  text: string,
  variables: Record<string, unknown> = {},
): Promise<GraphQLAnswer> {
  return post(`${url}/graphql`, { query: text, variables }, bearer(key));
}
