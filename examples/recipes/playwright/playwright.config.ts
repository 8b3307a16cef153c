// #region playwright-config
import { defineConfig } from "@playwright/test";
import { createConsumerMock } from "@social-connect/mocks";

const { PORT = "8000", MOCK_PORT = "4010" } = process.env;
export const application = `http://127.0.0.1:${PORT}`;
export const service = `http://127.0.0.1:${MOCK_PORT}`;
// The key is derived from the seed, so the application can get it before the mock runs.
const { key, seed } = createConsumerMock({ seed: "playwright" });
// #endregion playwright-config

// Another command and another browser than one would install: this workspace has its own.
const mocks = process.env["SOCIAL_CONNECT_MOCKS"] ?? "npx --yes @social-connect/mocks";
const launchOptions = JSON.parse(process.env["BROWSER"] ?? "{}");
const node = process.env["NODE_COMMAND"] ?? "node";

export default defineConfig({
  workers: 1,
  outputDir: "../node_modules/.cache/playwright",
  // These end what hangs; the machine may have much else to do.
  timeout: 100_000,
  expect: { timeout: 60_000 },
  // #region playwright-servers
  use: { baseURL: application, launchOptions },
  webServer: [
    {
      command: `${mocks} serve --seed ${seed} --port ${MOCK_PORT} --origin ${application} --return-url ${application}/connected`,
      url: `${service}/__mock/clock`,
    },
    {
      command: `${node} ../src/app/main.ts`,
      url: application,
      env: { PORT, SOCIAL_CONNECT_URL: service, SOCIAL_CONNECT_KEY: key },
    },
  ],
  // #endregion playwright-servers
});
