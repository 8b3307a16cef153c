import { test as base, expect } from "vitest";
import { startPanel } from "./testPanel.ts";

/**
 * A test with a panel that the tests of a file share, and a new browser of an admin. Each test starts without the data
 * of earlier ones, and fails if its browser reports an error that it does not expect.
 */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: vitest finds out from the pattern which fixtures it needs
  .extend("panel", { scope: "file" }, async ({}, { onCleanup }) => {
    const panel = await startPanel();
    onCleanup(() => panel.close());
    return panel;
  })
  .extend("user", async ({ panel }, { onCleanup }) => {
    await panel.clear();
    const user = await panel.user();
    onCleanup(async () => {
      await user.close();
      if (!user.expectsErrors) expect(user.browserErrors).toEqual([]);
    });
    return user;
  })
  .extend("page", ({ user }) => user.page)
  /** The session of an admin, which saves the time of a sign-in. */
  .extend("session", { scope: "file" }, async ({ panel }) => {
    const user = await panel.user();
    await user.signIn();
    const cookies = await user.page.context().cookies();
    await user.close();
    return { cookies };
  })
  .extend("admin", async ({ panel, user, session }, { onCleanup }) => {
    // The session may confirm actions, however long earlier tests took.
    const authenticatedAt = await panel.service.clock.now();
    await panel.service.prisma.adminSession.updateMany({ data: { authenticatedAt } });
    await user.page.context().addCookies(session.cookies);
    onCleanup(async () => {
      session.cookies = await user.page.context().cookies();
    });
    return user;
  });
