#!/usr/bin/env node
import { nodeVersionProblem } from "./src/config/nodeVersion.ts";

// Before anything else is loaded: an old Node fails to parse or to load the rest, with a message that explains nothing.
const problem = nodeVersionProblem(process.versions.node);
if (problem === null) {
  import("./src/cli/run.ts");
} else {
  console.error(
    `social-connect: ${problem}. Install one from https://nodejs.org, or select it with your version manager.`,
  );
  process.exit(1);
}
