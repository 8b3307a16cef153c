/** @module-tag nightly */
import { expectAccessible } from "./testing/accessibility.ts";
import { test } from "./testing/journey.ts";

test("empty pages have no accessibility violations", async ({ user }) => {
  await user.signIn();
  for (const [path, text] of [
    ["", "Nothing needs your attention"],
    ["/registrations", "No registrations yet"],
    ["/api-keys", "No API keys yet"],
    ["/audit?action=Client+disabled", "No matching entries in the last 30 days"],
    ["/audit/nothing", "Entry not found"],
    ["/sdk-versions", "No calls yet"],
    ["/sdk-versions/clients?library=SDK&version=0.1.0", "No client calls with this version"],
    ["/health", "No connections yet"],
    ["/nowhere", "There is no page at this URL"],
  ] as const) {
    await user.open(path);
    await user.page.getByText(text).waitFor();
    await expectAccessible(user, path);
  }
});
