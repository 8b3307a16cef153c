/** The rules that first read text from outside, on hostile text. */
import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import { expectLinearTime } from "@social-connect/testkit";
import { test } from "vitest";
import * as domain from "./index.ts";

const RULES = { allowLoopbackHttp: true };
const TEMPLATE = "https://{label}.preview.example.app";
const NOW = new Date("2026-09-01T12:00:00.000Z");
const CLIENT = {
  webOrigins: ["https://app.example"],
  returnUrls: ["https://app.example/return"],
  identityReturnUrls: [],
  previewReturnPaths: [],
  tenantKeys: ["acme"],
};
const APPLICATION = {
  ...CLIENT,
  enabled: true,
  providers: ["PROVIDER_A" as const],
  capabilities: ["PROFILE" as const],
  previewOriginsEnabled: true,
  idpIdentityEnabled: true,
};
const STORED_CLIENT = {
  ...APPLICATION,
  ...domain.NO_BRANDING,
  id: "id",
  slug: "app",
  displayName: "App",
  createdAt: NOW,
  updatedAt: NOW,
};
const REGISTRATION = {
  clientId: "id",
  addresses: { authorization: "https://a.example", token: "https://a.example", api: "https://a.example" },
  scopes: [],
  capabilities: ["PROFILE"],
};
const NO_POLICY = { providers: [], capabilities: [], tenantKeys: [] };
const changeClient = <Name extends domain.ClientChangeName>(name: Name, input: domain.ClientChangeInput<Name>) =>
  domain.decideClientChange(
    name,
    { client: STORED_CLIENT, openAttempts: { connect: [], identity: [] }, mode: "sandbox", previewTemplate: TEMPLATE },
    input,
    NOW,
  );
/** Node refuses longer request lines, and the service longer forms. */
const LONGEST_QUERY = 16_384;
const query = (text: string) => new URLSearchParams(text.slice(0, LONGEST_QUERY));

const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  asEmailAddress: domain.asEmailAddress,
  asUuid: domain.asUuid,
  brandingProblem: (text) => domain.BRANDING_FIELDS.map((field) => domain.brandingProblem(field, text)),
  callbackState: (text) => domain.callbackState(query(`state=${text}`)),
  checkBrandingField: (text) => domain.BRANDING_FIELDS.map((field) => domain.checkBrandingField(field, text)),
  checkConnectInput: (text) =>
    domain.checkConnectInput(
      {
        scope: { tenantKey: text, externalSubjectId: text },
        provider: "PROVIDER_A",
        capabilities: [],
        returnUrl: text,
      },
      APPLICATION,
      TEMPLATE,
    ),
  checkSupportReason: domain.checkSupportReason,
  checkIdentityReturnUrls: (text) => domain.checkIdentityReturnUrls(CLIENT, { enabled: true, urls: [text] }, RULES),
  checkIdpIdentityInput: (text) =>
    domain.checkIdpIdentityInput({ tenantKey: "acme", returnUrl: text }, APPLICATION, true),
  checkInput: (text) => [
    domain.checkInput("createClient", {
      input: { ...NO_POLICY, slug: text, displayName: text, confirmedNoOnwardRedirect: true },
    }),
    domain.checkInput("createRegistration", { input: { ...REGISTRATION, clientId: text } }),
    domain.checkInput("createRegistration", { input: { ...REGISTRATION, addresses: { authorization: text } } }),
    domain.checkInput("createRegistration", {
      input: { ...REGISTRATION, scopes: [{ capability: "PROFILE", scopes: [text] }] },
    }),
    domain.checkInput("searchAuditEntries", { actor: text }),
    domain.checkInput("addClientTester", { providerAccountId: text }),
  ],
  checkLookupUrl: domain.checkLookupUrl,
  checkNewClient: (text) =>
    domain.checkNewClient({ webOrigins: [text], returnUrls: [text], tenantKeys: [text] }, RULES),
  checkPolicy: (text) =>
    domain.checkPolicy(APPLICATION, { tenantKey: text, provider: "PROVIDER_A", capabilities: ["PROFILE"] }),
  checkPreviewTemplate: (text) => domain.checkPreviewTemplate(text, RULES),
  checkRefreshArguments: (text) =>
    domain.checkRefreshArguments({ providerContentId: text, window: null, continuationCursor: text }),
  checkReturnUrl: (text) =>
    [text, `https://app.example/?${text}`].map((url) =>
      domain.checkReturnUrl(url, {
        registered: CLIENT.returnUrls,
        preview: { template: TEMPLATE, enabled: true, paths: ["/return", "/"] },
      }),
    ),
  checkReturnUrlRegistration: (text) =>
    domain.checkReturnUrlRegistration(text, { ...RULES, webOrigins: CLIENT.webOrigins }),
  checkWebOrigin: (text) => domain.checkWebOrigin(text, RULES),
  decideAddAdmin: (text) => domain.decideAddAdmin({ isListed: false, addedBy: "System" }, text, "id", NOW),
  decideClientChange: (text) => [
    changeClient("addClientOrigin", { origin: text }),
    changeClient("addClientPreviewReturnPath", { path: text }),
    changeClient("addClientReturnUrl", { url: text, confirmedNoOnwardRedirect: true }),
    changeClient("addClientTenantKey", { tenantKey: text }),
    changeClient("removeClientOrigin", { origin: text }),
    changeClient("removeClientPreviewReturnPath", { path: text }),
    changeClient("removeClientReturnUrl", { url: text }),
    changeClient("removeClientTenantKey", { tenantKey: text }),
    changeClient("setClientBranding", { logo: text, brandColor: text, supportAddress: text, privacyUrl: text }),
    changeClient("setClientDisplayName", { displayName: text }),
    changeClient("setClientIdpIdentity", { enabled: true, returnUrls: [text] }),
  ],
  decideCreateClient: (text) =>
    domain.decideCreateClient(
      { slugIsTaken: false, mode: "sandbox" },
      { ...APPLICATION, slug: text, displayName: text, tenantKeys: [text], confirmedNoOnwardRedirect: true },
      "id",
      NOW,
    ),
  decideCreateRegistration: (text) =>
    domain.decideCreateRegistration(
      { provider: "PROVIDER_A", knownClients: [], mode: "sandbox" },
      {
        clientId: "id",
        clientSecret: "secret",
        addresses: { authorization: text, token: text, revocation: text, api: text, issuer: text },
        scopes: [{ capability: "PROFILE", scopes: [text] }],
        capabilities: ["PROFILE"],
        clientIds: [text],
      },
      "id",
      NOW,
    ),
  explainReturnUrl: (text) =>
    [text, `https://app.example/${text}`].map((returnUrl) =>
      domain.explainReturnUrl(domain.UNREGISTERED_RETURN_URL, {
        returnUrl,
        registered: CLIENT.returnUrls,
        remedy: "Register it.",
      }),
    ),
  isDecimalCount: domain.isDecimalCount,
  isIdentityDenial: (text) => domain.isIdentityDenial(query(text)),
  isLaunchOriginAllowed: (text) => domain.isLaunchOriginAllowed(text, APPLICATION, TEMPLATE),
  hostNameOf: domain.hostNameOf,
  matchesPreviewTemplate: (text) => domain.matchesPreviewTemplate(text, TEMPLATE),
  logoDataUrl: (text) => domain.logoDataUrl(Buffer.from(text)),
  localHostProblem: (text) => domain.localHostProblem([text]),
  parseAddress: (text) => [domain.parseAddress(text, RULES), domain.parseAddress(`https://${text}`, RULES)],
  parseAdminKey: (text) => [domain.parseAdminKey(text), domain.parseAdminKey(`Bearer ${text}`)],
  parseApplicationKey: (text) => [domain.parseApplicationKey(text), domain.parseApplicationKey(`Bearer ${text}`)],
  parseDateTime: domain.parseDateTime,
  parseLookupUrl: (text) => SOCIAL_PROVIDERS.map((provider) => domain.parseLookupUrl(text, provider)),
  readConnectCallback: (text) => domain.readConnectCallback(query(text), "https://issuer.example"),
  servedMethods: (text) => domain.servedMethods(text, () => true),
  foreignBoolean: domain.foreignBoolean,
  foreignList: domain.foreignList,
  foreignName: domain.foreignName,
  foreignScopes: domain.foreignScopes,
  foreignText: domain.foreignText,
  foreignUrl: domain.foreignUrl,
  readClientVersion: domain.readClientVersion,
  signInCallbackOutcome: (text) =>
    domain.signInCallbackOutcome({ expiresAt: NOW, isUsed: false }, query(text), new Date(0)),
  shownOrigin: domain.shownOrigin,
  speculativeStatus: (text) => [
    domain.speculativeStatus("HEAD", text, () => null),
    domain.speculativeStatus("GET", "/panel/callback", () => text),
  ],
  utf8Text: (text) => domain.utf8Text(Buffer.from(text)),
};

test.each(Object.entries(PARSERS))("%s takes 1 MiB of hostile text in under 100 ms", (_, parser) => {
  expectLinearTime(parser);
});
