export * from "./accountScript.ts";
export * from "./generatePosts.ts";
export * from "./issuerFaults.ts";
export * from "./providerFixtures.ts";
export * from "./scopes.ts";
export * from "./scripts.ts";
export * from "./specialTexts.ts";
export * from "./users.ts";
