import { afterEach, expect, test, vi } from "vitest";
import { engineName, missingFor } from "./findEngine.ts";

// The next file of this process starts programs.
afterEach(() => void vi.unstubAllEnvs());

test("names the packages of an engine that is not installed", async () => {
  vi.stubEnv("PATH", "/nowhere");
  expect(await missingFor("webkit")).toBe("Install WebKitGTK's driver and Xvfb (Debian: webkit2gtk-driver xvfb).");
});

test("journeys run in Chromium unless BROWSER_ENGINE names another engine", () => {
  expect(engineName()).toBe("chromium");
  vi.stubEnv("BROWSER_ENGINE", "webkit");
  expect(engineName()).toBe("webkit");
});
