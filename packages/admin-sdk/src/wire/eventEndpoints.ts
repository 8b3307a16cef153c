import { boolean, type CallOptions, list, object, string } from "@social-connect/sdk-core";
import type { OperationName } from "../_generated/operations.ts";
import { sendOwn } from "./call.ts";
import { repeatRule } from "./retryRules.ts";
import type { Settings } from "./settings.ts";

/** An event endpoint of a client, as the service returns it. */
export interface EventEndpoint {
  readonly url: string;
  /** Empty: all types. */
  readonly types: readonly string[];
  readonly enabled: boolean;
  /** What its secret is compared by. */
  readonly secretFingerprint: string;
}

export interface EventEndpointInput {
  readonly url: string;
  readonly types: readonly string[];
  /** Absent: the endpoint keeps its secret. */
  readonly secret?: string | undefined;
}

const isAnswer = object({
  eventEndpoints: list(object({ url: string, types: list(string), enabled: boolean, secretFingerprint: string })),
});

/** Reads the event endpoints of a client; with a list, makes them those of the list. They have a path beside the schema. */
export async function callEventEndpoints(
  settings: Settings,
  client: string,
  endpoints: readonly EventEndpointInput[] | undefined,
  options?: CallOptions,
): Promise<readonly EventEndpoint[]> {
  const name = endpoints === undefined ? "eventEndpoints" : "setEventEndpoints";
  const request = {
    // The types of hooks have the operations of the schema.
    operation: name as OperationName,
    mayRepeat: repeatRule(endpoints === undefined ? "adminClient" : "setClientPolicy"),
    document: name,
    variables: { client, ...(endpoints && { endpoints }) },
    serialize: ({ variables }: { readonly variables: object }) => JSON.stringify(variables),
    isValid: isAnswer,
  };
  const { data } = await sendOwn({ ...settings, send: settings.sendEventEndpoints }, request, options);
  return data["eventEndpoints"] as readonly EventEndpoint[];
}
