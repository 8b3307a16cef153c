import { defineConfig } from "tsup";
import { sdkBundle } from "../sdk-core/bundle/tsupOptions.ts";

/** Two builds: the declarations of OpenTelemetry refer to those of the client, instead of sharing a third file with them. */
export default defineConfig([
  sdkBundle({ index: "src/index.ts" }),
  { ...sdkBundle({ opentelemetry: "src/opentelemetry.ts" }), external: ["@social-connect/sdk"] },
]);
