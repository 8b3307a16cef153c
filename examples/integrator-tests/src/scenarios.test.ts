import { SCENARIOS, type ScenarioName } from "@social-connect/mocks";
import { expect, test } from "vitest";
import { accountLines } from "./accountsPage.ts";
import { place } from "./testing/place.ts";

const { mock, social } = place();

// #region test-scenarios
const names = Object.keys(SCENARIOS) as ScenarioName[];

test.each(names.filter((name) => SCENARIOS[name].seenBy.includes("connections")))(
  "the accounts page shows every account of %s",
  async (name) => {
    await mock.load(name);
    const lines = await accountLines(social.forSubject(mock.scope));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/^[^:]+: [a-z ,]+$/);
  },
);
// #endregion test-scenarios
