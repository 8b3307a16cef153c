import { type Browser, launchBrowser, serve } from "@social-connect/testkit";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { ask, connectInput } from "../testing/post.ts";
import { serveMock } from "./serve.ts";

const CONNECT = "mutation ($input: ConnectInput!) { createConnectSession(input: $input) { id launchUrl launchToken } }";
const IDENTITY =
  "mutation ($input: IdpIdentityInput!) { createIdpIdentitySession(input: $input) { id launchUrl launchToken } }";

interface Session {
  readonly id: string;
  readonly launchUrl: string;
  readonly launchToken: string;
}

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
  return () => browser.close();
});

/** An application with a page at each path. */
async function startApplication(): Promise<string> {
  const { url, close } = await serve((_, response) => {
    response.setHeader("content-type", "text/html").end("<title>Application</title>");
  });
  onTestFinished(close);
  return url;
}

/** The browser's own clock stays at the present, which must not end cookies or attempts. */
test.each(["2001-01-01T00:00:00Z", "2099-12-31T00:00:00Z"])(
  "a browser links an account and signs in with a mock whose time is %s",
  async (now) => {
    const origin = await startApplication();
    const { mock, url, close } = await serveMock({ now, clock: "running", application: { webOrigins: [origin] } });
    onTestFinished(close);
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const launch = async ({ launchUrl, launchToken }: Session) => {
      await page.goto(origin);
      await page.setContent(
        `<form method="post" action="${launchUrl}"><input name="launchToken" value="${launchToken}"><button>Go</button></form>`,
      );
      await page.getByRole("button", { name: "Go" }).click();
    };
    const returnsTo = (address: string) => page.waitForURL(`${address}?*`);
    const over = { fetch, url: `${url}/graphql` };

    const connect = await ask<{ createConnectSession: Session }>(mock, CONNECT, connectInput(mock), over);
    const attempt = connect.data?.createConnectSession ?? { id: "", launchUrl: "", launchToken: "" };
    await launch(attempt);
    const allow = page.getByRole("button", { name: "Allow" });
    await Promise.all([returnsTo(mock.returnUrl), allow.click()]);
    expect(mock.connect(attempt.id).state).toMatchObject({ status: "COMPLETED" });

    const input = { tenantKey: mock.scope.tenantKey, returnUrl: mock.identityReturnUrl };
    const identity = await ask<{ createIdpIdentitySession: Session }>(mock, IDENTITY, { input }, over);
    const handoff = identity.data?.createIdpIdentitySession ?? { id: "", launchUrl: "", launchToken: "" };
    await launch(handoff);
    await Promise.all([returnsTo(mock.identityReturnUrl), page.getByRole("button", { name: "Sign in" }).click()]);
    expect(mock.identity(handoff.id).state).toMatchObject({ status: "COMPLETED" });

    await page.goto(url);
    await page.getByRole("button", { name: "Advance 1 day" }).click();
    await expect
      .poll(() => page.locator("time").textContent())
      .toMatch(new RegExp(`^${new Date(Date.parse(now) + 86_400_000).toISOString().slice(0, 10)}`));
  },
);
