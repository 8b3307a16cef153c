#!/usr/bin/env node
import { oldNodeProblem } from "@social-connect/sdk-core/oldNode";

// Before anything else is loaded: an old Node fails to parse or to load the rest, with a message that explains nothing.
const problem = oldNodeProblem(process.versions.node, 22);
if (problem === null) {
  import("./run.ts");
} else {
  console.error(`create-social-connect: ${problem}`);
  process.exit(1);
}
