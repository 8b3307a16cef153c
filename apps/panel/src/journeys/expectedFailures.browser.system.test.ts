import { testClock } from "@social-connect/testkit";
import { expect } from "vitest";
import { test } from "./testing/journey.ts";
import { createApplication, createConnection, createRegistrations, newId } from "./testing/server.ts";

test("a revoke at a provider that does not support it is not shown as a problem", async ({ panel, admin, page }) => {
  const service = { ...panel.service, clock: testClock(new Date()) };
  const registrations = await createRegistrations(service);
  const application = await createApplication(service, "revoked-at-c");
  const { id: connectionId } = await createConnection(service, application, registrations, { provider: "PROVIDER_C" });
  const createdAt = service.clock.current;
  const revoke = { kind: "REVOKE", status: "FAILED", errorCode: "REVOKE_UNSUPPORTED" } as const;
  const of = { applicationId: application.id, connectionId, provider: "PROVIDER_C" } as const;
  await service.prisma.job.create({
    data: { id: newId(), scopeHash: new Uint8Array(32), createdAt, ...of, ...revoke },
  });
  await service.prisma.rollup.create({
    data: {
      series: "job_attempts",
      seconds: 60,
      ownerId: "00000000-0000-0000-0000-000000000000",
      startsAt: new Date(Math.floor(createdAt.getTime() / 60_000) * 60_000),
      provider: "PROVIDER_C",
      kind: "REVOKE",
      outcome: "FAILED",
      code: "REVOKE_UNSUPPORTED",
      count: 1,
    },
  });

  await admin.open("");
  await page.getByText("Nothing needs your attention").waitFor();
  expect(
    await page
      .getByRole("main")
      .getByText(/failed/i)
      .count(),
  ).toBe(0);

  await admin.open("/health");
  const charts = page.getByRole("region", { name: "Activity", exact: true });
  await charts.getByRole("listitem").getByText("Expected failure: REVOKE_UNSUPPORTED").waitFor();
  const jobs = page.getByRole("table", { name: /^Jobs by provider/ });
  const row = jobs.getByRole("row").filter({ hasText: "REVOKE_UNSUPPORTED" });
  await row.getByText("Expected failure", { exact: true }).waitFor();
  expect(await row.getByText("Failed", { exact: true }).count()).toBe(0);
});
