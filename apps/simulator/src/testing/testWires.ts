import { testWire as providerA } from "../providers/provider-a/testWire.ts";
import { testWire as providerB } from "../providers/provider-b/testWire.ts";
import { testWire as providerC } from "../providers/provider-c/testWire.ts";
import type { ByProvider } from "../shared/providerKeys.ts";
import type { TestWire } from "./testWire.ts";

export const TEST_WIRES: ByProvider<TestWire> = {
  "provider-a": providerA,
  "provider-b": providerB,
  "provider-c": providerC,
};
