import { fileURLToPath } from "node:url";

/** @type {import("jest").Config} */
export default {
  rootDir: fileURLToPath(new URL(".", import.meta.url)),
  extensionsToTreatAsEsm: [".ts"],
  // An application has its own: @swc/jest, ts-jest, babel-jest.
  transform: { "\\.ts$": "<rootDir>/stripTypes.mjs" },
  // In this workspace packages are read from their source. With the installed packages, neither of these is needed.
  testEnvironmentOptions: { customExportConditions: ["@social-connect/source", "node", "node-addons"] },
  cacheDirectory: fileURLToPath(new URL("../node_modules/.cache/jest/", import.meta.url)),
  watchman: false,
};
