import { nearPreviews } from "../context/connections.ts";
import { DATE_TIME } from "../context/findings.ts";
import { ALL_CAPABILITIES, PROVIDERS } from "../description/providers.ts";
import { defineCases } from "../harness/defineCase.ts";
import { NEARLY } from "./support/returnUrls.ts";

const EXAMPLE_TEMPLATE = "https://{label}.preview.example.app";

export const CONNECT_INPUT_CASES = defineCases({}, (test) => {
  test("S2.ConnectSession.shape: A created attempt has an id, the launch URL, a token, and deadlines after 10 minutes and 24 hours.", async (t) => {
    const before = await t.now();
    const made = await t.createSession();
    t.matches(made.id, /^[0-9a-f-]{36}$/i, "the id");
    t.equal(made.launchUrl, `${t.target.connectHost}/api/connect/redeem`, "the launch URL");
    t.matches(made.launchToken, /^[0-9a-f]{64}$/, "the launch token");
    for (const time of [made.expiresAt, made.resultExpiresAt])
      t.matches(time, DATE_TIME, "a DateTime is UTC with milliseconds");
    t.near(made.expiresAt, before.getTime() + 600_000, 30_000, "expiresAt is 10 minutes after creation");
    const betweenMs = Date.parse(made.resultExpiresAt) - Date.parse(made.expiresAt);
    t.equal(betweenMs, 86_400_000 - 600_000, "resultExpiresAt is 24 hours after creation");
  });
  test("S4.transport.date: The Date header of a response is of the clock that its times are of.", async (t) => {
    const outcome = await t.call("createConnectSession", { input: t.connectInput() });
    const created = Date.parse(t.value(outcome).expiresAt) - 600_000;
    t.near(outcome.answer.headers.get("date") ?? "", created, 30_000, "the date");
  });
  test("S4.connectSessionResult.created: An attempt that was not launched reads CREATED, with only its deadlines.", async (t) => {
    for (const provider of PROVIDERS) {
      const made = await t.createSession({ provider });
      const { id, expiresAt, resultExpiresAt } = made;
      const nothing = { resultCode: null, connectionId: null, creatorAction: null };
      const expected = { id, provider, status: "CREATED", ...nothing, expiresAt, resultExpiresAt };
      t.equal(await t.resultOf(made), expected, "the result of an attempt that was only created");
    }
  });
  for (const [name, what, capabilities] of [
    ["empty", "An empty list of capabilities", []],
    ["duplicates", "A duplicate capability", ["PROFILE", "CONTENT_LIST", "PROFILE"]],
  ] as const)
    test(`S2.ConnectInput.capabilities.${name}: ${what} is refused.`, async (t) => {
      await t.refusesSession({ capabilities }, "BAD_USER_INPUT");
    });
  for (const capability of ALL_CAPABILITIES)
    test(`S2.ConnectInput.capabilities.allowed-${capability}: ${capability} outside the application's policy is FORBIDDEN; inside it is accepted.`, async (t) => {
      await t.createSession({ capabilities: [capability] });
      const others = ALL_CAPABILITIES.filter((other) => other !== capability);
      await t.setPolicy({ capabilities: others });
      await t.refusesSession({ capabilities: [capability] }, "FORBIDDEN");
      await t.refusesSession({}, "FORBIDDEN", "one of several is enough");
      await t.createSession({ capabilities: others });
    }).with({ needs: ["operator"] });
  for (const provider of PROVIDERS)
    test(`S2.ConnectInput.provider.allowed-${provider}: ${provider} outside the application's policy is FORBIDDEN, and its readiness agrees.`, async (t) => {
      await t.createSession({ provider });
      const others = PROVIDERS.filter((other) => other !== provider);
      await t.setPolicy({ providers: others });
      await t.refusesSession({ provider }, "FORBIDDEN");
      t.equal(await t.availableProviders(), others, "readiness of the providers");
    }).with({ needs: ["operator"] });
  for (const [name, change] of Object.entries(NEARLY))
    test(`S2.ConnectInput.returnUrl.${name}: A return URL that differs from the registered one (${name}) is refused.`, async (t) => {
      const changed = change(t.application.returnUrl);
      // An IP address has no letters and no subdomains.
      const returnUrl = changed === t.application.returnUrl ? `${changed}x` : changed;
      await t.refusesSession({ returnUrl }, "BAD_USER_INPUT");
    });
  test("S2.ConnectInput.returnUrl.ss-parameter: A query parameter whose name starts with ss_ is refused; others are accepted in a registered URL.", async (t) => {
    for (const query of ["ss_status=COMPLETED", "a=1&ss_session_id=x", "ss_=", "%73s_x=1"]) {
      const returnUrl = `${t.application.returnUrl}?${query}`;
      await t.refusesSession({ returnUrl }, "BAD_USER_INPUT", query);
    }
    const good = `${t.application.returnUrl}?class=a&SS_x=1&boss_=2`;
    await t.addReturnUrl(good);
    await t.createSession({ returnUrl: good });
  }).with({ needs: ["operator"] });
  test("S2.ConnectInput.returnUrl.preview: A URL that only resembles a preview's is refused, even while the application's previews are enabled.", async (t) => {
    const template = t.target.previewTemplate ?? EXAMPLE_TEMPLATE;
    await t.refusesSession({ returnUrl: `${template.replace("{label}", "branch-1")}/return` }, "BAD_USER_INPUT");
    await t.setPreviews(true, "/return");
    for (const returnUrl of nearPreviews(template, "/return"))
      await t.refusesSession({ returnUrl }, "BAD_USER_INPUT", returnUrl);
  }).with({ needs: ["operator"] });
  test("S2.ConnectInput.returnUrl.preview-without-path: With previews enabled and without preview paths, a return URL that is not registered is refused.", async (t) => {
    t.equal((await t.setPreviews(true)).previewReturnPaths, [], "preview paths");
    const origin = (t.target.previewTemplate ?? EXAMPLE_TEMPLATE).replace("{label}", "branch-1");
    for (const returnUrl of [`${t.application.returnUrl}/unregistered`, `${origin}/return`])
      await t.refusesSession({ returnUrl }, "BAD_USER_INPUT", returnUrl);
    await t.createSession();
  }).with({ needs: ["operator"] });
  test("S2.ConnectInput.returnUrl.preview-good: A preview URL on one of the application's preview paths works like a registered one to the end.", async (t) => {
    await t.setPreviews(true, "/deep/return", "/");
    for (const [label, path] of Object.entries({ "branch-1": "/deep/return", b: "/" })) {
      const origin = String(t.target.previewTemplate).replace("{label}", label);
      const made = await t.createSession({ returnUrl: origin + path });
      const { visit } = await t.walkThrough(made, { account: "tidepool-studio" }, t.browser(), origin);
      t.equal(visit.location?.href.split("?")[0], origin + path, "the redirect");
      t.equal((await t.resultOf(made)).status, "COMPLETED", "the attempt");
    }
  }).with({ needs: ["operator", "provider", "previews"] });
  test("S2.ConnectInput.scope.unregistered: A tenant that the application does not have is FORBIDDEN.", async (t) => {
    await t.refusesSession({ scope: t.scope("nobody") }, "FORBIDDEN");
    await t.createSession();
  });
  test("S2.ConnectInput.reconnect.unknown: A reconnect target that does not exist is NOT_FOUND, also with an invalid id.", async (t) => {
    for (const reconnectConnectionId of ["0d4b9f5e-0000-4000-8000-000000000000", "not-an-id", ""])
      await t.refusesSession({ reconnectConnectionId }, "NOT_FOUND");
  });
  test("S2.ConnectInput.reconnect.foreign: A reconnect target of another subject, tenant or provider is NOT_FOUND; the subject's own is accepted.", async (t) => {
    const { scope, connectionId } = await t.connect();
    const target = { reconnectConnectionId: connectionId };
    const other = t.application.tenantKeys[1] ?? t.application.tenantKeys[0];
    await t.refusesSession(target, "NOT_FOUND", "another subject");
    await t.refusesSession({ ...target, scope, provider: "PROVIDER_B" }, "NOT_FOUND", "another provider");
    if (other !== scope.tenantKey)
      await t.refusesSession({ ...target, scope: { ...scope, tenantKey: other } }, "NOT_FOUND");
    await t.createSession({ ...target, scope });
  }).with({ needs: ["provider"] });
});
