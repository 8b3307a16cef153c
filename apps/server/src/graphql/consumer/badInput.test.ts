import { type ConsumerOperationName, ERROR_CODES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import { SWEEPS_ALL } from "@social-connect/testkit";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { query, server, useServer } from "../../http/testing/testServer.ts";
import { application, connect } from "../../modules/testing/fixtures.ts";
import { documentOf } from "../testing/documentOf.ts";
import { consumerSchema } from "./schema.ts";

useServer();

let connectionId: string;

beforeAll(async () => {
  connectionId = (await connect()).id;
});

/** Strings of any length in any UTF-16, including lone surrogates and NUL. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.constantFrom(
    "",
    "\0",
    "a\0b",
    "\ud800",
    "\udfff",
    "x".repeat(128),
    "x".repeat(129),
    "😀".repeat(128),
    "😀".repeat(129),
    "'; --",
    "\\",
    "%00",
  ),
);
const date = fc.oneof(
  fc
    .date({ noInvalidDate: true, min: new Date(-62_135_596_800_000), max: new Date(253_402_300_799_999) })
    .map((value) => value.toISOString()),
  fc.constantFrom(
    "2026-02-30T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999Z",
    "+275760-09-13T00:00:00Z",
    "2026-01-01",
    "now",
    "",
  ),
);
const whole = fc.oneof(
  fc.integer({ min: -2, max: 102 }),
  fc.constantFrom(2_147_483_647, -2_147_483_648, 2_147_483_648, 1e21, 0.5),
);
const junk = fc.oneof(fc.constant(null), fc.boolean(), fc.double(), fc.jsonValue());
const or = <T>(usual: fc.Arbitrary<T>) => fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: junk });

const goodScope = () => fc.constant(application.scope);
const scope = () => or(fc.oneof(goodScope(), fc.record({ tenantKey: or(text), externalSubjectId: or(text) })));
const id = () => or(fc.oneof(fc.constantFrom(connectionId), fc.uuid(), text, fc.integer()));
const capability = fc.constantFrom("PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS", "OTHER");
const connectInput = () =>
  or(
    fc.record({
      scope: scope(),
      provider: fc.constantFrom(...SOCIAL_PROVIDERS, "PROVIDER_Z"),
      capabilities: or(fc.array(capability, { maxLength: 5 })),
      returnUrl: or(text),
      reconnectConnectionId: id(),
    }),
  );
const syncWindow = or(fc.record({ publishedAfter: or(date), publishedBefore: or(date), maxItems: or(whole) }));
const contentWindow = or(
  fc.record({ publishedAfter: or(date), publishedBefore: or(date), first: or(whole), after: or(fc.option(text)) }),
);

const onConnection = () => ({ scope: scope(), connectionId: id() });
/** The variables of every operation that has arguments. */
const VARIABLES: Readonly<
  Record<Exclude<ConsumerOperationName, "status" | "integrationReadiness">, () => Record<string, fc.Arbitrary<unknown>>>
> = {
  connectSessionResult: () => ({ scope: scope(), id: id() }),
  connection: () => ({ scope: scope(), id: id() }),
  connections: () => ({ scope: scope(), first: or(whole), after: or(fc.option(text)) }),
  content: () => ({ ...onConnection(), window: contentWindow }),
  contentItem: () => ({ ...onConnection(), providerContentId: or(text) }),
  syncJob: () => ({ ...onConnection(), id: id() }),
  createConnectSession: () => ({ input: connectInput() }),
  disconnectConnection: () => ({
    scope: or(fc.record({ tenantKey: or(text), externalSubjectId: or(text) })),
    connectionId: id(),
  }),
  requestRefresh: () => ({
    ...onConnection(),
    providerContentId: or(fc.option(text)),
    window: syncWindow,
    continuationCursor: or(fc.option(text)),
  }),
  requestContentLookup: () => ({
    ...onConnection(),
    url: or(fc.oneof(text, fc.webUrl({ validSchemes: ["https", "http", "file"], withFragments: true }))),
  }),
  createIdpIdentitySession: () => ({ input: or(fc.record({ tenantKey: or(text), returnUrl: or(text) })) }),
  redeemIdpIdentityResult: () => ({ id: id(), tenantKey: or(text), resultProof: or(text) }),
};

test.each(Object.entries(VARIABLES))(
  "%s responds to any input with a code of the contract and without an internal error",
  async (name, variablesOf) => {
    const document = documentOf(consumerSchema, name);
    await fc.assert(
      fc.asyncProperty(fc.record(variablesOf()), async (variables) => {
        const { status, errors } = await query(server, application.key, document, variables);
        expect([200, 400]).toContain(status);
        for (const { message, extensions } of errors) {
          expect(ERROR_CODES).toContain(extensions["code"]);
          expect({ code: extensions["code"], variables }).not.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
          expect(message).not.toMatch(/prisma|postgres|\bat .*:\d+/i);
        }
      }),
      { numRuns: SWEEPS_ALL ? 120 : 30 },
    );
  },
);
