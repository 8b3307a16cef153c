import { JOB_ERROR_CODES } from "@social-connect/contract";
import { expect, test } from "vitest";
import { concernedConnections, interruptedBy, isLookedAt, toldMeanwhile } from "./incidentEffects.ts";
import { INCIDENT_CAUSES, type IncidentCause } from "./incidents.ts";

const incident = (cause: IncidentCause, detail: string | null = null) =>
  ({ cause, detail, registrationId: "r" }) as const;

test("looks for the end of incidents that a read can end", () => {
  const causes = INCIDENT_CAUSES.filter((cause) => isLookedAt(incident(cause)));
  expect(causes).toEqual([
    ...["PROVIDER_CALLS_FAIL", "JOBS_FAIL", "JOBS_ERROR", "SERVICE_FAULT", "RECONNECTS_REQUIRED"],
    "APPLICATION_REFUSED",
  ]);
});

test("repeats what an outage or a limit interrupted, and leaves what waits for a quota to its time", () => {
  const unavailable = { errorCode: "UPSTREAM_UNAVAILABLE", waitReason: "PROVIDER_UNAVAILABLE" };
  expect(interruptedBy(incident("PROVIDER_CALLS_FAIL"))).toEqual(unavailable);
  expect(interruptedBy(incident("APPLICATION_REFUSED", "2500: Unknown path"))).toEqual(unavailable);
  expect(interruptedBy(incident("SERVICE_FAULT"))).toMatchObject({ waitReason: "SERVICE_FAULT" });
  expect(interruptedBy(incident("JOBS_FAIL", "AUTHORIZATION_SUSPENDED"))).toMatchObject({ waitReason: "PAUSED" });
  const limited = { errorCode: "UPSTREAM_RATE_LIMITED", waitReason: "RATE_LIMITED" };
  expect(interruptedBy(incident("JOBS_FAIL", "UPSTREAM_RATE_LIMITED"))).toEqual(limited);
  expect(interruptedBy(incident("QUOTA_USED_UP", "client"))).toBeNull();
});

test("names the connections that an incident concerns as a filter of the list", () => {
  const outage = { registrationId: "r", cause: "PROVIDER_UNAVAILABLE" };
  expect(concernedConnections(incident("PROVIDER_CALLS_FAIL"))).toEqual(outage);
  expect(concernedConnections(incident("QUOTA_USED_UP", "client"))).toEqual({ registrationId: "r", cause: "QUOTA" });
  expect(concernedConnections(incident("APPLICATION_REFUSED"))).toEqual({ registrationId: "r", status: "CONNECTED" });
  expect(concernedConnections(incident("EVENT_ENDPOINT_FAILS", "shop (turned off)"))).toEqual({ clientSlug: "shop" });
  expect(concernedConnections(incident("SWEEP_LATE", "deleteJobs"))).toBeNull();
});

test("tells users of an outage the sentence that the connection's page shows", () => {
  expect(toldMeanwhile(incident("PROVIDER_CALLS_FAIL"))).toBe(
    "The platform is not responding right now. The update is repeated automatically.",
  );
  expect(toldMeanwhile(incident("CONNECT_ATTEMPTS_FAIL", "PROVIDER_UNAVAILABLE"))).toMatch(
    /^The platform did not respond\./,
  );
  for (const code of JOB_ERROR_CODES) expect(toldMeanwhile(incident("JOBS_FAIL", code))).toMatch(/\.$/);
  expect(toldMeanwhile(incident("SWEEP_LATE"))).toBeNull();
});
