import {
  CONNECT_SESSION_STATUSES,
  CONNECTION_STATUSES,
  EVENT_TYPES,
  IDP_IDENTITY_STATUSES,
} from "@social-connect/contract";
import { expect, test } from "vitest";
import { JOB_KINDS } from "../jobs/job.ts";
import { EVENT_DATA_FIELDS, eventBody } from "./eventBody.ts";
import { attemptEvent, connectionEvent, identityEvent, jobEvent, type NewEvent, testEvent } from "./newEvents.ts";

const SCOPE = { tenantKey: "acme", externalSubjectId: "user-1" };
const ABOUT = { id: "id-1", applicationId: "app-1", provider: "PROVIDER_A", ...SCOPE } as const;
const JOB = { ...ABOUT, connectionId: "c1", errorCode: null, requested: false } as const;
const EXPIRES_AT = new Date("2026-03-31T12:00:00.000Z");

const typeOf = (event: NewEvent | null) => event?.type ?? null;
const attempt = (status: (typeof CONNECT_SESSION_STATUSES)[number]) =>
  attemptEvent({ ...ABOUT, status, resultCode: "USER_DENIED", connectionId: "c1", expiresAt: EXPIRES_AT });

test("an attempt is told when it ends, unless it is canceled", () => {
  const told = CONNECT_SESSION_STATUSES.map((status) => [status, typeOf(attempt(status))]);
  expect(told.filter(([, type]) => type !== null)).toEqual([
    ["COMPLETED", "connect.completed"],
    ["DENIED", "connect.denied"],
    ["FAILED", "connect.failed"],
    ["EXPIRED", "connect.expired"],
  ]);
  expect(attempt("COMPLETED")).toMatchObject({ attemptId: "id-1", connectionId: "c1" });
  expect(attempt("FAILED")).toMatchObject({ attemptId: "id-1", connectionId: null });
  expect(attempt("EXPIRED")).toMatchObject({ occurredAt: EXPIRES_AT });
});

test("a connection is told when its status changes", () => {
  const changed = (before: (typeof CONNECTION_STATUSES)[number], status: (typeof CONNECTION_STATUSES)[number]) =>
    connectionEvent(before, { ...ABOUT, status }, "GRANT_ENDED");
  for (const status of CONNECTION_STATUSES) expect(changed(status, status)).toBeNull();
  expect(typeOf(changed("CONNECTED", "SUSPENDED"))).toBe("connection.suspended");
  expect(typeOf(changed("SUSPENDED", "CONNECTED"))).toBe("connection.restored");
  expect(changed("SUSPENDED", "RECONNECT_REQUIRED")).toMatchObject({ code: "GRANT_ENDED", connectionId: "id-1" });
  expect(changed("RECONNECT_REQUIRED", "CONNECTED")).toMatchObject({ type: "connection.restored", code: null });
  expect(typeOf(changed("CONNECTED", "DISCONNECTED"))).toBe("connection.disconnected");
  expect(changed("DISCONNECTED", "DELETING")).toBeNull();
});

test("a job is told when it ends if the application requested it, and receipts always", () => {
  for (const kind of JOB_KINDS) {
    const isReceipt = kind === "REVOKE" || kind === "ERASE";
    const ended = (status: "SUCCEEDED" | "FAILED" | "CANCELED" | "RUNNING", background: boolean) =>
      typeOf(jobEvent({ ...JOB, kind, background, status }, SCOPE));
    const receipt = kind === "REVOKE" ? "receipt.revoke" : "receipt.erase";
    expect(ended("SUCCEEDED", false)).toBe(isReceipt ? receipt : "job.succeeded");
    expect(ended("FAILED", false)).toBe(isReceipt ? receipt : "job.failed");
    expect(ended("FAILED", true)).toBe(isReceipt ? receipt : null);
    const joined = jobEvent({ ...JOB, kind, background: true, requested: true, status: "FAILED" }, SCOPE);
    expect(typeOf(joined)).toBe(isReceipt ? receipt : "job.failed");
    expect([ended("CANCELED", false), ended("RUNNING", false)]).toEqual([null, null]);
  }
});

test("an identity attempt is told when it ends, unless it expires", () => {
  const told = IDP_IDENTITY_STATUSES.map((status) => typeOf(identityEvent({ ...ABOUT, status })));
  expect(told).toEqual([null, "identity.completed", "identity.denied", "identity.failed", null]);
});

test("a body has the fields of its subject and nothing else", () => {
  const bodyOf = (event: NewEvent | null) =>
    event && eventBody({ ...event, occurredAt: event.occurredAt ?? new Date(1) });
  expect(bodyOf(attempt("COMPLETED"))).toEqual({
    type: "connect.completed",
    timestamp: "1970-01-01T00:00:00.001Z",
    data: {
      provider: "PROVIDER_A",
      ...SCOPE,
      attemptId: "id-1",
      connectionId: "c1",
      status: "COMPLETED",
      code: "USER_DENIED",
    },
  });
  expect(Object.keys(bodyOf(identityEvent({ ...ABOUT, status: "DENIED" }))?.data ?? {})).toEqual([
    ...EVENT_DATA_FIELDS.identity,
  ]);
  expect(bodyOf(testEvent("app-1"))?.data).toEqual({});
});

test("every type but the test has a subject with a status", () => {
  for (const [name, { subject, statuses }] of Object.entries(EVENT_TYPES))
    expect(statuses.length > 0, name).toBe(subject !== "test");
});
