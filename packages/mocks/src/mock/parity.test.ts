import { expect, test } from "vitest";
import { AccountControl } from "../control/accountControl.ts";
import { ApplicationControl } from "../control/applicationControl.ts";
import { CallsControl } from "../control/callsControl.ts";
import { MockClock } from "../control/clockControl.ts";
import { ConnectControl } from "../control/connectControl.ts";
import { ConnectionControl } from "../control/connectionControl.ts";
import { FaultsControl } from "../control/faultsControl.ts";
import { IdentityControl } from "../control/identityControl.ts";
import { JobControl } from "../control/jobControl.ts";
import { ProviderFaultsControl } from "../control/providerFaultsControl.ts";
import { RegistrationControl } from "../control/registrationControl.ts";
import { AdminMock } from "./adminMock.ts";
import { COMMANDS } from "./commands.ts";
import { ConsumerMock } from "./consumerMock.ts";

/** Members that only a program can use: transports and the client's clock. */
const IN_PROCESS = "(in this process only)";

/** Each thing that can be done with a mock, and the command that does it over HTTP. */
const DONE_BY: readonly (readonly [of: { readonly prototype: object }, Readonly<Record<string, string>>])[] = [
  [
    ConsumerMock,
    {
      answer: IN_PROCESS,
      handlers: IN_PROCESS,
      connect: "GET connect/:id",
      identity: "GET identity/:id",
      job: "GET jobs/:id",
      jobs: "GET jobs",
      connection: "GET connections/:id",
      connections: "GET connections",
      account: "GET accounts/:provider/:name",
      registration: "GET registrations/:provider",
      application: "GET application",
      createApplication: "POST applications",
      applicationById: "GET applications/:id",
      admin: "GET admin",
      lieAboutIdentity: "POST issuer/lies",
      settle: "POST settle",
      step: "POST step",
      load: "POST scenarios/:name",
      reset: "POST reset",
      snapshot: "GET snapshot",
      restore: "POST restore",
    },
  ],
  [
    ConnectControl,
    {
      launch: "POST connect/:id/launch",
      exchanging: "POST connect/:id/exchanging",
      complete: "POST connect/:id/complete",
      deny: "POST connect/:id/deny",
      fail: "POST connect/:id/fail",
      cancel: "POST connect/:id/cancel",
      expire: "POST connect/:id/expire",
    },
  ],
  [
    IdentityControl,
    {
      signIn: "POST identity/:id/sign-in",
      deny: "POST identity/:id/deny",
      fail: "POST identity/:id/fail",
      expire: "POST identity/:id/expire",
    },
  ],
  [
    JobControl,
    {
      start: "POST jobs/:id/start",
      run: "POST jobs/:id/run",
      succeed: "POST jobs/:id/succeed",
      fail: "POST jobs/:id/fail",
      retryLater: "POST jobs/:id/retry-later",
    },
  ],
  [
    ConnectionControl,
    {
      loseGrant: "POST connections/:id/lose-grant",
      endGrant: "POST connections/:id/end-grant",
      expireCredential: "POST connections/:id/expire-credential",
      suspend: "POST connections/:id/suspend",
      resume: "POST connections/:id/resume",
      disconnect: "POST connections/:id/disconnect",
      publish: "POST connections/:id/posts",
      observe: "POST connections/:id/posts/:post/observe",
    },
  ],
  [
    AccountControl,
    {
      posts: "GET accounts/:provider/:name/posts",
      publish: "POST accounts/:provider/:name/posts",
      change: "POST accounts/:provider/:name/posts/:post",
      endGrants: "POST accounts/:provider/:name/end-grants",
      removeApp: "POST accounts/:provider/:name/remove-app",
    },
  ],
  [
    MockClock,
    {
      now: IN_PROCESS,
      sleep: IN_PROCESS,
      date: "GET clock",
      advance: "POST clock/advance",
      set: "POST clock/set",
    },
  ],
  [
    FaultsControl,
    {
      next: "POST faults",
      times: "POST faults",
      always: "POST faults",
      chance: "POST faults",
      list: "GET faults",
      remove: "DELETE faults/:id",
      clear: "DELETE faults",
    },
  ],
  [
    ProviderFaultsControl,
    {
      add: "POST provider-faults",
      list: "GET provider-faults",
      remove: "DELETE provider-faults/:id",
      clear: "DELETE provider-faults",
    },
  ],
  [
    CallsControl,
    {
      all: "GET calls",
      of: "GET calls",
      last: "GET calls",
      count: "GET calls",
      clear: "DELETE calls",
      assertCalled: "POST calls/assert",
      assertCalledWith: "POST calls/assert",
      assertNotCalled: "POST calls/assert",
      assertSequence: "POST calls/assert",
      assertAllOk: "POST calls/assert",
    },
  ],
  [
    RegistrationControl,
    {
      publish: "POST registrations/:provider/publish",
      pause: "POST registrations/:provider/pause",
      disable: "POST registrations/:provider/disable",
      serve: "POST registrations/:provider/serve",
      scopesOf: "GET registrations/:provider/scopes/:capability",
      setScopes: "POST registrations/:provider/scopes/:capability",
      setCapabilities: "POST registrations/:provider/capabilities",
    },
  ],
  [
    ApplicationControl,
    {
      enable: "POST applications/:id/enable",
      disable: "POST applications/:id/disable",
      hold: "POST applications/:id/hold",
      release: "POST applications/:id/release",
      setPolicy: "POST applications/:id/policy",
      setPreviews: "POST applications/:id/previews",
      addReturnUrl: "POST applications/:id/return-urls",
      issueKey: "POST applications/:id/keys",
      revokeKey: "POST applications/:id/keys/:key/revoke",
      remove: "DELETE applications/:id",
    },
  ],
  [
    AdminMock,
    {
      mintKey: "POST admin/keys",
      revokeKey: "POST admin/keys/:key/revoke",
      addMember: "POST admin/members",
      removeMember: "DELETE admin/members/:email",
      audit: "GET admin/audit",
    },
  ],
];
/** Read-only data; a constant in a program. */
const TELLS = ["GET scenarios", "GET accounts/:provider"];

test("the control API over HTTP has the same features as the mock", () => {
  for (const [control, commands] of DONE_BY) {
    const methods = Object.entries(Object.getOwnPropertyDescriptors(control.prototype)).flatMap(([name, { value }]) =>
      typeof value === "function" && name !== "constructor" ? [name] : [],
    );
    expect(methods.filter((name) => !(name in commands))).toEqual([]);
  }
  const named = new Set([...DONE_BY.flatMap(([, commands]) => Object.values(commands)), ...TELLS]);
  named.delete(IN_PROCESS);
  const there = COMMANDS.map(({ method, parts }) => `${method} ${parts.join("/")}`);
  expect([...named].sort()).toEqual([...there].sort());
});
