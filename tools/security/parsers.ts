/** Every parser of text from outside: what the service, its mocks and its SDKs first do with it. */

import { createHmac, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { buildSchema, GraphQLError } from "graphql";
import { boundBrowserSecret } from "../../apps/server/src/http/browserBinding.ts";
import { accepts } from "../../apps/server/src/http/panelBuild.ts";
import { sessionTokenOf as panelToken } from "../../apps/server/src/http/panelCookie.ts";
import { panelPath } from "../../apps/server/src/http/panelPages.ts";
import { openCursor } from "../../apps/server/src/platform/cursor.ts";
import { redactText, redactValue } from "../../apps/server/src/platform/redact.ts";
import { Secret } from "../../apps/server/src/platform/secret.ts";
import { createSecretBox } from "../../apps/server/src/platform/secretBox.ts";
import * as coerce from "../../apps/server/src/providers/coerce.ts";
import type { RegistrationAccess } from "../../apps/server/src/providers/contract.ts";
import { errorLabel, printableCode } from "../../apps/server/src/providers/errorLabel.ts";
import { parseExactJson } from "../../apps/server/src/providers/exactJson.ts";
import { verifyWebhook } from "../../apps/server/src/providers/provider-b/webhook.ts";
import { verifySignedRequest } from "../../apps/server/src/providers/provider-c/deauthorization.ts";
import { usedShare } from "../../apps/server/src/providers/provider-c/errors.ts";
import { retryAfterSeconds } from "../../apps/server/src/providers/retryAfter.ts";
import { LIMITS, printable, printableJson, SOCIAL_PROVIDERS } from "../../packages/contract/src/index.ts";
import * as domain from "../../packages/domain/src/index.ts";
import { redactor } from "../../packages/mocks/src/drift/redactor.ts";
import { redact } from "../../packages/mocks/src/graphql/callLog.ts";
import { boundSecret, sessionTokenOf } from "../../packages/mocks/src/http/cookies.ts";
import { type Incoming, readForm } from "../../packages/mocks/src/http/exchange.ts";
import { errorPage } from "../../packages/mocks/src/pages/pages.ts";
import { cleanId, cleanMessage, cleanName, withSecretsOf } from "../../packages/sdk-core/src/serverText.ts";
import * as transport from "../../packages/transport/src/index.ts";
import { validationMessage } from "../../packages/transport/src/responses/validationMessage.ts";

type Parser = (text: string) => unknown;

const RULES = { allowLoopbackHttp: true };
const TEMPLATE = "https://{label}.preview.example.app";
const NOW = new Date("2026-09-01T12:00:00.000Z");
const KEY = `0f8fad5b-d9cb-469f-a165-70867728950e.${"c0ffee00".repeat(8)}`;
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
const TESTERS = { client: STORED_CLIENT, testers: [] };
const changeClient = <Name extends domain.ClientChangeName>(name: Name, input: domain.ClientChangeInput<Name>) =>
  domain.decideClientChange(
    name,
    { client: STORED_CLIENT, openAttempts: { connect: [], identity: [] }, mode: "sandbox", previewTemplate: TEMPLATE },
    input,
    NOW,
  );
const WEBHOOK_CLIENT = { clientSecret: "client-secret" } as RegistrationAccess;
const webhook = (header: string, body: Buffer) => verifyWebhook(WEBHOOK_CLIENT, { header: () => header, body });
const signatureOf = (text: string) =>
  createHmac("sha256", WEBHOOK_CLIENT.clientSecret).update("1780000000.").update(Buffer.from(text)).digest("hex");
const CARRIED = { secrets: [KEY, ...KEY.split(".")], values: ["acme", "user-42", "https://app.example/return"] };
/** Node refuses longer request lines and headers, and the service longer forms. */
const LONGEST_QUERY = 16_384;
const query = (text: string) => new URLSearchParams(text.slice(0, LONGEST_QUERY));
const PUBLIC_URL = new URL("https://connect.example");

/** The rules of the domain, by function name. A test fails for a function that takes text and is in neither list. */
export const DOMAIN_PARSERS: Readonly<Record<string, Parser>> = {
  addressProblem: (text) => [domain.addressProblem(text, RULES), domain.addressProblem(`https://${text}`, RULES)],
  asEmailAddress: domain.asEmailAddress,
  asUuid: domain.asUuid,
  brandingProblem: (text) => domain.BRANDING_FIELDS.map((field) => domain.brandingProblem(field, text)),
  callbackState: (text) => domain.callbackState(query(`state=${text}`)),
  characterCount: domain.characterCount,
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
  checkDisplayName: domain.checkDisplayName,
  checkSupportReason: domain.checkSupportReason,
  checkReasonAbout: (text) => domain.checkReasonAbout({ externalSubjectId: text }, text),
  checkPersonReason: (text) => domain.checkPersonReason({ reason: text, externalSubjectId: text }),
  checkDistinct: (text) => domain.checkDistinct("tenantKeys", text.split(" ")),
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
  checkMediaType: transport.checkMediaType,
  checkName: (text) => domain.checkName(text, "name", { maxLength: 80 }),
  checkNewClient: (text) =>
    domain.checkNewClient({ webOrigins: [text], returnUrls: [text], tenantKeys: [text] }, RULES),
  checkPolicy: (text) =>
    domain.checkPolicy(APPLICATION, { tenantKey: text, provider: "PROVIDER_A", capabilities: ["PROFILE"] }),
  checkPreviewReturnPath: domain.checkPreviewReturnPath,
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
  checkOriginForm: domain.checkOriginForm,
  checkReturnUrlForm: domain.checkReturnUrlForm,
  checkReturnUrlRegistration: (text) =>
    domain.checkReturnUrlRegistration(text, { ...RULES, webOrigins: CLIENT.webOrigins }),
  checkSlug: domain.checkSlug,
  checkTenant: (text) => domain.checkTenant(APPLICATION, text, "FORBIDDEN"),
  checkTenantKey: domain.checkTenantKey,
  checkText: (text) => domain.checkText(text, "name", { maxLength: 128 }),
  checkWebOrigin: (text) => domain.checkWebOrigin(text, RULES),
  decideAddAdmin: (text) => domain.decideAddAdmin({ isListed: false, addedBy: "System" }, text, "id", NOW),
  decideAddTester: (text) => domain.decideAddTester(TESTERS, { provider: "PROVIDER_A", providerAccountId: text }),
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
      { provider: "PROVIDER_A", knownClientIds: [], mode: "sandbox" },
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
  decideMintApiKey: (text) =>
    domain.decideMintApiKey(
      { admin: { id: "id", email: "ada@example.com" }, keys: [], mode: "sandbox" },
      { label: text, scope: "READ", lifetimeDays: 1 },
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
  isExactOrigin: (text) => domain.isExactOrigin(text, RULES),
  isIdentityDenial: (text) => domain.isIdentityDenial(query(text)),
  isLaunchOriginAllowed: (text) => domain.isLaunchOriginAllowed(text, APPLICATION, TEMPLATE),
  isLaunchToken: domain.isLaunchToken,
  hostNameOf: domain.hostNameOf,
  isAnyAddress: domain.isAnyAddress,
  isLoopbackHost: domain.isLoopbackHost,
  isLoopbackName: domain.isLoopbackName,
  isStorableText: domain.isStorableText,
  matchesPreviewTemplate: (text) => domain.matchesPreviewTemplate(text, TEMPLATE),
  mayReturnFromIdentityTo: (text) => domain.mayReturnFromIdentityTo(text, APPLICATION),
  logoDataUrl: (text) => domain.logoDataUrl(Buffer.from(text)),
  logoProblem: domain.logoProblem,
  mayReturnTo: (text) => domain.mayReturnTo(text, APPLICATION, TEMPLATE),
  isPreparedWithoutKey: transport.isPreparedWithoutKey,
  isReadWithoutKey: transport.isReadWithoutKey,
  localHostProblem: (text) => domain.localHostProblem([text]),
  messageOf: (text) => domain.messageOf(new Error(text)),
  reachableHost: domain.reachableHost,
  parseAddress: (text) => [domain.parseAddress(text, RULES), domain.parseAddress(`https://${text}`, RULES)],
  parseAdminKey: (text) => [domain.parseAdminKey(text), domain.parseAdminKey(`Bearer ${text}`)],
  parseApplicationKey: (text) => [domain.parseApplicationKey(text), domain.parseApplicationKey(`Bearer ${text}`)],
  parseDateTime: domain.parseDateTime,
  parseUrl: (text) => [domain.parseUrl(text), domain.parseUrl(`https://${text}`)],
  parseLookupUrl: (text) => SOCIAL_PROVIDERS.map((provider) => domain.parseLookupUrl(text, provider)),
  readConnectCallback: (text) => domain.readConnectCallback(query(text), "https://issuer.example"),
  refusalMessage: (text) => domain.refusalMessage(text),
  servedMethods: (text) => domain.servedMethods(text, () => true),
  foreignBoolean: domain.foreignBoolean,
  foreignList: domain.foreignList,
  foreignName: domain.foreignName,
  foreignScopes: domain.foreignScopes,
  foreignText: domain.foreignText,
  foreignUrl: domain.foreignUrl,
  providerOfSlug: domain.providerOfSlug,
  readClientVersion: domain.readClientVersion,
  readDateTime: transport.readDateTime,
  readDecimalCount: transport.readDecimalCount,
  // A longer body is rejected before.
  readDocument: (text) =>
    transport.readDocument(text.slice(0, LIMITS.bodyBytes), {
      schema: SCHEMA,
      maxTokens: 1_500,
      checkLimits: () => null,
    }),
  needsNoKey: (text) => transport.needsNoKey(text.split(" ")),
  parseJson: transport.parseJson,
  readJsonObject: (text) => transport.readJsonObject(transport.parseJson(text)),
  readRequest: (text) => transport.readRequest({ contentType: "application/json", body: transport.parseJson(text) }),
  serializeError: (text) => transport.serializeError(new GraphQLError(text), "correlation-id"),
  showError: (text) => transport.showError(new GraphQLError(text), "correlation-id"),
  signInCallbackOutcome: (text) =>
    domain.signInCallbackOutcome({ expiresAt: NOW, isUsed: false }, query(text), new Date(0)),
  shownOrigin: domain.shownOrigin,
  speculativeStatus: (text) => [
    domain.speculativeStatus("HEAD", text, () => null),
    domain.speculativeStatus("GET", "/panel/callback", () => text),
  ],
  validationMessage: validationMessage,
  utf8Text: (text) => domain.utf8Text(Buffer.from(text)),
  withArgument: (text) => transport.withArgument(`A DateTime must ${text}`, "publishedAfter"),
  withVariable: (text) => {
    const [, reason = text] = /; (.*)$/s.exec(text) ?? [];
    const options = { originalError: new GraphQLError(reason) };
    return transport.withVariable(new GraphQLError(`Variable "$window" got invalid value ${text}`, options));
  },
};

const secretBox = createSecretBox([{ id: "k1", key: new Secret(randomBytes(32).toString("base64")) }]);
const cookieHeader = (text: string) => ({ raw: { headers: { get: () => text } } });
const incoming = (text: string): Incoming =>
  ({
    method: "POST",
    url: PUBLIC_URL,
    headers: { get: (name: string) => (name === "content-type" ? "application/x-www-form-urlencoded" : text) },
    text: async () => text,
  }) as unknown as Incoming;
/** Headers reject some characters; these return any value. */
const headers = (text: string) => ({ get: () => text }) as unknown as Headers;
const MOCK_HOSTS = { connectHost: PUBLIC_URL.origin, adminHost: PUBLIC_URL.origin } as Parameters<
  typeof sessionTokenOf
>[0];
const SCHEMA = buildSchema("type Query { ok: Boolean }");
const hide = redactor([KEY]);

/** Everything else. */
export const OTHER_PARSERS: Readonly<Record<string, Parser>> = {
  "server: redactText": redactText,
  "server: redactValue, as value": (text) => redactValue({ body: text, bytes: Buffer.from(text) }),
  "server: redactValue, as name": (text) => redactValue({ [text]: { [text]: text } }),
  "server: redactValue, as error": (text) =>
    redactValue({ err: new Error(text, { cause: { body: text, error: new Error(text, { cause: [text] }) } }) }),
  "server: redactValue, as many": (text) => redactValue({ parts: text.split(text.slice(0, 1)) }),
  "server: cookies of a connect attempt": (text) =>
    boundBrowserSecret({ req: cookieHeader(text) } as never, PUBLIC_URL, "connect", "a"),
  "server: cookies of the panel": (text) => panelToken({ headers: { cookie: text } } as IncomingMessage, PUBLIC_URL),
  "server: accept-encoding": (text) => accepts(text, "br"),
  "server: returnTo of the panel": (text) => panelPath(text, PUBLIC_URL),
  "server: form": (text) => query(text).getAll("launchToken"),
  "server: address of a callback": (text) =>
    new URL(`https://connect.example/callback?code=${text}&state=${text}`).search,
  "server: cursor": (text) => [openCursor(secretBox, ["content"], text)],
  "server: cursor of our form": (text) => [openCursor(secretBox, ["content"], `v1.k1.${text}`)],
  "server: signed_request": (text) => verifySignedRequest("client-secret", text),
  "server: payload of a signed_request": (text) => verifySignedRequest("client-secret", `${"a".repeat(43)}.${text}`),
  "server: header of a webhook": (text) => webhook(text, Buffer.from("{}")),
  "server: signatures of a webhook": (text) => webhook(`t=1780000000,s=${"a".repeat(64)},${text}`, Buffer.from("{}")),
  "server: body of a webhook": (text) => webhook(`t=1780000000,s=${signatureOf(text)}`, Buffer.from(text)),
  "server: JSON of a provider": parseExactJson,
  "server: JSON text of a provider": (text) => parseExactJson(`{"text":"${text}"}`),
  "server: Retry-After": (text) => retryAfterSeconds(headers(text), NOW),
  "server: date in Retry-After": (text) => retryAfterSeconds(headers(`Tue, ${text} GMT`), NOW),
  "server: usage header": (text) => usedShare(headers(text)),
  "server: code of a provider": (text) => [errorLabel(text), printableCode(text)],
  ...Object.fromEntries(
    [coerce.coerceString, coerce.coerceId, coerce.coerceCount, coerce.coerceNumber, coerce.coerceBoolean]
      .concat([coerce.coerceTime, coerce.coerceUrl] as never)
      .map((shape, index) => [`server: field of a provider ${index}`, (text: string) => shape.parse(text)]),
  ),
  "server: address of a provider": (text) => coerce.coerceUrl.parse(`https://${text}`),
  "server: address without tracking": (text) => coerce.withoutTracking(`https://media.example/${text}`),
  "mocks: redact": (text) => redact({ [text.slice(0, 4_096)]: text, list: [text] }),
  "mocks: redactor of drift": hide,
  "mocks: cookies of a connect attempt": (text) => boundSecret(MOCK_HOSTS, incoming(text), "connect", "a"),
  "mocks: cookies of the panel": (text) => sessionTokenOf(MOCK_HOSTS, incoming(text)),
  "mocks: form": (text) => readForm(incoming(text)),
  "mocks: page": (text) => errorPage({ status: 400, title: "", happened: text, whatToDo: "" }),
  "sdk-core: message": (text) => cleanMessage(text, CARRIED),
  "sdk-core: message that repeats an answer": (text) =>
    cleanMessage(text, withSecretsOf({ launchToken: text, id: text, launchUrl: `${text}/` }, CARRIED)),
  "sdk-core: name": (text) => cleanName(text, /^[A-Za-z][\w.-]{0,38}$/, CARRIED),
  "sdk-core: id": (text) => cleanId(text, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, CARRIED),
  "admin-sdk: printable": printable,
  "admin-sdk: printable JSON": (text) => printableJson({ text }),
};
