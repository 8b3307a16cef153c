import { LANGUAGES } from "@social-connect/domain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAdminMember } from "../modules/testing/admins.ts";
import { service, useService } from "../modules/testing/fixtures.ts";
import { type AdminServer, signInToPanel, startAdminServer } from "./testing/adminServer.ts";
import { postForm } from "./testing/visits.ts";

useService();

const LOGO = `data:image/png;base64,${Buffer.from("not an image").toString("base64")}`;
const FIELDS = { displayName: "Atelier <b>", provider: "PROVIDER_B", page: "pane", language: "en" };
let server: AdminServer;
let user: { readonly cookie: string; readonly csrf: string };

beforeAll(async () => {
  server = await startAdminServer(service);
  user = await signInToPanel(server, await createAdminMember(service));
});
afterAll(() => server?.close());

/** As the panel's form posts it: its referrer policy hides the origin. */
function preview(fields: Record<string, string>, { cookie, csrf } = user): Promise<Response> {
  return postForm(`${server.url}/panel/preview`, { csrfToken: csrf, ...FIELDS, ...fields }, { cookie, origin: "null" });
}

describe("the preview of a client's pages", () => {
  test.each(LANGUAGES)("is the service's consent pane and error page in %s", async (language) => {
    for (const [page, content] of [
      ["pane", "TikTok"],
      ["expired", "<strong>"],
    ] as const) {
      const text = await (await preview({ page, language })).text();
      expect(text).toContain(`<html lang="${language}"`);
      expect(text).toContain("Atelier &lt;b&gt;");
      expect(text).toContain(content);
    }
  });

  test("is shown in a frame of the panel only, and its buttons, links and scripts do nothing", async () => {
    const { headers, status } = await preview({});
    const policy = headers.get("content-security-policy")?.split("; ") ?? [];
    expect(status).toBe(200);
    expect(policy).toEqual(expect.arrayContaining(["frame-ancestors 'self'", "sandbox", "form-action 'none'"]));
    expect(policy).toContain("default-src 'none'");
    expect(headers.get("x-frame-options")).toBe("SAMEORIGIN");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("shows a color and links, and omits what the service would refuse", async () => {
    const text = await (await preview({ brandColor: "#ffe14d", privacyUrl: "https://a.example/" })).text();
    expect(text).toContain('href="https://a.example/"');
    expect(text).toContain("#ffe14d");
    const refused = { brandColor: "red;}", privacyUrl: "javascript:alert(1)", logo: LOGO, provider: "x", page: "x" };
    const plain = await preview(refused);
    for (const value of ["red;", "javascript", "data:"]) expect(await plain.clone().text()).not.toContain(value);
  });

  test("is refused without a session, with another session's token and without one", async () => {
    const other = await signInToPanel(server, await createAdminMember(service, "other@example.test"));
    const statuses = [
      preview({}, { ...user, cookie: "" }),
      preview({}, { ...user, csrf: other.csrf }),
      preview({}, { ...user, csrf: "" }),
      preview({ displayName: "x".repeat(70_000) }),
    ].map(async (response) => (await response).status);
    expect(await Promise.all(statuses)).toEqual([403, 403, 403, 403]);
  });
});
