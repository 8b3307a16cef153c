import type { JobErrorCode } from "@social-connect/contract";
import type { ConnectCancellation, ConnectFailure } from "../control/connectControl.ts";
import { fieldsOf } from "../control/fields.ts";
import type { IssuerLie } from "../issuer/issuerFaults.ts";
import type { Command } from "./command.ts";
import { first, get, post } from "./command.ts";

export const SESSIONS: readonly Command[] = [
  get("connect/:id", (mock, input) => mock.connect(first(input)).state),
  post("connect/:id/launch", (mock, input) => mock.connect(first(input)).launch()),
  post("connect/:id/exchanging", (mock, input) => mock.connect(first(input)).exchanging()),
  post("connect/:id/complete", (mock, input) => mock.connect(first(input)).complete(input.body)),
  post("connect/:id/deny", (mock, input) => {
    const { code } = fieldsOf(input.body, { code: "string" });
    return mock.connect(first(input)).deny(code as "USER_DENIED" | undefined);
  }),
  post("connect/:id/fail", (mock, input) => {
    const { code } = fieldsOf(input.body, { code: "string" });
    return mock.connect(first(input)).fail(code as ConnectFailure | undefined);
  }),
  post("connect/:id/cancel", (mock, input) => {
    const { code } = fieldsOf(input.body, { code: "string!" });
    return mock.connect(first(input)).cancel(code as ConnectCancellation);
  }),
  post("connect/:id/expire", (mock, input) => mock.connect(first(input)).expire()),
  get("identity/:id", (mock, input) => mock.identity(first(input)).state),
  post("identity/:id/sign-in", (mock, input) => {
    const { person } = fieldsOf(input.body, { person: "string" });
    return mock.identity(first(input)).signIn(person);
  }),
  post("identity/:id/deny", (mock, input) => mock.identity(first(input)).deny()),
  post("identity/:id/fail", (mock, input) => mock.identity(first(input)).fail()),
  post("identity/:id/expire", (mock, input) => mock.identity(first(input)).expire()),
  post("issuer/lies", (mock, input) => {
    const { lies } = fieldsOf(input.body, { lies: "strings!" });
    mock.lieAboutIdentity(lies as IssuerLie[]);
  }),
];

export const JOBS: readonly Command[] = [
  get("jobs", (mock, { query }) => mock.jobs(query.get("connectionId") ?? undefined), ["connectionId"]),
  get("jobs/:id", (mock, input) => mock.job(first(input)).state),
  post("jobs/:id/start", (mock, input) => mock.job(first(input)).start()),
  post("jobs/:id/run", (mock, input) => mock.job(first(input)).run()),
  post("jobs/:id/succeed", (mock, input) => mock.job(first(input)).succeed(input.body)),
  post("jobs/:id/fail", (mock, input) => {
    const { code } = fieldsOf(input.body, { code: "string" });
    return mock.job(first(input)).fail(code as JobErrorCode | undefined);
  }),
  post("jobs/:id/retry-later", (mock, input) => {
    const { after } = fieldsOf(input.body, { after: "duration" });
    return mock.job(first(input)).retryLater(after);
  }),
  post("settle", async (mock, input) => ({ passedMs: await mock.settle(input.body) })),
  post("step", async (mock) => {
    await mock.step();
    return { now: mock.clock.date().toISOString() };
  }),
];
