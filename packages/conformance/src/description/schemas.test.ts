import * as contract from "@social-connect/contract";
import { isEnumType, isIntrospectionType, lexicographicSortSchema, parse, printSchema } from "graphql";
import { describe, expect, test } from "vitest";
import { ADMIN_SCHEMA, CONSUMER_SCHEMA } from "../wire/apis.ts";
import { ADMIN_SCHEMA_TEXT, CONSUMER_SCHEMA_TEXT } from "../wire/schemaTexts.ts";

describe.each([
  ["consumer", CONSUMER_SCHEMA_TEXT, CONSUMER_SCHEMA],
  ["admin", ADMIN_SCHEMA_TEXT, ADMIN_SCHEMA],
])("the published %s schema", (_, text, schema) => {
  test("declares no subscription or custom directive", () => {
    expect(schema.getSubscriptionType()).toBeUndefined();
    expect(parse(text).definitions.filter(({ kind }) => kind === "DirectiveDefinition")).toEqual([]);
  });

  test("is printed in sorted order, so that its history shows only changes", () => {
    expect(text.replace(/^#.*\n/gm, "").trim()).toBe(printSchema(lexicographicSortSchema(schema)).trim());
  });
});

test("the contract package's enumerations equal the published ones", () => {
  const listed: Readonly<Record<string, readonly string[]>> = {
    SocialProvider: contract.SOCIAL_PROVIDERS,
    Capability: contract.CAPABILITIES,
    Availability: contract.AVAILABILITIES,
    MetricName: contract.METRIC_NAMES,
    ContentKind: contract.CONTENT_KINDS,
    ConnectCreatorAction: contract.CONNECT_CREATOR_ACTIONS,
    ConnectSessionStatus: contract.CONNECT_SESSION_STATUSES,
    ConnectionStatus: contract.CONNECTION_STATUSES,
    SyncStatus: contract.SYNC_STATUSES,
    JobStatus: contract.JOB_STATUSES,
    IdpIdentityStatus: contract.IDP_IDENTITY_STATUSES,
  };
  const published = Object.values(CONSUMER_SCHEMA.getTypeMap())
    .filter((type) => !isIntrospectionType(type))
    .filter(isEnumType)
    .map((type) => [type.name, type.getValues().map(({ name }) => name)] as const);
  const sorted = (lists: readonly (readonly [string, readonly string[]])[]) =>
    Object.fromEntries(lists.map(([name, values]) => [name, values.toSorted()]));
  expect(sorted(Object.entries(listed))).toEqual(sorted(published));
});

test("the contract package's list of operations has exactly the published queries and mutations", () => {
  const kinds = [
    ["query", CONSUMER_SCHEMA.getQueryType()],
    ["mutation", CONSUMER_SCHEMA.getMutationType()],
  ] as const;
  const published = kinds.flatMap(([kind, type]) =>
    Object.keys(type?.getFields() ?? {}).map((name) => `${kind} ${name} ${kind === "query"}`),
  );
  const listed = Object.entries(contract.CONSUMER_OPERATIONS).map(
    ([name, { kind, repeat }]) => `${kind} ${name} ${repeat === "read"}`,
  );
  expect(listed.toSorted()).toEqual(published.toSorted());
});
