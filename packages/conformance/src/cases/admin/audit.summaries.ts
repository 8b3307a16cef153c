import type { AuditEntry } from "../../_generated/adminWire.ts";
import { ADMIN_KEYS } from "../../context/adminApiClient.ts";
import type { Steps } from "../../context/steps.ts";
import { defineCasesWith } from "../../harness/defineCase.ts";
import { adminHold, emailOf, THIRD_ADMIN, withAdmin } from "./support/admins.ts";
import { entriesOf } from "./support/findings.ts";
import { DRAFT } from "./support/preparations.ts";

type Told = readonly [action: string, summary: string];

const told = ({ action, summary }: AuditEntry): Told => [action, summary];

/** The newest entries about a record, oldest first. */
async function entriesAbout(t: Steps, targetId: string): Promise<Told[]> {
  const { items } = await t.admin.get("adminAuditEntries", { first: 100 });
  return items
    .filter((entry) => entry.targetId === targetId)
    .map(told)
    .toReversed();
}

export const ADMIN_AUDIT_SUMMARY_CASES = defineCasesWith({ needs: ["admin"], application: "none" })({
  "S5.admin.audit.summaries-of-keys": {
    title: "The audit entry of each change made with a key describes the change.",
    holds: [ADMIN_KEYS],
    run: async (t) => {
      await t.admin.withKey("WRITE", async ({ id: apiKeyId, key, apiKey }) => {
        const client = await t.admin.client();
        const [origin = ""] = client.webOrigins;
        const { id, slug } = client;
        const call = async (...[name, args]: Parameters<typeof t.admin.call>) => {
          t.value(await t.admin.call(name, args, { key }), `${name} succeeds`);
        };
        await call("setClientDisplayName", { id, displayName: "Another name" });
        await call("setClientBranding", { id, brandColor: "#0a5c36", privacyUrl: "https://example.test/" });
        await call("setClientPolicy", { id, providers: ["PROVIDER_B", "PROVIDER_A"], capabilities: [] });
        await call("addClientTenantKey", { id, tenantKey: "tenant-two" });
        await call("removeClientTenantKey", { id, tenantKey: "tenant-one" });
        await call("addClientOrigin", { id, origin: `${origin}:9443` });
        await call("removeClientOrigin", { id, origin: `${origin}:9443` });
        await call("addClientReturnUrl", { id, url: `${origin}/third`, confirmedNoOnwardRedirect: true });
        await call("removeClientReturnUrl", { id, url: `${origin}/third` });
        await call("setClientPreviewOrigins", { id, enabled: true });
        await call("addClientPreviewReturnPath", { id, path: "/preview" });
        await call("removeClientPreviewReturnPath", { id, path: "/preview" });
        await call("setClientPreviewOrigins", { id, enabled: false });
        await call("setClientEnabled", { id, enabled: false });
        await call("setClientEnabled", { id, enabled: true });
        const entries = await entriesOf(t, apiKeyId);
        t.equal(
          entries.map(told).toReversed(),
          [
            ["API key first used", `The read-and-write key "${apiKey.label}" was used for the first time.`],
            ["Display name changed", `Changed the display name from "${client.displayName}" to "Another name".`],
            ["Branding changed", "Changed the branding: color #0a5c36, privacy link https://example.test/."],
            [
              "Policy changed",
              "Allowed PROVIDER_A · YouTube Data API v3, PROVIDER_B · TikTok Display API v2 with no capability.",
            ],
            ["Tenant key added", "Added the tenant tenant-two."],
            ["Tenant key removed", "Removed the tenant tenant-one."],
            ["Origin added", `Added the origin ${origin}:9443.`],
            ["Origin removed", `Removed the origin ${origin}:9443.`],
            ["Return URL added", `Added the return URL ${origin}/third.`],
            ["Return URL removed", `Removed the return URL ${origin}/third.`],
            ["Preview origins switched on", "Switched preview origins on."],
            ["Preview return path added", "Added the preview return path /preview."],
            ["Preview return path removed", "Removed the preview return path /preview."],
            ["Preview origins switched off", "Switched preview origins off."],
            ["Client disabled", `Disabled the client ${slug}; unfinished attempts ended: 0.`],
            ["Client enabled", `Enabled the client ${slug}.`],
          ],
          "the entries",
        );
        t.equal(
          (await entriesAbout(t, id))[0],
          ["Client created", `Created the client ${slug} with the origins ${client.webOrigins.join(", ")}.`],
          "the client's first entry",
        );
      });
    },
  },
  "S5.admin.audit.summaries-of-panel": {
    title: "The audit entry of each change made in the panel describes the change.",
    holds: [ADMIN_KEYS, adminHold(THIRD_ADMIN)],
    run: async (t) => {
      const { id, webOrigins } = await t.admin.client();
      const url = `${webOrigins[0]}/identity`;
      await t.admin.inPanel("setClientIdpIdentity", { id, enabled: true, returnUrls: [url] });
      await t.admin.inPanel("setClientIdpIdentity", { id, enabled: false, returnUrls: [] });
      const { credential } = await t.admin.inPanel("issueClientCredential", { id, expiresInDays: 30 });
      await t.admin.inPanel("revokeClientCredential", { id, keyId: credential.keyId });
      const account = { id, provider: "PROVIDER_A", providerAccountId: "UCaudit" } as const;
      await t.admin.inPanel("addClientTester", account);
      await t.admin.inPanel("removeClientTester", account);
      t.equal(
        (await entriesAbout(t, id)).slice(1),
        [
          ["Identity sign-in changed", `Switched the identity sign-in on; return URLs: ${url}.`],
          ["Identity sign-in changed", "Switched the identity sign-in off; return URLs: none."],
          ["Application key issued", `Issued the application key ${credential.keyId} for 30 days.`],
          ["Application key revoked", `Revoked the application key ${credential.keyId}.`],
          ["Tester added", "Added a tester account at PROVIDER_A · YouTube Data API v3."],
          ["Tester removed", "Removed a tester account at PROVIDER_A · YouTube Data API v3."],
        ],
        "of a client",
      );
      const key = await t.admin.mint("READ", { lifetimeDays: 2 });
      await t.admin.inPanel("revokeApiKey", { id: key.id });
      const { label, createdBy } = key.apiKey;
      t.equal(
        await entriesAbout(t, key.id),
        [
          ["API key minted", `Minted the read-only key "${label}" for 2 days.`],
          ["API key revoked", `Revoked the read-only key "${label}" of ${createdBy}.`],
        ],
        "of a key",
      );
      const member = await withAdmin(t, THIRD_ADMIN, async (_panel, added) => added);
      const email = emailOf(THIRD_ADMIN);
      const firstSignIn = [
        "Admin signed in for the first time",
        `${email} signed in for the first time and is this account at the issuer from now on.`,
      ];
      t.equal(
        (await entriesAbout(t, member.id)).filter(([action]) => /^Admin (added|removed)$|first time$/.test(action)),
        [
          ["Admin added", `Added ${email} to the admins.`],
          ...(t.admin.driver.panel.session === undefined ? [] : [firstSignIn]),
          ["Admin removed", `Removed ${email} from the admins; keys revoked: 0.`],
        ],
        "of an admin",
      );
      const draft = await t.admin.inPanel("createRegistration", { provider: "PROVIDER_A", input: DRAFT });
      const { clientSecret: _, ...unchanged } = DRAFT;
      await t.admin.inPanel("updateRegistration", { id: draft.id, input: unchanged });
      await t.admin.inPanel("setRegistrationQuota", { id: draft.id, quota: { units: 500, reserve: 0.1 } });
      await t.admin.inPanel("setRegistrationQuota", { id: draft.id, quota: null });
      await t.admin.inPanel("disableRegistration", { id: draft.id });
      const registration = `the registration at PROVIDER_A · YouTube Data API v3 (client id ${draft.clientIdHint})`;
      t.equal(
        await entriesAbout(t, draft.id),
        [
          ["Registration created", `Created ${registration}.`],
          ["Registration changed", `Changed ${registration}.`],
          [
            "Registration quota changed",
            `Changed the quota of ${registration}: units 500 (default 10000), reserve 0.1 (default 0.2).`,
          ],
          ["Registration quota changed", `Reset the quota of ${registration} to the provider's default.`],
          ["Registration disabled", `Disabled ${registration}.`],
        ],
        "of a registration",
      );
    },
  },
});
