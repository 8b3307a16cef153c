import { defineConfig } from "tsup";
import { sdkBundle } from "../sdk-core/bundle/tsupOptions.ts";

export default defineConfig(
  sdkBundle({ index: "src/index.ts", browser: "src/_generated/browser.ts", opentelemetry: "src/opentelemetry.ts" }),
);
