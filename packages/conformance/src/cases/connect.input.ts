import type { ConnectSession } from "../_generated/consumerWire.ts";
import { PROVIDERS } from "../description/providers.ts";
import { caseForEach, defineCases } from "../harness/defineCase.ts";
import { documentOf } from "../wire/documents.ts";
import {
  ALL_CAPABILITIES,
  availableProviders,
  connectInput,
  createSession,
  postLaunch,
  refusesSession,
  resultOf,
} from "./support/attempts.ts";
import { connect } from "./support/connections.ts";
import { DATE_TIME } from "./support/findings.ts";
import { serviceNow } from "./support/jobs.ts";

const session = "operation:createConnectSession";
/** Return URLs that resemble the registered one: they must be equal byte for byte. */
const NEARLY: Readonly<Record<string, (url: string) => string>> = {
  "trailing-slash": (url) => `${url}/`,
  query: (url) => `${url}?x=1`,
  "empty-query": (url) => `${url}?`,
  "upper-case-path": (url) => url.replace(/[^/]+$/, (path) => path.toUpperCase()),
  "upper-case-host": (url) => url.replace(/\/\/[^/]+/, (host) => host.toUpperCase()),
  "upper-case-scheme": (url) => url.replace(/^\w+/, (scheme) => scheme.toUpperCase()),
  "user-info": (url) => url.replace("://", "://user@"),
  "other-host-behind-at": (url) => url.replace(/\/\/([^/]+)/, "//$1@evil.example"),
  backslash: (url) => url.replace("://", ":\\\\"),
  "dot-segment": (url) => url.replace(/\/([^/]+)$/, "/./$1"),
  "parent-segment": (url) => url.replace(/\/([^/]+)$/, "/x/../$1"),
  "encoded-letter": (url) => url.replace(/n$/, "%6e"),
  port: (url) => url.replace(/(\/\/[^/:]+)(:\d+)?/, "$1:8443"),
  "dot-after-host": (url) => url.replace(/(\/\/[^/:]+)/, "$1."),
  "leading-space": (url) => ` ${url}`,
  "trailing-space": (url) => `${url} `,
  "line-break": (url) => `${url}\n`,
  "sub-domain": (url) => url.replace("://", "://a."),
  "longer-host": (url) => url.replace(/(\/\/[^/:]+)/, "$1.evil.example"),
  "full-width": (url) => url.replace("e", "ｅ"),
  empty: () => "",
  javascript: () => "javascript:alert(1)",
  relative: () => "/return",
};

const nearReturnUrls = caseForEach(Object.entries(NEARLY), ([name, change]) => ({
  id: `S2.ConnectInput.returnUrl.${name}`,
  title: `A return URL that differs from the registered one (${name}) is refused.`,
  reaches: [session, "rule:ConnectInput.returnUrl.registered"],
  run: async (t) => {
    const changed = change(t.application.returnUrl);
    // An IP address has no letters and no subdomains.
    const returnUrl = changed === t.application.returnUrl ? `${changed}x` : changed;
    t.holds(returnUrl !== t.application.returnUrl, "the URL differs from the registered one");
    await refusesSession(t, { returnUrl }, "BAD_USER_INPUT");
  },
}));

export const CONNECT_INPUT_CASES = defineCases({
  "S2.ConnectSession.shape": {
    title:
      "A created attempt has an id, the launch URL, a 64-digit token, and deadlines after 10 minutes and 24 hours.",
    reaches: [
      session,
      "field:ConnectSession.launchToken",
      "rule:ConnectInput.reconnectConnectionId.optional",
      "rule:scalar.DateTime.output",
    ],
    run: async (t) => {
      const before = await serviceNow(t);
      const made = await createSession(t);
      t.matches(made.id, /^[0-9a-f-]{36}$/i, "the id");
      t.equal(made.launchUrl, `${t.target.connectHost}/api/connect/redeem`, "the launch URL");
      t.matches(made.launchToken, /^[0-9a-f]{64}$/, "the launch token");
      for (const time of [made.expiresAt, made.resultExpiresAt])
        t.matches(time, DATE_TIME, "a DateTime is UTC with milliseconds");
      t.near(made.expiresAt, before.getTime() + 600_000, 30_000, "expiresAt is 10 minutes after creation");
      const betweenMs = Date.parse(made.resultExpiresAt) - Date.parse(made.expiresAt);
      t.equal(betweenMs, 86_400_000 - 600_000, "resultExpiresAt is 24 hours after creation");
    },
  },
  "S4.transport.date": {
    title: "The Date header of a response is of the clock that its times are of.",
    reaches: [session],
    run: async (t) => {
      const variables = { input: connectInput(t) };
      const answer = await t.api.graphql(documentOf("createConnectSession"), variables);
      const made = answer.body?.data?.["createConnectSession"] as ConnectSession;
      t.keepSecret(made.launchToken);
      t.near(answer.headers.get("date") ?? "", Date.parse(made.expiresAt) - 600_000, 30_000, "the date");
    },
  },
  "S4.connectSessionResult.created": {
    title: "An attempt that was not launched reads CREATED, with only its deadlines.",
    reaches: [
      session,
      "operation:connectSessionResult",
      "enum:ConnectSessionStatus.CREATED",
      ...PROVIDERS.map((p) => `enum:SocialProvider.${p}`),
    ],
    run: async (t) => {
      for (const provider of PROVIDERS) {
        const made = await createSession(t, { provider });
        const { id, expiresAt, resultExpiresAt } = made;
        const nothing = { resultCode: null, connectionId: null, creatorAction: null };
        const expected = { id, provider, status: "CREATED", ...nothing, expiresAt, resultExpiresAt };
        t.equal(await resultOf(t, made), expected, "the result of an attempt that was only created");
      }
    },
  },
  ...caseForEach(
    [
      ["empty", "An empty list of capabilities", "non-empty", []],
      ["duplicates", "A duplicate capability", "no-duplicates", ["PROFILE", "CONTENT_LIST", "PROFILE"]],
    ],
    ([name, what, rule, capabilities]) => ({
      id: `S2.ConnectInput.capabilities.${name}`,
      title: `${what} is refused.`,
      reaches: [session, `rule:ConnectInput.capabilities.${rule}`, "code:BAD_USER_INPUT"],
      run: async (t) => {
        await refusesSession(t, { capabilities }, "BAD_USER_INPUT");
      },
    }),
  ),
  ...caseForEach(ALL_CAPABILITIES, (capability) => ({
    id: `S2.ConnectInput.capabilities.allowed-${capability}`,
    title: `${capability} outside the application's policy is FORBIDDEN; inside it is accepted.`,
    needs: ["operator"],
    reaches: [session, "rule:ConnectInput.capabilities.allowed"],
    run: async (t) => {
      await createSession(t, { capabilities: [capability] });
      const others = ALL_CAPABILITIES.filter((other) => other !== capability);
      await t.driver("operator").setPolicy(t.application, { capabilities: others });
      await refusesSession(t, { capabilities: [capability] }, "FORBIDDEN");
      await refusesSession(t, {}, "FORBIDDEN", "one of several is enough");
      await createSession(t, { capabilities: others });
    },
  })),
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S2.ConnectInput.provider.allowed-${provider}`,
    title: `${provider} outside the application's policy is FORBIDDEN, and its readiness agrees.`,
    needs: ["operator"],
    reaches: [session, "rule:ConnectInput.provider.allowed", "operation:integrationReadiness"],
    run: async (t) => {
      await createSession(t, { provider });
      const others = PROVIDERS.filter((other) => other !== provider);
      await t.driver("operator").setPolicy(t.application, { providers: others });
      await refusesSession(t, { provider }, "FORBIDDEN");
      t.equal(await availableProviders(t), others, "readiness of the providers");
    },
  })),
  ...nearReturnUrls,
  "S2.ConnectInput.returnUrl.fragment": {
    title: "A return URL with a fragment is refused, even if the part before it is registered.",
    reaches: [session, "rule:ConnectInput.returnUrl.fragment"],
    run: async (t) => {
      for (const fragment of ["#", "#top", "#?x"]) {
        const returnUrl = t.application.returnUrl + fragment;
        await refusesSession(t, { returnUrl }, "BAD_USER_INPUT", fragment);
      }
    },
  },
  "S2.ConnectInput.returnUrl.ss-parameter": {
    title:
      "A query parameter whose name starts with ss_ is refused; others are accepted when the URL is registered with them.",
    needs: ["operator"],
    reaches: [session, "rule:ConnectInput.returnUrl.ss-parameter"],
    run: async (t) => {
      for (const query of ["ss_status=COMPLETED", "a=1&ss_session_id=x", "ss_=", "%73s_x=1"]) {
        const returnUrl = `${t.application.returnUrl}?${query}`;
        await refusesSession(t, { returnUrl }, "BAD_USER_INPUT", query);
      }
      const good = `${t.application.returnUrl}?class=a&SS_x=1&boss_=2`;
      await t.driver("operator").addReturnUrl(t.application, good);
      await createSession(t, { returnUrl: good });
    },
  },
  "S2.ConnectInput.returnUrl.preview": {
    title: "A URL that only resembles a preview's is refused, even while the application's previews are enabled.",
    needs: ["operator"],
    reaches: [session, "rule:ConnectInput.returnUrl.registered"],
    run: async (t) => {
      const template = t.target.previewTemplate ?? "https://{label}.preview.example.app";
      const at = (label: string) => template.replace("{label}", label);
      const returnUrl = `${at("branch-1")}/return`;
      await refusesSession(t, { returnUrl }, "BAD_USER_INPUT");
      await t.driver("operator").setPreviews(t.application, { enabled: true, paths: ["/return"] });
      for (const other of [
        `${at("a.b")}/return`,
        `${at("branch-1").replace("branch-1.", "")}/return`,
        `${at("branch-1")}/other`,
        `${at("branch-1").replace(/^https?/, (scheme) => (scheme === "https" ? "http" : "https"))}/return`,
        `${at("branch-1")}.evil.example/return`,
        `${at("-x")}/return`,
      ]) {
        await refusesSession(t, { returnUrl: other }, "BAD_USER_INPUT", other);
      }
    },
  },
  "S2.ConnectInput.returnUrl.preview-without-path": {
    title:
      "An application with previews enabled and without preview paths refuses a return URL that is not registered.",
    needs: ["operator", "admin"],
    reaches: [session, "rule:ConnectInput.returnUrl.registered"],
    run: async (t) => {
      const id = await t.driver("operator").clientId(t.application);
      const client = await t.admin.get("setClientPreviewOrigins", { id, enabled: true });
      t.equal(client.previewReturnPaths, [], "preview paths");
      const template = t.target.previewTemplate ?? "https://{label}.preview.example.app";
      for (const returnUrl of [
        `${t.application.returnUrl}/unregistered`,
        `${template.replace("{label}", "branch-1")}/return`,
      ]) {
        await refusesSession(t, { returnUrl }, "BAD_USER_INPUT", returnUrl);
      }
      await createSession(t);
    },
  },
  "S2.ConnectInput.returnUrl.preview-good": {
    title:
      "A preview URL on one of the application's preview paths works like a registered one through the whole attempt.",
    needs: ["operator", "provider", "previews"],
    reaches: [session, "rule:ConnectInput.returnUrl.preview", "enum:ConnectSessionStatus.COMPLETED"],
    run: async (t) => {
      await t.driver("operator").setPreviews(t.application, { enabled: true, paths: ["/deep/return", "/"] });
      for (const [label, path] of [
        ["branch-1", "/deep/return"],
        ["b", "/"],
      ] as const) {
        const origin = String(t.target.previewTemplate).replace("{label}", label);
        const returnUrl = origin + path;
        const made = await createSession(t, { returnUrl });
        const browser = t.browser();
        const visit = await postLaunch(t, made, { browser, origin });
        t.equal(visit.status, 303, "a launch form from the preview's own page");
        const callback = await t.provider.consent(String(visit.location), { account: "tidepool-studio" });
        const back = await browser.get(callback);
        t.equal(back.location?.href.split("?")[0], returnUrl, "the redirect");
        t.equal((await resultOf(t, made)).status, "COMPLETED", "the attempt");
      }
    },
  },
  "S2.ConnectInput.scope.unregistered": {
    title: "A tenant that the application does not have is FORBIDDEN.",
    reaches: [session, "rule:ConnectInput.scope.registered", "rule:SubjectScope.tenantKey.registered"],
    run: async (t) => {
      await refusesSession(t, { scope: t.scope("nobody") }, "FORBIDDEN");
      await createSession(t);
    },
  },
  "S2.ConnectInput.reconnect.unknown": {
    title: "A reconnect target that does not exist is NOT_FOUND, also with an invalid id.",
    reaches: [session, "rule:ConnectInput.reconnectConnectionId.scope-and-provider", "rule:scalar.ID"],
    run: async (t) => {
      for (const reconnectConnectionId of ["0d4b9f5e-0000-4000-8000-000000000000", "not-an-id", ""]) {
        await refusesSession(t, { reconnectConnectionId }, "NOT_FOUND");
      }
    },
  },
  "S2.ConnectInput.reconnect.foreign": {
    title: "A reconnect target of another subject, tenant or provider is NOT_FOUND; the subject's own is accepted.",
    needs: ["provider"],
    reaches: [session, "rule:ConnectInput.reconnectConnectionId.scope-and-provider"],
    run: async (t) => {
      const { scope, connectionId } = await connect(t);
      const target = { reconnectConnectionId: connectionId };
      const other = t.application.tenantKeys[1] ?? t.application.tenantKeys[0];
      await refusesSession(t, target, "NOT_FOUND", "another subject");
      await refusesSession(t, { ...target, scope, provider: "PROVIDER_B" }, "NOT_FOUND", "another provider");
      if (other !== scope.tenantKey) {
        await refusesSession(t, { ...target, scope: { ...scope, tenantKey: other } }, "NOT_FOUND");
      }
      await createSession(t, { ...target, scope });
    },
  },
});
