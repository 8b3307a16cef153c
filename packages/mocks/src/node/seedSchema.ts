import { ADMIN_ERROR_CODES, CAPABILITIES, ERROR_CODES, METRIC_NAMES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import { SELECTABLE_EVENT_TYPES } from "@social-connect/domain";
import type { NewPost } from "../control/accountControl.ts";
import type { EventEndpointData } from "../control/eventsControl.ts";
import type { FaultData, FaultOptions } from "../control/faultsControl.ts";
import type { ProviderFaultData } from "../control/providerFaultsControl.ts";
import { ADMIN_OPERATIONS, OPERATIONS } from "../graphql/documents.ts";
import {
  SEED_STATUSES,
  type SeedAccount,
  type SeedConnection,
  type SeedPost,
  type SeedRegistration,
} from "../seed/seedData.ts";
import { CALL_FAILURES, PROVIDER_CALLS } from "../state/providerCall.ts";
import { ANY_OPERATION, MALFORMED_KINDS } from "../state/serviceFaults.ts";
import type { ApplicationOptions } from "../world/initialState.ts";
import type { SeedFile } from "./seedFile.ts";

type Schema = Readonly<Record<string, unknown>>;

const text = (description: string): Schema => ({ type: "string", description });
const flag = (description: string): Schema => ({ type: "boolean", description });
const choice = (values: readonly unknown[], description: string): Schema => ({ enum: values, description });
const count = (minimum: number, description: string): Schema => ({ type: "integer", minimum, description });
const list = (items: Schema, description: string): Schema => ({ type: "array", items, description });
const duration = (description: string): Schema => ({ type: ["string", "number"], description });
const textOrNull = (description: string): Schema => ({ type: ["string", "null"], description });

/** An object with a property for each field of the type. */
function object<Fields>(
  description: string,
  properties: Record<keyof Fields, Schema>,
  required: (keyof Fields)[] = [],
): Schema {
  return { type: "object", description, properties, required, additionalProperties: false };
}

const PROVIDER = choice(SOCIAL_PROVIDERS, "The provider.");
const capabilities = (description: string) => list(choice(CAPABILITIES, "A capability."), description);

const APPLICATION = object<ApplicationOptions>("The default application.", {
  slug: text("Its short name; app by default."),
  tenantKeys: list(text("A tenant."), "Its tenants; acme and globex by default."),
  webOrigins: list(text("An origin, such as http://localhost:3000."), "Origins of its pages."),
  returnUrls: list(text("A URL on one of the origins."), "Return URLs of Connect."),
  identityReturnUrls: list(text("A URL on one of the origins."), "Return URLs of the identity handoff."),
  providers: list(PROVIDER, "The providers at which it may connect; all by default."),
  capabilities: capabilities("The capabilities that it may request; all by default."),
  idpIdentityEnabled: flag("Whether it may start the identity handoff; true by default."),
  testers: {
    description: "Accounts that may connect in sandbox mode; everyone by default.",
    anyOf: [
      { const: "everyone" },
      list(
        object<{ provider: unknown; providerAccountId: unknown }>(
          "An account.",
          { provider: PROVIDER, providerAccountId: text("The provider's id of the account.") },
          ["provider", "providerAccountId"],
        ),
        "Accounts.",
      ),
    ],
  },
});

const POST = object<SeedPost & NewPost>("A post.", {
  title: textOrNull("Its title; null for none."),
  description: textOrNull("Its description or caption; the title by default."),
  publishedAt: {
    type: ["string", "number"],
    description: "When it was published; when the accounts were linked by default.",
  },
  form: text("One of the provider's forms among video, short, live, image, carousel, reel, photo."),
  metrics: {
    type: "object",
    description: "Counts as strings; null for a count that the owner hides.",
    propertyNames: { enum: METRIC_NAMES },
    additionalProperties: { type: ["string", "null"], pattern: "^(?:0|[1-9][0-9]*)$" },
  },
  visibility: choice(
    ["public", "unlisted", "private", "deleted"],
    "Who may see it at the provider; public by default.",
  ),
});

const ACCOUNT = object<SeedAccount>(
  "An account at a provider.",
  {
    provider: PROVIDER,
    name: text("Its name at consent."),
    posts: list(POST, "Its posts, in the order of publication."),
  },
  ["provider", "name"],
);

const CONNECTION = object<SeedConnection>(
  "A linked account.",
  {
    provider: PROVIDER,
    account: text("Its name at consent; channel-1 by default."),
    tenantKey: text("A tenant of the application; its first one by default."),
    externalSubjectId: text("The user of the application; user-1 by default."),
    capabilities: capabilities("The granted capabilities; all of the application by default."),
    status: choice(SEED_STATUSES, "CONNECTED by default."),
    read: flag("False leaves the first reads queued; true by default."),
  },
  ["provider"],
);

const REGISTRATION = object<SeedRegistration>(
  "The service's registration at a provider.",
  {
    provider: PROVIDER,
    status: choice(["PUBLISHED", "PAUSED", "DISABLED"], "PUBLISHED by default."),
    capabilities: capabilities("The capabilities that it serves; all by default."),
  },
  ["provider"],
);

const EFFECT = object<FaultOptions>("One of code, status, drop and malformed, a delay, or a delay with one of them.", {
  code: choice([...new Set([...ERROR_CODES, ...ADMIN_ERROR_CODES])], "The operation fails with this code."),
  retryAfterSeconds: count(0, "With code: seconds until a retry."),
  status: { type: "integer", minimum: 200, maximum: 599, description: "HTTP status of a proxy." },
  delay: duration("Delays the response, such as 20s."),
  drop: choice(["before", "after"], "Closes the connection before or after the operation runs."),
  malformed: choice([...MALFORMED_KINDS, true], "The operation runs, and its response is malformed."),
});

const FAULT = object<FaultData>(
  "A fault of requests.",
  {
    operation: choice([ANY_OPERATION, ...OPERATIONS, ...ADMIN_OPERATIONS], "An operation of either API, or * for all."),
    fault: EFFECT,
    times: count(1, "For so many requests only."),
    probability: { type: "number", minimum: 0, maximum: 1, description: "For each request with this probability." },
  },
  ["operation", "fault"],
);

const PROVIDER_FAULT = object<ProviderFaultData>(
  "A fault of calls at a provider: one of failure, status and delay.",
  {
    provider: PROVIDER,
    call: choice(["any", ...PROVIDER_CALLS], "The call that fails."),
    failure: choice(CALL_FAILURES, "The failure."),
    status: { type: "integer", minimum: 400, maximum: 599, description: "Or: the provider's HTTP status." },
    retryAfterSeconds: count(0, "With either: the provider's Retry-After."),
    delay: duration("Or: a delay of a successful call, such as 2s."),
    account: text("Only for this account."),
    times: count(1, "Number of uses."),
  },
  ["provider", "call"],
);

const EVENT_ENDPOINT = object<EventEndpointData>("Where the application's events go.", {
  url: text("A URL on this machine. Without one, the mock itself accepts the events."),
  types: list(choice(SELECTABLE_EVENT_TYPES, "A type of event."), "The types that it receives; all by default."),
});

/** The JSON schema of seed files. A test keeps `seed.schema.json` equal to it. */
export const SEED_SCHEMA: Schema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Seed file of @social-connect/mocks",
  ...object<SeedFile>("Options of a mock, and the data that it starts with.", {
    $schema: text("The URL or the path of this schema, for editors."),
    seed: { type: ["string", "number"], description: "Seed of ids, tokens, posts and metrics; 1 by default." },
    now: {
      type: ["string", "number"],
      description: "The start of the clock, such as 2026-03-01T09:00:00Z, or system.",
    },
    clock: choice(["manual", "running"], "With now: whether the clock runs on from this time."),
    advancePerRequest: duration("Advances a manual clock with each request, such as 200ms."),
    jitter: {
      type: "number",
      minimum: 0,
      exclusiveMaximum: 1,
      description: "Fixed jitter of retries and background reads.",
    },
    mode: choice(["sandbox", "live"], "In sandbox, the default, only testers can connect."),
    strict: flag("Disables behavior that the contract does not specify."),
    previewOriginTemplate: textOrNull("The template of preview origins, such as https://{label}.preview.example.app."),
    application: APPLICATION,
    accounts: list(ACCOUNT, "Posts of accounts, whether or not an account is linked."),
    connections: list(CONNECTION, "Linked accounts."),
    registrations: list(REGISTRATION, "Registrations that are not published, or do not serve every capability."),
    faults: list(FAULT, "Faults of requests."),
    providerFaults: list(PROVIDER_FAULT, "Faults of calls at providers."),
    eventEndpoints: list(EVENT_ENDPOINT, "Event endpoints of the default application."),
  }),
};
