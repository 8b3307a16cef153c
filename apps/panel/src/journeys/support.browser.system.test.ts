/** @module-tag nightly */
import type { Page } from "@social-connect/testkit";
import { expect } from "vitest";
import { expectAccessible } from "./testing/accessibility.ts";
import { countClicks } from "./testing/clicks.ts";
import { test } from "./testing/journey.ts";
import { type Planted, plant } from "./testing/plant.ts";
import { type ConnectionOptions, createConnectAttempt, createConnection, createJob } from "./testing/server.ts";

const MINUTE = 60_000;
const MOST_CLICKS = 5;
const MOST_CLICKS_TO_FIND = 4;

type WaitReason = "PROVIDER_UNAVAILABLE" | "QUOTA";

async function wait({ service, connection }: Planted, waitReason: WaitReason): Promise<void> {
  const nextRetryAt = service.clock.fromNow(30 * MINUTE);
  await createJob(service, connection, { status: "QUEUED", finishedAt: null, nextRetryAt, waitReason });
}

/** Acts like a browser whose user returns to the tab. */
async function becomeVisible(page: Page): Promise<void> {
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))');
}

const CAUSES: readonly {
  readonly cause: string;
  readonly message: RegExp;
  readonly options?: ConnectionOptions;
  readonly more?: (planted: Planted) => Promise<unknown>;
}[] = [
  {
    cause: "Reconnect required",
    message: /^The platform has ended your permission.*Connect your account again\. Since .* UTC\.$/,
    options: { data: { status: "RECONNECT_REQUIRED" } },
    more: ({ service, connection }) =>
      service.prisma.grant.updateMany({ where: { connectionId: connection.id }, data: { status: "GONE" } }),
  },
  {
    cause: "The provider does not respond",
    message: /^The platform is not responding right now\. .* Next update: .* UTC\.$/,
    more: (planted) => wait(planted, "PROVIDER_UNAVAILABLE"),
  },
  {
    cause: "Our quota is used up",
    message: /^The application has used up its requests to the platform for now\. .* Next update: .* UTC\.$/,
    more: (planted) => wait(planted, "QUOTA"),
  },
  {
    cause: "The registration is paused",
    message: /^Access to this platform is paused\. Your account is still connected.* Since .* UTC\.$/,
    more: ({ service, registrations }) =>
      service.prisma.providerRegistration.update({
        where: { id: registrations.PROVIDER_A },
        data: { status: "PAUSED" },
      }),
  },
  {
    cause: "The client has no active key",
    message: /^The application cannot reach your account right now\. Your account is still connected/,
    more: ({ service, application }) =>
      service.prisma.applicationKey.updateMany({
        where: { applicationId: application.id },
        data: { revokedAt: service.clock.current },
      }),
  },
  {
    cause: "The user did not grant access to posts",
    message: /^You did not allow the application to see your posts\./,
    options: { capabilities: ["PROFILE"] },
  },
  {
    cause: "Another account’s disconnect is settling",
    message: /^Another account of yours on this platform was disconnected\..*You do not have to do anything\.$/,
    options: { data: { status: "SUSPENDED" } },
  },
];

test.for(CAUSES)(
  "“user 42 of acme says their posts do not update”: $cause",
  async (planned, { panel, admin: user, page }) => {
    const planted = await plant(panel, planned.options);
    await planned.more?.(planted);
    await user.open("");
    const clicks = await countClicks(page);

    await page.getByRole("link", { name: "Support" }).click();
    await page.getByRole("combobox", { name: "Client" }).fill("acme");
    await page.getByRole("combobox", { name: "User", exact: true }).fill("42");
    await page.getByRole("region", { name: "By user" }).getByRole("button", { name: "Search" }).click();
    await page.getByRole("rowheader").getByText("account …nt-1").waitFor();
    await page.getByRole("rowheader").getByRole("link", { name: "PROVIDER_A" }).click();
    await page.getByLabel("Reason").fill("ticket 42");
    await page.getByRole("button", { name: "Open connection" }).click();

    const cause = page.getByRole("region", { name: planned.cause });
    await cause.getByText(planned.message).waitFor();
    // A scan is only offered where it would succeed.
    const scans = await page.getByRole("button", { name: "Start a scan" }).count();
    expect(scans).toBe(planned.cause === "The client has no active key" ? 1 : 0);
    expect(await clicks()).toBeLessThanOrEqual(MOST_CLICKS);
    expect(await clicks()).toBeGreaterThan(0);
    const entries = await planted.service.prisma.auditEntry.findMany({ where: { action: "Connection viewed" } });
    expect(entries).toMatchObject([
      { actor: "admin@example.test", targetId: planted.connection.id, summary: expect.stringContaining("ticket 42") },
    ]);
    const text = await page.locator("main").textContent();
    expect(text).not.toMatch(/access-1|refresh-1/);
  },
);

test("a connection is opened after a confirmation, its job retried, and its account disconnected", async ({
  panel,
  admin: user,
  page,
}) => {
  const planted = await plant(panel);
  await wait(planted, "PROVIDER_UNAVAILABLE");
  const { id } = planted.connection;
  await user.open(`/support/connections/${id}`);
  await panel.advance(6 * MINUTE);
  await page.getByLabel("Reason").fill("ticket 7");
  await page.getByRole("button", { name: "Open connection" }).click();
  await user.confirmIdentity();
  await page.getByText("Your input was restored.").waitFor();
  await page.getByRole("button", { name: "Open connection" }).click();
  await page.getByRole("region", { name: "The provider does not respond" }).waitFor();

  await page.getByRole("button", { name: "Retry scan" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Retry now" }).click();
  await page.getByRole("region", { name: "A scan waits for a worker" }).waitFor();

  // A second scan would be refused.
  expect(await page.getByRole("button", { name: "Start a scan" }).count()).toBe(0);

  await page.getByRole("button", { name: "Disconnect for the user" }).click();
  await user.typeToConfirm("42", "Disconnect");
  await page.getByRole("region", { name: "The account was disconnected" }).waitFor();
  await page
    .getByRole("cell", { name: "Erase" })
    .or(page.getByRole("rowheader", { name: /^Erase/ }))
    .first()
    .waitFor();
  expect(await page.getByRole("button", { name: "Start a scan" }).count()).toBe(0);
  const actions = await planted.service.prisma.auditEntry.findMany({ where: { summary: { contains: "ticket 7" } } });
  expect(actions.map(({ action }) => action).toSorted()).toEqual([
    "Connection disconnected",
    "Connection viewed",
    "Job retried",
  ]);
});

test("the message for the user is shown in their language, beside the action for the cause", async ({
  panel,
  admin: user,
  page,
}) => {
  const planted = await plant(panel);
  await wait(planted, "PROVIDER_UNAVAILABLE");
  await user.open(`/support/connections/${planted.connection.id}`);
  await page.getByLabel("Reason").fill("ticket 7");
  await page.getByRole("button", { name: "Open connection" }).click();
  const cause = page.getByRole("region", { name: "The provider does not respond" });
  await cause.getByLabel("Message for the user").selectOption({ label: "German" });
  await cause.getByText(/^Die Plattform antwortet derzeit nicht\..* Nächste Aktualisierung: .* UTC\.$/).waitFor();
  await cause.getByLabel("Message for the user").selectOption({ label: "Japanese" });
  await cause.getByText(/^現在、プラットフォームが応答していません。/).waitFor();
  expect(await cause.getByRole("option").count()).toBe(7);
  await page.getByRole("group", { name: "Actions" }).getByRole("button", { name: "Retry now" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Retry now" }).click();
  await page.getByRole("region", { name: "A scan waits for a worker" }).waitFor();
  // Words, and no column that is empty in most rows.
  const timeline = page.getByRole("region", { name: "Timeline" });
  expect(await timeline.getByRole("columnheader").allTextContents()).toEqual(["Event", "Status", "Details", "Actions"]);
  expect(await timeline.textContent()).not.toMatch(/–|[A-Z]+_[A-Z]+/);
});

test("an error of a search is not shown above the results of an earlier one", async ({ panel, admin: user, page }) => {
  await plant(panel);
  await user.open("/support");
  const search = async (client: string, subject: string) => {
    await page.getByRole("combobox", { name: "Client" }).fill(client);
    await page.getByRole("combobox", { name: "User", exact: true }).fill(subject);
    await page.getByRole("button", { name: "Search" }).click();
  };
  // The field with a mistake receives the focus: before, what is typed into another would go there.
  const focused = (name: string) =>
    page.getByRole("combobox", { name, exact: true }).and(page.locator(":focus")).waitFor();
  await search("acme", "42");
  await page.getByRole("rowheader").getByRole("link", { name: "PROVIDER_A" }).waitFor();
  await user.loaded();
  // The searches begin at the same height, and the results below them at a distance.
  const boxOf = (name: string) => page.getByRole("region", { name, exact: true }).boundingBox();
  const [byUser, byId, results] = [await boxOf("By user"), await boxOf("By id"), await boxOf("Connections")];
  expect(byId).toMatchObject({ y: byUser?.y, height: byUser?.height });
  expect((results?.y ?? 0) - (byUser?.y ?? 0) - (byUser?.height ?? 0)).toBe(18);
  await search("acme", "x".repeat(300));
  await page.getByText("The search string must have at most 256 characters.").waitFor();
  await focused("User");
  expect(await page.getByRole("region", { name: "Connections" }).count()).toBe(0);
  await search("unknown", "42");
  await page.getByText("No client has this slug.").waitFor();
  await focused("Client");
  expect(await page.getByRole("region", { name: "Connections" }).count()).toBe(0);
  await search("acme", "43");
  await page.getByText("This user has no connection").waitFor();
});

test("shows the results of a search in the window of a phone", async ({ panel, admin: user, page }) => {
  await plant(panel);
  await page.setViewportSize({ width: 390, height: 844 });
  await user.open("/support");
  await page.getByRole("combobox", { name: "Client" }).fill("acme");
  await page.getByRole("combobox", { name: "User", exact: true }).fill("42");
  await page.getByRole("button", { name: "Search" }).click();
  const results = page.getByRole("region", { name: "Connections", exact: true });
  await results.waitFor();
  await expect.poll(async () => (await results.boundingBox())?.y).toBeLessThan(844 / 2);
  // Below the header.
  expect((await results.boundingBox())?.y).toBeGreaterThanOrEqual(60);
});

test("states that a connection was disconnected since it was opened", async ({ panel, admin: user, page }) => {
  const { service, connection } = await plant(panel);
  await user.open(`/support/connections/${connection.id}`);
  await page.getByLabel("Reason").fill(` ${"r".repeat(201)}`);
  await page.getByRole("button", { name: "Open connection" }).click();
  await page.getByText("The reason must have at most 200 characters. It has 201.").waitFor();
  await page.getByLabel("Reason").fill("r".repeat(200));
  await page.getByRole("button", { name: "Open connection" }).click();
  await page.getByRole("button", { name: "Start a scan" }).click();
  await service.prisma.connection.updateMany({ where: { id: connection.id }, data: { status: "DISCONNECTED" } });
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Start the scan" }).click();
  await dialog.getByText("The connection is disconnected.", { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  // The failed action has read the connection again.
  await page.getByRole("region", { name: "The account was disconnected" }).waitFor();
  await page.getByRole("group", { name: "Actions" }).waitFor({ state: "detached" });

  await service.prisma.connection.updateMany({ where: { id: connection.id }, data: { status: "CONNECTED" } });
  await becomeVisible(page);
  await page.getByRole("button", { name: "Disconnect for the user" }).click();
  await service.prisma.connection.updateMany({ where: { id: connection.id }, data: { status: "DISCONNECTED" } });
  await user.typeToConfirm("42", "Disconnect");
  await dialog.getByText("The connection is disconnected already.").waitFor();
});

test("an opened connection is refreshed when its page becomes visible, and every 5 seconds while a job is due", async ({
  panel,
  admin: user,
  page,
}) => {
  const { service, connection } = await plant(panel);
  await page.clock.install();
  await user.open(`/support/connections/${connection.id}`);
  await page.getByLabel("Reason").fill("ticket 9");
  await page.getByRole("button", { name: "Open connection" }).click();
  await page.getByRole("region", { name: "No scan yet" }).waitFor();
  await createJob(service, connection, { status: "QUEUED", finishedAt: null });
  // No interval ends while the clock is paused.
  await page.clock.pauseAt(await page.evaluate<number>("Date.now() + 1_000"));
  await Promise.all([page.waitForRequest("**/panel/graphql"), becomeVisible(page)]);
  await page.clock.resume();
  await page.getByRole("region", { name: "A scan waits for a worker" }).waitFor();
  await service.prisma.job.updateMany({ where: { connectionId: connection.id }, data: { status: "RUNNING" } });
  await page.clock.fastForward(5_001);
  await page.getByRole("region", { name: "A scan is running" }).waitFor();
});

test("a search is in the audit log once for what it reads, however long its results are shown", async ({
  panel,
  admin: user,
  page,
}) => {
  const { service, connection } = await plant(panel);
  await page.clock.install();
  await user.open("/support");
  await page.getByRole("combobox", { name: "Client" }).fill("acme");
  await page.getByRole("combobox", { name: "User", exact: true }).fill("42");
  await page.keyboard.press("Enter");
  const found = page.getByRole("rowheader").getByRole("link", { name: "PROVIDER_A" });
  const searches = async () => {
    const where = { action: "Connections searched", NOT: { summary: { contains: "while typing" } } };
    return (await service.prisma.auditEntry.findMany({ where })).map(({ summary }) => summary).toSorted();
  };
  const waitVisibly = async () => {
    await found.waitFor();
    await page.clock.fastForward(61_000);
    await becomeVisible(page);
  };
  await waitVisibly();
  await page.getByRole("textbox", { name: "Id", exact: true }).fill(connection.id);
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByRole("heading", { name: "Found" }).waitFor();
  await waitVisibly();
  await found.click();
  await page.getByLabel("Reason").waitFor();
  const expected = [
    "Looked up an id.",
    "Searched for the connect attempts of a user.",
    "Searched for the connections of a user.",
  ];
  expect(await searches()).toEqual(expected);
});

test("ids of a request, a failed attempt and an erased connection lead to what is stored", async ({
  panel,
  admin: user,
  page,
}) => {
  const { service, application, registrations, connection } = await plant(panel);
  const correlationId = "3f1c8b52-6f5b-4c61-8f0e-5a4f3d0c9b11";
  await createJob(service, connection, { correlationId });
  const failed = { status: "FAILED", resultCode: "NOT_A_TESTER" } as const;
  const attempt = await createConnectAttempt(service, application, registrations, failed);
  await user.open("/support");
  const find = async (id: string) => {
    await page.getByRole("textbox", { name: "Id", exact: true }).fill(id);
    await page.getByRole("button", { name: "Find" }).click();
  };

  await find("nothing");
  await page.getByText("Nothing has this id").waitFor();
  await find(attempt.id);
  await page.getByText("add it to the testers of the client").waitFor();
  expect(await page.getByRole("link", { name: "Client and its testers" }).getAttribute("href")).toContain(
    application.id,
  );
  await find(correlationId);
  await page.getByRole("rowheader").getByRole("link", { name: "PROVIDER_A" }).click();
  await page.getByLabel("Reason").waitFor();

  // Back shows the search again, which is not in the URL.
  await page.goBack();
  await page.getByRole("rowheader").getByRole("link", { name: "PROVIDER_A" }).waitFor();
  expect(page.url()).toBe(`${panel.url}/panel/support`);

  await createJob(service, connection, { kind: "REVOKE", status: "FAILED", errorCode: "REVOKE_REJECTED" });
  await createJob(service, connection, { kind: "ERASE", deletedCounts: { content_item: 3, connection: 1 } });
  await service.prisma.connection.deleteMany({ where: { id: connection.id } });
  await find(connection.id);
  await page.getByRole("link", { name: "Erased connection" }).click();
  await page.getByLabel("Reason").fill("ticket 8");
  await page.getByRole("button", { name: "Open connection" }).click();
  await page.getByRole("region", { name: "The connection is erased" }).waitFor();
  await page.getByText("The provider rejected the revocation.").waitFor();
  await page.getByText("4 rows").waitFor();
});

test(`opens user 42 in ${MOST_CLICKS_TO_FIND} clicks without knowing the client's slug`, async ({
  panel,
  admin: user,
  page,
}) => {
  const { service, application, registrations } = await plant(panel);
  for (const externalSubjectId of ["420", "7"])
    await createConnection(service, application, registrations, { externalSubjectId, accountId: externalSubjectId });
  const data = { displayName: "Atelier of Mara", tenantKeys: ["tenant-1", "tenant-2"] };
  await service.prisma.application.update({ where: { id: application.id }, data });
  await panel.client("another");
  await user.open("");
  await user.heading("Overview");
  const clicks = await countClicks(page);
  await page.getByRole("link", { name: "Support" }).click();
  const field = (name: string) => page.getByRole("combobox", { name, exact: true });
  const option = (name: string) => page.getByRole("option", { name, exact: true });
  await field("Client").pressSequentially("atel");
  await option("Atelier of Mara acme").click();
  await field("Tenant").press("ArrowDown");
  await option("tenant-2").waitFor();
  await page.keyboard.type("tenant-1");
  await field("User").pressSequentially("4");
  await option("420").waitFor();
  expect(await page.getByRole("option").allTextContents()).toEqual(["42", "420"]);
  await expectAccessible(user, "suggestions of users");
  await option("42").click();
  await page.getByRole("rowheader").getByText("account …nt-1").waitFor();
  await page.getByRole("link", { name: "What is stored about this user" }).click();
  await page.getByRole("region", { name: "Stored records" }).waitFor();
  expect(await clicks()).toBe(MOST_CLICKS_TO_FIND);
  expect(page.url()).toBe(`${panel.url}/panel/support/person`);
  expect(await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")).not.toMatch(/42|atel/i);
  const entries = await service.prisma.auditEntry.findMany({ where: { summary: { contains: "while typing" } } });
  expect(entries).toMatchObject([{ action: "Connections searched", clientSlug: "acme" }]);
});

test("a suggestion that fails or does not respond does not keep a search from any text", async ({
  panel,
  admin: user,
  page,
}) => {
  user.expectsErrors = true;
  await plant(panel);
  await user.open("/support");
  await page.route("**/panel/graphql", async (route) => {
    const asked = route.request().postData() ?? "";
    if (asked.includes("SuggestedClients")) return route.abort();
    // A request for users does not end.
    if (!asked.includes("SuggestedUsers")) return route.continue();
  });
  await page.getByRole("combobox", { name: "Client" }).fill("acme");
  await page.getByRole("combobox", { name: "User", exact: true }).fill("42");
  await page.keyboard.press("Enter");
  await page.getByRole("rowheader").getByRole("link", { name: "PROVIDER_A" }).waitFor();
});

test("suggestions are chosen by keyboard, and Escape closes their list", async ({ panel, admin: user, page }) => {
  await plant(panel);
  await user.open("/support");
  const client = page.getByRole("combobox", { name: "Client", exact: true });
  await client.pressSequentially("acm");
  await page.getByRole("option", { name: "acme acme" }).waitFor();
  expect(await client.getAttribute("aria-expanded")).toBe("true");
  await expectAccessible(user, "suggestions of clients");
  await page.keyboard.press("Escape");
  await expect.poll(() => client.getAttribute("aria-expanded")).toBe("false");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => client.inputValue()).toBe("acme");
  await page.getByRole("combobox", { name: "User", exact: true }).pressSequentially("4");
  await page.getByRole("option", { name: "42" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("rowheader").getByRole("link", { name: "PROVIDER_A" }).waitFor();
});
