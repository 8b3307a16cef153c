import { requestJson } from "./panelOverHttp.ts";
import type { ClockDriver } from "./target.ts";

/** The clock endpoint of a development environment: `GET /` returns the time, `POST /advance` moves it. */
export function openClockControl(url: string): ClockDriver {
  return {
    now: async () => new Date((await requestJson<{ now: string }>(url, "GET")).now),
    advance: (milliseconds) => requestJson(`${url}/advance`, "POST", { advanceMs: Math.ceil(milliseconds) }),
  };
}
