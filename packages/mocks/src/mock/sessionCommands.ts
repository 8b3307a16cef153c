import { type Command, field, first, get, post } from "./command.ts";

export const SESSIONS: readonly Command[] = [
  get("connect", (mock) => mock.connectAttempts()),
  get("connect/:id", (mock, input) => mock.connect(first(input)).state),
  post("connect/:id/launch", (mock, input) => mock.connect(first(input)).launch()),
  post("connect/:id/exchanging", (mock, input) => mock.connect(first(input)).exchanging()),
  post("connect/:id/complete", (mock, input) => mock.connect(first(input)).complete(input.body)),
  post("connect/:id/deny", (mock, input) => mock.connect(first(input)).deny(field(input, "code", "string"))),
  post("connect/:id/fail", (mock, input) => mock.connect(first(input)).fail(field(input, "code", "string"))),
  post("connect/:id/cancel", (mock, input) => mock.connect(first(input)).cancel(field(input, "code", "string!"))),
  post("connect/:id/expire", (mock, input) => mock.connect(first(input)).expire()),
  get("identity/:id", (mock, input) => mock.identity(first(input)).state),
  post("identity/:id/sign-in", (mock, input) => mock.identity(first(input)).signIn(field(input, "person", "string"))),
  post("identity/:id/deny", (mock, input) => mock.identity(first(input)).deny()),
  post("identity/:id/fail", (mock, input) => mock.identity(first(input)).fail()),
  post("identity/:id/expire", (mock, input) => mock.identity(first(input)).expire()),
  post("issuer/lies", (mock, input) => mock.lieAboutIdentity(field(input, "lies", "strings!"))),
];

export const JOBS: readonly Command[] = [
  get("jobs", (mock, { query }) => mock.jobs(query.get("connectionId") ?? undefined), ["connectionId"]),
  get("jobs/:id", (mock, input) => mock.job(first(input)).state),
  post("jobs/:id/start", (mock, input) => mock.job(first(input)).start()),
  post("jobs/:id/run", (mock, input) => mock.job(first(input)).run()),
  post("jobs/:id/succeed", (mock, input) => mock.job(first(input)).succeed(input.body)),
  post("jobs/:id/fail", (mock, input) => mock.job(first(input)).fail(field(input, "code", "string"))),
  post("jobs/:id/retry-later", (mock, input) => mock.job(first(input)).retryLater(field(input, "after", "duration"))),
  post("settle", async (mock, input) => ({ passedMs: await mock.settle(input.body) })),
  post("step", async (mock) => {
    await mock.step();
    return { now: mock.clock.date().toISOString() };
  }),
];
