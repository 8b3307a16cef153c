import { ERROR_CODES } from "@social-connect/contract";
import type {
  ConnectResultPoller,
  Disconnection,
  JobPoller,
  Open,
  RefreshPoller,
  SavedPoller,
  SettledJob,
  SettledLookup,
  SocialConnectError,
  SocialConnectOptions,
} from "@social-connect/sdk";
import { NotFoundError, Secret } from "@social-connect/sdk";
import { expect, expectTypeOf, it } from "vitest";
import type * as generated from "../_generated/documents.ts";
import type * as known from "../_generated/types.ts";
import { fakeClient, refusal } from "../testing/fakeApi.ts";
import { connectResult } from "../testing/samples.ts";

it("the known values of each enum match the published schema", () => {
  expectTypeOf<known.SocialProvider>().toEqualTypeOf<generated.SocialProvider>();
  expectTypeOf<known.Capability>().toEqualTypeOf<generated.Capability>();
  expectTypeOf<known.Availability>().toEqualTypeOf<Open<generated.Availability>>();
  expectTypeOf<known.ConnectCreatorAction>().toEqualTypeOf<Open<generated.ConnectCreatorAction>>();
  expectTypeOf<known.ConnectionStatus>().toEqualTypeOf<Open<generated.ConnectionStatus>>();
  expectTypeOf<known.ConnectSessionStatus>().toEqualTypeOf<Open<generated.ConnectSessionStatus>>();
  expectTypeOf<known.ContentKind>().toEqualTypeOf<Open<generated.ContentKind>>();
  expectTypeOf<known.IdpIdentityStatus>().toEqualTypeOf<Open<generated.IdpIdentityStatus>>();
  expectTypeOf<known.JobStatus>().toEqualTypeOf<Open<generated.JobStatus>>();
  expectTypeOf<known.MetricName>().toEqualTypeOf<Open<generated.MetricName>>();
  expectTypeOf<known.SyncStatus>().toEqualTypeOf<Open<generated.SyncStatus>>();
});

it("narrows final states: fields that are always set are never null", async () => {
  const { user } = fakeClient({ connectSessionResult: connectResult("COMPLETED") });
  const result = await user.connectResult("session-1").wait();
  if (result.status === "COMPLETED") expectTypeOf(result.connectionId).toEqualTypeOf<string>();
  else expectTypeOf(result.status).toEqualTypeOf<"DENIED" | "FAILED" | "EXPIRED" | "CANCELED">();
  const found = (): SettledLookup => expect.fail("never called");
  const readStatus = () => {
    const job = found();
    return job.status === "SUCCEEDED" ? job.resultProviderContentId : null;
  };
  expectTypeOf(readStatus).returns.toEqualTypeOf<string | null>();
});

it("a resumed poller has the type of the saved one", () => {
  const { social } = fakeClient({});
  const resume = (saved: SavedPoller) => {
    if (saved.kind === "refresh") return { refresh: social.resume(saved) };
    if (saved.kind === "connect-result") return { attempt: social.resume(saved) };
    if (saved.kind === "disconnect") return { disconnection: social.resume(saved) };
    return { job: social.resume(saved) };
  };
  type Resumed = ReturnType<typeof resume>;
  type Of<Name extends string> = Extract<Resumed, { [Key in Name]: object }>[Name & keyof Extract<Resumed, object>];
  expectTypeOf<Of<"refresh">>().toExtend<RefreshPoller | undefined>();
  expectTypeOf<Of<"attempt">>().toExtend<ConnectResultPoller | undefined>();
  expectTypeOf<Of<"disconnection">>().toExtend<Disconnection | undefined>();
  expectTypeOf<Of<"job">>().toExtend<JobPoller | JobPoller<SettledLookup> | undefined>();
  expectTypeOf<SettledJob["status"]>().toEqualTypeOf<"SUCCEEDED" | "FAILED" | "CANCELED">();
});

it("accepts the fetch of the runtime, of a library and of a test", () => {
  type Fetch = NonNullable<SocialConnectOptions["fetch"]>;
  expectTypeOf<typeof globalThis.fetch>().toExtend<Fetch>();
  expectTypeOf<(url: string) => Promise<Response>>().toExtend<Fetch>();
});

it("accepts a key as a string, a Secret of any copy, or a function that returns one or a promise", () => {
  const foreign = { reveal: () => "text" };
  const keys: SocialConnectOptions["key"][] = ["k", new Secret("k"), foreign, () => "k", async () => foreign];
  expect(keys).toHaveLength(5);
});

it("is() narrows the type", async () => {
  const { user } = fakeClient({ connection: refusal("NOT_FOUND") });
  const error: unknown = await user.connection("c").catch((thrown: unknown) => thrown);
  if (!NotFoundError.is(error)) expect.fail("it was not found");
  expectTypeOf(error).toExtend<SocialConnectError>();
  expect(ERROR_CODES).toContain(error.code);
});
