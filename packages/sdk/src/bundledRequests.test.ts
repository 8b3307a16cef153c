/** The bundle replaces graphql-request's client: both send the same bodies and return the same data. */
import { GraphQLClient } from "graphql-request";
import { describe, expect, it } from "vitest";
import { GraphQLClient as BundledClient } from "../../sdk-core/bundle/graphqlRequest.ts";
import { getSdk } from "./_generated/requests.ts";

const NAMES = Object.keys(getSdk(new GraphQLClient("https://a.example"))) as (keyof ReturnType<typeof getSdk>)[];

async function sentBy(Client: typeof GraphQLClient, name: (typeof NAMES)[number]) {
  const bodies: unknown[] = [];
  const client = new Client("https://a.example/graphql", {
    excludeOperationName: true,
    jsonSerializer: { stringify: JSON.stringify, parse: () => ({ data: { [name]: 1 } }) },
    fetch: async (url, init) => {
      bodies.push([String(url), JSON.parse(String(init?.body))]);
      const headers = new Headers({ "content-type": "application/json" });
      return { status: 200, ok: true, headers, text: async () => "" } as Response;
    },
  });
  const variables = { scope: { tenantKey: "t" }, list: [1, null], missing: undefined };
  const data: unknown = await Reflect.apply(getSdk(client)[name], null, [variables]);
  return { bodies, data };
}

describe.each(NAMES)("%s", (name) => {
  it("is the same with both clients", async () => {
    const own = await sentBy(BundledClient as unknown as typeof GraphQLClient, name);
    expect(own).toEqual(await sentBy(GraphQLClient, name));
    expect(own.bodies).toHaveLength(1);
  });
});
