import { expect, test } from "vitest";
import { AccountControl } from "../control/accountControl.ts";
import { ApplicationControl } from "../control/applicationControl.ts";
import { CallsControl } from "../control/callsControl.ts";
import { MockClock } from "../control/clockControl.ts";
import { ConnectControl } from "../control/connectControl.ts";
import { ConnectionControl } from "../control/connectionControl.ts";
import { EventEndpointControl, EventsControl } from "../control/eventsControl.ts";
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

interface Parity {
  readonly control: { readonly prototype: object };
  /** The path of the control. Each method is a command below it that has its name in kebab-case, except these. */
  readonly path: string;
  readonly except: Readonly<Record<string, string>>;
}

const PARITY: readonly Parity[] = [
  {
    control: ConsumerMock,
    path: "",
    except: {
      answer: IN_PROCESS,
      handlers: IN_PROCESS,
      connect: "GET connect/:id",
      connectAttempts: "GET connect",
      identity: "GET identity/:id",
      job: "GET jobs/:id",
      jobs: "GET jobs",
      connection: "GET connections/:id",
      connections: "GET connections",
      account: "GET accounts/:provider/:name",
      registration: "GET registrations/:provider",
      createApplication: "POST applications",
      applicationById: "GET applications/:id",
      lieAboutIdentity: "POST issuer/lies",
      load: "POST scenarios/:name",
      snapshot: "GET snapshot",
    },
  },
  { control: ConnectControl, path: "connect/:id/", except: {} },
  { control: IdentityControl, path: "identity/:id/", except: {} },
  { control: JobControl, path: "jobs/:id/", except: {} },
  {
    control: ConnectionControl,
    path: "connections/:id/",
    except: { publish: "POST connections/:id/posts", observe: "POST connections/:id/posts/:post/observe" },
  },
  {
    control: AccountControl,
    path: "accounts/:provider/:name/",
    except: {
      posts: "GET accounts/:provider/:name/posts",
      publish: "POST accounts/:provider/:name/posts",
      change: "POST accounts/:provider/:name/posts/:post",
    },
  },
  {
    control: EventsControl,
    path: "events/",
    except: {
      sendTo: "POST events/endpoints",
      endpoints: "GET events/endpoints",
      endpoint: "GET events/endpoints/:id",
      list: "GET events",
      sent: "GET events/sent",
      clear: "DELETE events/sent",
    },
  },
  { control: EventEndpointControl, path: "events/endpoints/:id/", except: { remove: "DELETE events/endpoints/:id" } },
  { control: MockClock, path: "clock/", except: { now: IN_PROCESS, sleep: IN_PROCESS, date: "GET clock" } },
  {
    control: FaultsControl,
    path: "faults/",
    except: {
      next: "POST faults",
      times: "POST faults",
      always: "POST faults",
      chance: "POST faults",
      list: "GET faults",
      remove: "DELETE faults/:id",
      clear: "DELETE faults",
    },
  },
  {
    control: ProviderFaultsControl,
    path: "provider-faults/",
    except: {
      add: "POST provider-faults",
      list: "GET provider-faults",
      remove: "DELETE provider-faults/:id",
      clear: "DELETE provider-faults",
    },
  },
  {
    control: CallsControl,
    path: "calls/",
    except: {
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
  },
  {
    control: RegistrationControl,
    path: "registrations/:provider/",
    except: {
      scopesOf: "GET registrations/:provider/scopes/:capability",
      setScopes: "POST registrations/:provider/scopes/:capability",
      setCapabilities: "POST registrations/:provider/capabilities",
    },
  },
  {
    control: ApplicationControl,
    path: "applications/:id/",
    except: {
      setPolicy: "POST applications/:id/policy",
      setPreviews: "POST applications/:id/previews",
      addReturnUrl: "POST applications/:id/return-urls",
      issueKey: "POST applications/:id/keys",
      revokeKey: "POST applications/:id/keys/:key/revoke",
      remove: "DELETE applications/:id",
    },
  },
  {
    control: AdminMock,
    path: "admin/",
    except: {
      mintKey: "POST admin/keys",
      revokeKey: "POST admin/keys/:key/revoke",
      addMember: "POST admin/members",
      removeMember: "DELETE admin/members/:email",
      audit: "GET admin/audit",
    },
  },
];
/** Properties of the mock, and constants in a program. */
const READS = ["GET application", "GET admin", "GET scenarios", "GET accounts/:provider"];
/** What a program has controls for, as documents of the panel's operations. */
const DOCUMENTS = ["POST admin/panel"];

test("the control API over HTTP has the same features as the mock", () => {
  const needed = PARITY.flatMap(({ control, path, except }) => {
    const methods = Object.entries(Object.getOwnPropertyDescriptors(control.prototype)).flatMap(([name, { value }]) =>
      typeof value === "function" && name !== "constructor" ? [name] : [],
    );
    expect(Object.keys(except).filter((name) => !methods.includes(name))).toEqual([]);
    const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return methods.map((name) => except[name] ?? `POST ${path}${kebab(name)}`);
  });
  const named = new Set([...needed, ...READS, ...DOCUMENTS]);
  named.delete(IN_PROCESS);
  const commands = COMMANDS.map(({ method, parts }) => `${method} ${parts.join("/")}`);
  expect([...named].sort()).toEqual([...commands].sort());
});
