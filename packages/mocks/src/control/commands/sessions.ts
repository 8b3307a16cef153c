import type { Capability, JobErrorCode, ScanIncompleteReason } from "@social-connect/contract";
import type { ConnectCancellation, ConnectFailure } from "../connectControl.ts";
import { fieldsOf } from "../fields.ts";
import type { Command } from "./command.ts";
import { first, get, post } from "./command.ts";

export const SESSIONS: readonly Command[] = [
  get("connect/:id", (mock, input) => mock.connect(first(input)).state),
  post("connect/:id/launch", (mock, input) => mock.connect(first(input)).launch()),
  post("connect/:id/exchanging", (mock, input) => mock.connect(first(input)).exchanging()),
  post("connect/:id/complete", (mock, input) => {
    const fields = fieldsOf(input.body, { account: "text", capabilities: "texts" });
    return mock.connect(first(input)).complete(fields as { account?: string; capabilities?: Capability[] });
  }),
  post("connect/:id/deny", (mock, input) => {
    const { code } = fieldsOf(input.body, { code: "text" });
    return mock.connect(first(input)).deny(code as "USER_DENIED" | undefined);
  }),
  post("connect/:id/fail", (mock, input) => {
    const { code } = fieldsOf(input.body, { code: "text" });
    return mock.connect(first(input)).fail(code as ConnectFailure | undefined);
  }),
  post("connect/:id/cancel", (mock, input) => {
    const { code } = fieldsOf(input.body, { code: "text!" });
    return mock.connect(first(input)).cancel(code as ConnectCancellation);
  }),
  post("connect/:id/expire", (mock, input) => mock.connect(first(input)).expire()),
  get("identity/:id", (mock, input) => mock.identity(first(input)).state),
  post("identity/:id/sign-in", (mock, input) => {
    const { person } = fieldsOf(input.body, { person: "text" });
    return mock.identity(first(input)).signIn(person);
  }),
  post("identity/:id/deny", (mock, input) => mock.identity(first(input)).deny()),
  post("identity/:id/fail", (mock, input) => mock.identity(first(input)).fail()),
  post("identity/:id/expire", (mock, input) => mock.identity(first(input)).expire()),
  post("issuer/lies", (mock, input) => {
    const { lies } = fieldsOf(input.body, { lies: "texts!" });
    mock.lieAboutIdentity(lies);
  }),
];

export const JOBS: readonly Command[] = [
  get("jobs", (mock, { query }) => mock.jobs(query.get("connectionId") ?? undefined)),
  get("jobs/:id", (mock, input) => mock.job(first(input)).state),
  post("jobs/:id/start", (mock, input) => mock.job(first(input)).start()),
  post("jobs/:id/run", (mock, input) => mock.job(first(input)).run()),
  post("jobs/:id/succeed", (mock, input) => {
    const fields = fieldsOf(input.body, { incompleteReason: "text" });
    return mock.job(first(input)).succeed(fields as { incompleteReason?: ScanIncompleteReason });
  }),
  post("jobs/:id/fail", (mock, input) => {
    const { code } = fieldsOf(input.body, { code: "text" });
    return mock.job(first(input)).fail(code as JobErrorCode | undefined);
  }),
  post("jobs/:id/retry-later", (mock, input) => {
    const { after } = fieldsOf(input.body, { after: "duration" });
    return mock.job(first(input)).retryLater(after);
  }),
  post("settle", async (mock, input) => {
    const { within } = fieldsOf(input.body, { within: "duration" });
    return { passedMs: await mock.settle(within === undefined ? {} : { within }) };
  }),
  post("step", async (mock) => {
    await mock.step();
    return { now: mock.clock.date().toISOString() };
  }),
];
