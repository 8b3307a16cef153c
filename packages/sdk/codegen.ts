import { requestsOf } from "../sdk-core/codegen.ts";

export default requestsOf({
  packageName: "@social-connect/sdk",
  schema: "../contract/consumer.graphql",
  scalars: { ID: "string", DateTime: "string", DecimalCount: "string" },
});
