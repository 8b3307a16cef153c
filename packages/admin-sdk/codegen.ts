import { nonNullRoots } from "../../tools/nonNullRoots.ts";
import { requestsOf } from "../sdk-core/codegen.ts";

export default requestsOf({
  packageName: "@social-connect/admin-sdk",
  schema: nonNullRoots("../contract/admin.graphql"),
  scalars: { ID: "string", DateTime: "string" },
});
