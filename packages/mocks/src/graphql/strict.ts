import type { SerializedError } from "@social-connect/transport";
import { type GraphQLSchema, isObjectType } from "graphql";
import { UNSPECIFIED } from "../assumptions/assumptions.ts";
import type { World } from "../world/world.ts";

type Rewrite = (value: unknown) => unknown;

const unspecified: Rewrite = (value) => (value == null ? null : UNSPECIFIED);
const unlessNamed =
  (...named: readonly unknown[]): Rewrite =>
  (value) =>
    named.includes(value) ? value : unspecified(value);

const FIELDS: Readonly<Record<string, Readonly<Record<string, Rewrite>>>> = {
  ApiStatus: { message: unspecified },
  ConnectSessionResult: { resultCode: unspecified, creatorAction: () => null },
  SyncJob: { errorCode: unspecified, incompleteReason: unspecified },
  PageInfo: { incompleteReason: unspecified },
  CapabilityState: {
    reason: unlessNamed("AUTHORIZATION_SUSPENDED", "RECONNECT_REQUIRED", "CAPABILITY_UNAVAILABLE", "FORBIDDEN"),
  },
  ContentItem: { reason: unlessNamed("EXPIRED") },
  MetricObservation: { reason: unspecified, sourceField: () => null },
};

interface InWorld {
  readonly world: World;
}

export function withStrictFields(schema: GraphQLSchema): GraphQLSchema {
  for (const [typeName, rewrites] of Object.entries(FIELDS)) {
    const type = schema.getType(typeName);
    for (const [name, rewrite] of Object.entries(rewrites)) {
      const field = isObjectType(type) ? type.getFields()[name] : undefined;
      if (field === undefined) throw new Error(`The schema has no field ${typeName}.${name}.`);
      field.resolve = (source: Readonly<Record<string, unknown>>, _args, { world }: InWorld) => {
        const value = source[name];
        return world.settings.strict ? rewrite(value) : value;
      };
    }
  }
  return schema;
}

export function strictError({ message: _, locations: __, extensions, ...rest }: SerializedError): SerializedError {
  const { reason, ...others } = extensions;
  const isSpecified = extensions.code !== "CONFLICT" && reason !== undefined;
  return { ...rest, message: UNSPECIFIED, extensions: { ...others, ...(isSpecified && { reason }) } };
}
