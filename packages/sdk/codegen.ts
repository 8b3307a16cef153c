import { documentsOf } from "../codegen/src/documents.ts";
import { consumerApi, schemaText } from "../codegen/src/schemas.ts";
import { requestsOf } from "../sdk-core/codegen.ts";

export default requestsOf({
  schema: schemaText("consumer"),
  documents: documentsOf(consumerApi()),
  scalars: { ID: "string", DateTime: "string", DecimalCount: "string" },
});
