import type { Steps } from "../../context/steps.ts";
import { CONFIRMED_OPERATIONS } from "../../description/adminOperations.ts";
import { defineCases } from "../../harness/defineCase.ts";
import type { PanelDriver, PanelSession } from "../../target/target.ts";
import type { AdminArgs, AdminOperationName } from "../../wire/documents.ts";
import { adminHold, emailOf, removeMember, SECOND_ADMIN, THIRD_ADMIN, withAdmin } from "./support/admins.ts";
import { DRAFT, draftRegistration } from "./support/preparations.ts";

const TESTER = { provider: "PROVIDER_A", providerAccountId: "conformance-tester" } as const;

async function panelSession(panel: PanelDriver): Promise<PanelSession> {
  const session = await panel.session?.();
  if (session === undefined) throw new Error("The case must declare that it needs the panel's session.");
  return session;
}

export const MEMBER_CASES = defineCases({ application: "none" }, (test) => {
  test("S5.admin.confirmation: Operations that grant access or move credentials need a sign-in within five minutes; others do not.", (t) =>
    withAdmin(t, SECOND_ADMIN, async (panel, member) => {
      const client = await t.admin.client();
      const registration = await draftRegistration(t);
      const email = `conformance-${crypto.randomUUID().slice(0, 13)}@example.test`;
      const mint = { label: "confirmed", scope: "READ", lifetimeDays: 1 } as const;
      const support = { id: crypto.randomUUID(), reason: "conformance" };
      const args = {
        mintApiKey: mint,
        issueClientCredential: { id: client.id },
        publishRegistration: { id: registration },
        addAdminMember: { email },
        removeAdminMember: { id: crypto.randomUUID() },
        updateRegistration: { id: registration, input: { ...DRAFT, clientId: "changed" } },
        setRegistrationQuota: { id: registration, quota: { units: 500 } },
        setClientIdpIdentity: { id: client.id, enabled: true, returnUrls: [`${client.webOrigins[0]}/identity`] },
        viewConnection: support,
        rescanConnection: support,
        retryJob: support,
        disconnectForUser: support,
        addEventEndpoint: { clientId: client.id, url: "https://conformance.example.test/events", types: [] },
        changeEventEndpoint: { id: crypto.randomUUID(), enabled: true },
        rotateEventEndpointSecret: { id: crypto.randomUUID() },
        erasePerson: { clientSlug: client.slug, externalSubjectId: "nobody", reason: "conformance" },
      } satisfies { readonly [Name in AdminOperationName]?: AdminArgs<Name> };
      t.equal(Object.keys(args).toSorted(), CONFIRMED_OPERATIONS.toSorted(), "all that need a confirmation");
      const as = { as: panel, raw: true };
      t.holds((await t.admin.panel("mintApiKey", mint, as)).ok, "right after signing in");
      await t.until(await t.driver("clock").now(), 301_000);
      for (const [name, value] of Object.entries(args))
        await t.admin.panelRefuses(name as keyof typeof args, value as never, "ConfirmationRequiredError", null, as);
      // Input that is refused anyway needs no confirmation.
      const tooLong = { ...mint, label: "x".repeat(1_000) };
      await t.admin.panelRefuses("mintApiKey", tooLong, "InvalidInputError", null, as);
      const detail = await t.admin.inPanel("registrationDetail", { id: registration });
      t.shows(detail, { clientId: DRAFT.clientId, status: "DRAFT" }, "the registration did not change");
      const members = await t.admin.get("adminMembers", {});
      t.holds(!members.some((member) => member.email === email), "no admin was added");
      const { idpIdentityEnabled } = await t.admin.get("adminClient", { id: client.id });
      t.equal(idpIdentityEnabled, false, "the client did not change");
      const works = async <Name extends AdminOperationName>(name: Name, args: AdminArgs<Name>, what: string) =>
        t.value(await t.admin.panel(name, args, as), `${name} ${what}`);
      const unconfirmed = "needs no confirmation";
      await works("setClientDisplayName", { id: client.id, displayName: "Renamed" }, unconfirmed);
      await works("disableRegistration", { id: registration }, unconfirmed);
      await works("addClientTester", { id: client.id, ...TESTER }, unconfirmed);
      await works("createRegistration", { provider: "PROVIDER_B", input: DRAFT }, unconfirmed);
      await t.admin.inPanel("issueClientCredential", { id: client.id }, panel);
      for (const name of ["mintApiKey", "setClientIdpIdentity", "updateRegistration", "setRegistrationQuota"] as const)
        await works(name, args[name], "works after confirming");
      for (const action of ["Admin signed in", "Admin confirmed"]) {
        const { items } = await t.admin.inPanel("searchAuditEntries", { first: 50, action });
        const entry = items.find(({ targetId }) => targetId === member.id);
        t.shows(entry, { actor: member.email, targetType: "ADMIN", apiKeyId: null }, action);
      }
    })).with({ lane: "timeline", needs: ["admin", "clock", "panel-session"] });
  test("S5.admin.sign-in: An admin is a verified email address on the list, bound to one account at the first sign-in.", async (t) => {
    for (const person of ["no-email", "admin-unverified", "admin-other-account", THIRD_ADMIN])
      t.equal(await t.admin.driver.signIn(person), null, `${person} is rejected`);
    await withAdmin(t, THIRD_ADMIN, async (_, member) => {
      t.shows(member, { email: emailOf(THIRD_ADMIN), bound: false }, "the added admin");
      t.equal(member.addedBy, t.admin.driver.panel.email, "by whom");
      const listed = (await t.admin.get("adminMembers", {})).find(({ id }) => id === member.id);
      t.equal(listed, { ...member, bound: true }, "once they have signed in");
      await t.admin.panelRefuses("addAdminMember", { email: member.email }, "ConflictError", "ALREADY_PRESENT");
      const shouting = { email: member.email.toUpperCase() };
      await t.admin.panelRefuses("addAdminMember", shouting, "ConflictError", "ALREADY_PRESENT");
    });
    for (const email of ["", "nobody", "a@b@c", "x\0@example.test", `${"a".repeat(300)}@example.test`])
      await t.admin.panelRefuses("addAdminMember", { email }, "InvalidInputError");
    await t.admin.panelRefuses("removeAdminMember", { id: crypto.randomUUID() }, "NotFoundError");
    await t.admin.panelRefuses("removeAdminMember", { id: "nobody" }, "NotFoundError");
  }).with({ needs: ["admin", "panel-session"], holds: [adminHold(THIRD_ADMIN)] });
  test('S5.admin.verified-as-one: An admin whose issuer says "1" or 1 for a verified email address signs in; "0" is rejected.', async (t) => {
    for (const person of ["verified-as-one", "verified-as-number"])
      await withAdmin(t, person, async (_, member) => t.equal(member.email, emailOf(person), "the admin"));
    const email = emailOf("unverified-as-zero");
    await removeMember(t, email);
    await t.admin.inPanel("addAdminMember", { email });
    try {
      t.equal(await t.admin.driver.signIn("unverified-as-zero"), null, "an unverified address is rejected");
    } finally {
      await removeMember(t, email);
    }
  }).with({ needs: ["admin", "panel-session"] });
  test("S5.admin.sign-out: A sign-out ends the session and is audited once; a sign-out from another origin does neither.", (t) =>
    withAdmin(t, THIRD_ADMIN, async (panel, member) => {
      const { endpoint, origin, cookie, csrfToken } = await panelSession(panel);
      const signOut = async (from: string) => {
        const headers = { origin: from, cookie, "x-csrf-token": csrfToken };
        const address = new URL("sign-out", endpoint);
        const send = t.target.fetch ?? globalThis.fetch;
        return (await send(address, { method: "POST", headers, redirect: "manual" })).status;
      };
      const use = () => t.admin.panel("adminMembers", {}, { as: panel, raw: true });
      const entries = async () => {
        const { items } = await t.admin.inPanel("searchAuditEntries", { first: 50, action: "Admin signed out" });
        return items.filter(({ targetId }) => targetId === member.id).map(({ actor, apiKeyId }) => [actor, apiKeyId]);
      };
      t.equal(await signOut("https://evil.example"), 403, "from another origin");
      t.holds((await use()).ok, "the session remains valid");
      t.equal(await entries(), [], "the audit log has no entry");
      t.equal(await signOut(origin), 204, "from the panel");
      t.fails(await use(), "UNAUTHENTICATED", "the session has ended");
      await signOut(origin);
      t.equal(await entries(), [[member.email, null]], "the audit log");
    })).with({ needs: ["admin", "panel-session"], holds: [adminHold(THIRD_ADMIN)] });
  test("S5.admin.last-admin: The last admin cannot be removed.", async (t) => {
    const [first, ...others] = await t.admin.get("adminMembers", {});
    // With more admins, a case cannot determine which is the last.
    if (others.length === 0) await t.admin.panelRefuses("removeAdminMember", { id: first?.id ?? "" }, "ConflictError");
    const emails = (await t.admin.get("adminMembers", {})).map(({ email }) => email);
    t.holds(emails.includes(t.admin.driver.panel.email), "the admin is still on the list", emails);
  }).with({ lane: "alone", needs: ["admin"] });
});

const QUERY = "{ adminMembers { id } }";

/** A browser's headers to the panel with one change; `null` omits a header. */
const WRONG: Readonly<Record<string, readonly [code: string, headers: Headers]>> = {
  "no-origin": ["FORBIDDEN", { origin: null }],
  "another-origin": ["FORBIDDEN", { origin: "https://evil.example" }],
  "origin-null": ["FORBIDDEN", { origin: "null" }],
  "origin-with-path": ["FORBIDDEN", { origin: ({ origin }) => `${origin}/` }],
  "no-token": ["FORBIDDEN", { "x-csrf-token": null }],
  "wrong-token": ["FORBIDDEN", { "x-csrf-token": "0".repeat(64) }],
  "no-cookie": ["UNAUTHENTICATED", { cookie: null }],
  "wrong-cookie": ["UNAUTHENTICATED", { cookie: ({ cookie }) => cookie.replaceAll(/[0-9a-f]{64}/g, "0".repeat(64)) }],
};

type Headers = Readonly<Record<string, string | null | ((session: PanelSession) => string)>>;

async function post(t: Steps, changed: Headers) {
  const session = await panelSession(t.admin.driver.panel);
  const { origin, cookie, csrfToken, endpoint } = session;
  const headers: Record<string, string> = { origin, cookie, "x-csrf-token": csrfToken };
  for (const [name, value] of Object.entries(changed)) {
    if (value === null) delete headers[name];
    else headers[name] = typeof value === "string" ? value : value(session);
  }
  const path = endpoint.slice(t.admin.driver.adminHost.length);
  return t.admin.caller(t.admin.driver.writeKey).graphql(QUERY, {}, { authorization: null, path, headers });
}

export const PANEL_CASES = defineCases({ needs: ["admin", "panel-session"], application: "none" }, (test) => {
  for (const [name, [code, headers]] of Object.entries(WRONG))
    test(`S5.admin.panel.${name}: A request to the panel's endpoint that differs from its own pages' (${name}) returns ${code}.`, async (t) => {
      const answer = await post(t, headers);
      t.refusedOperation(answer, name);
      t.equal(answer.body?.errors?.[0]?.extensions?.code, code, "code");
      t.equal((await post(t, {})).body?.errors, undefined, "a request like its own pages' is answered");
    });
  test("S5.admin.panel.key: The panel's endpoint accepts no key, with or without a session.", async (t) => {
    const authorization = `Bearer ${t.admin.driver.writeKey}`;
    for (const others of [{}, { cookie: null, "x-csrf-token": null }]) {
      const answer = await post(t, { ...others, authorization });
      t.refusedOperation(answer, "with a key");
      t.equal(answer.body?.errors?.[0]?.extensions?.code, "FORBIDDEN", "code");
    }
  });
});
