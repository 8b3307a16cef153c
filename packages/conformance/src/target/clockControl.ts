import { askDoor } from "./json.ts";
import type { ClockDoor } from "./target.ts";

/** The clock control address of a development set-up: `GET /` tells the time, `POST /advance` moves it. */
export function openClockControl(url: string): ClockDoor {
  return {
    now: async () => new Date(((await askDoor(url, "GET")) as { now: string }).now),
    advance: async (milliseconds) => {
      await askDoor(`${url}/advance`, "POST", { advanceMs: Math.ceil(milliseconds) });
    },
  };
}
