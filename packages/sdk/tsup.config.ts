import { defineConfig } from "tsup";
import { sdkBundle } from "../sdk-core/bundle/tsupOptions.ts";

const INDEX = { index: "src/index.ts" };
const library = sdkBundle(INDEX);
const events = sdkBundle({ events: "src/events.ts" });

/** The declarations of OpenTelemetry have their own build, because they refer to those of the client. */
export default defineConfig([
  {
    ...library,
    // Separate files, so that an application that imports only an error class does not bundle the client.
    entry: { ...INDEX, client: "src/client.ts", errorClasses: "src/errorClasses.ts" },
    format: ["esm"],
    dts: { ...library.dts, entry: INDEX },
    splitting: true,
  },
  { ...library, format: ["cjs"] },
  // The types of events are the contract's, which is no dependency.
  { ...events, dts: { ...events.dts, resolve: [...events.dts.resolve, "@social-connect/contract"] } },
  { ...sdkBundle({ opentelemetry: "src/opentelemetry.ts" }), external: ["@social-connect/sdk"] },
]);
