import { ERROR_CODES } from "@social-connect/contract";
import {
  type CallOptions,
  type ConnectRequest,
  type ConnectResultPoller,
  type Disconnection,
  type EnvironmentOptions,
  type Hooks,
  type JobPoller,
  type LaunchPageOptions,
  type ListOptions,
  NotFoundError,
  type Open,
  type RefreshPoller,
  type RefreshRequest,
  type SavedPoller,
  type ScanWindow,
  Secret,
  type SettledJob,
  type SettledLookup,
  SocialConnect,
  type SocialConnectError,
  type SocialConnectOptions,
  type WaitOptions,
} from "@social-connect/sdk";
import { expect, expectTypeOf, it } from "vitest";
import type * as generated from "../_generated/documents.ts";
import type * as known from "../_generated/types.ts";
import { fakeClient, KEY, refusal } from "../testing/fakeApi.ts";
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

it("accepts undefined for each optional option, as programs under exactOptionalPropertyTypes pass it", () => {
  type Optional<Type> = { [Name in keyof Type]-?: object extends Pick<Type, Name> ? Name : never }[keyof Type];
  type WithUndefined<Type> = Omit<Type, Optional<Type>> & {
    readonly [Name in Optional<Type>]?: Type[Name] | undefined;
  };
  expectTypeOf<WithUndefined<SocialConnectOptions>>().toExtend<SocialConnectOptions>();
  expectTypeOf<WithUndefined<EnvironmentOptions>>().toExtend<EnvironmentOptions>();
  expectTypeOf<WithUndefined<Hooks>>().toExtend<Hooks>();
  expectTypeOf<WithUndefined<CallOptions>>().toExtend<CallOptions>();
  expectTypeOf<WithUndefined<ListOptions>>().toExtend<ListOptions>();
  expectTypeOf<WithUndefined<WaitOptions<unknown>>>().toExtend<WaitOptions<unknown>>();
  expectTypeOf<WithUndefined<LaunchPageOptions>>().toExtend<LaunchPageOptions>();
  expectTypeOf<WithUndefined<ConnectRequest>>().toExtend<ConnectRequest>();
  expectTypeOf<WithUndefined<ScanWindow>>().toExtend<ScanWindow>();
  expectTypeOf<{ window: undefined; providerContentId: string }>().toExtend<RefreshRequest>();
  expectTypeOf<{ window: ScanWindow | undefined; providerContentId: undefined }>().toExtend<RefreshRequest>();
  const none = { fetch: undefined, clock: undefined, hooks: undefined, timeoutMs: undefined, random: undefined };
  const env = { SOCIAL_CONNECT_URL: "https://a.example", SOCIAL_CONNECT_KEY: KEY };
  expect(() => SocialConnect.fromEnv({ ...none, env, baseUrl: undefined, key: undefined })).not.toThrow();
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
