import { documentsOf } from "../codegen/src/documents.ts";
import { adminSchemaForClients, apiKeyApi } from "../codegen/src/schemas.ts";
import { requestsOf } from "../sdk-core/codegen.ts";

export default requestsOf({
  schema: adminSchemaForClients(),
  documents: documentsOf(apiKeyApi()),
  scalars: { ID: "string", DateTime: "string" },
});
