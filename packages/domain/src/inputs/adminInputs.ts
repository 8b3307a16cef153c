import type { AdminOperationName, Capability, SocialProvider } from "@social-connect/contract";
import { checkTenantKey } from "../applications/scope.ts";
import { BRANDING_FIELDS, type Branding, checkBrandingField } from "../clients/branding.ts";
import { checkDisplayName, checkDistinct, checkNoOnwardRedirect, checkSlug } from "../clients/clientRules.ts";
import type { CreateClientInput } from "../clients/createClient.ts";
import { checkTesterNote } from "../clients/testers.ts";
import { type AdminRefusal, invalidField, refuseField } from "../decisions/refusal.ts";
import { checkEndpointTypes, checkEndpointUrl, type EndpointInput } from "../events/endpoint.ts";
import { checkResendArguments } from "../events/resend.ts";
import { isLifetimeInDays } from "../keys/keyLifetime.ts";
import { checkPersonReason } from "../people/personRecords.ts";
import { checkQuota, type QuotaInput } from "../registrations/registrationQuota.ts";
import { checkRegistration, type RegistrationShape } from "../registrations/registrationRules.ts";
import { checkSupportReason, MOST_SEARCHED_CHARACTERS } from "../support/supportChanges.ts";
import { asEmailAddress } from "../text/emailAddress.ts";
import { checkName, checkText, isStorableText } from "../text/text.ts";
import { checkOriginForm } from "../urls/origin.ts";
import { checkPreviewReturnPath, checkReturnUrlForm } from "../urls/returnUrl.ts";

/** Page sizes of the admin API's lists. */
export const ADMIN_PAGE = { max: 100, default: 50 } as const;
/** Ten years. An application key for longer has no expiry. This project's choice. */
const LONGEST_KEY_DAYS = 3_650;
const LABEL = { maxLength: 80 };
const ACCOUNT_ID = { maxLength: 256 };

type Texts<Name extends string> = { readonly [Each in Name]?: string | null | undefined };
export interface Page {
  readonly first?: number | null | undefined;
}

const page = ({ first }: Page) =>
  first != null && (first < 1 || first > ADMIN_PAGE.max)
    ? invalidField("first", `\`first\` must be between 1 and ${ADMIN_PAGE.max}.`)
    : null;

/** A page of what is found by these search strings. */
const found =
  <Name extends string>(...names: readonly Name[]) =>
  (args: Page & Texts<Name>) =>
    firstOf(names, (name) => checkSearch(name, args[name] ?? "")) ?? page(args);

const ofSubject = found("clientSlug", "tenantKey", "externalSubjectId");
const ofUser = found("clientSlug", "tenantKey", "startsWith");
const ofConnections = (
  args: Page & Texts<"clientSlug" | "registrationId" | "tenantKey" | "errorCode" | "externalSubjectId" | "handle">,
) => {
  const ofClient = (["tenantKey", "handle"] as const).find((name) => args[name] != null);
  return ofClient !== undefined && args.clientSlug == null
    ? invalidField(ofClient, `Name the client of the ${ofClient === "handle" ? ofClient : "tenant"} as \`clientSlug\`.`)
    : found("clientSlug", "registrationId", "tenantKey", "errorCode", "externalSubjectId", "handle")(args);
};
const checkStart = ({ startsWith }: Texts<"startsWith">) =>
  startsWith ? null : invalidField("startsWith", "Name at least one character with which the ids begin.");
const withReason = ({ reason }: { readonly reason: string }) => checkSupportReason(reason);
const ofAccount = ({ providerAccountId }: { readonly providerAccountId: string }) =>
  refuseField("providerAccountId", checkText(providerAccountId, "providerAccountId", ACCOUNT_ID));
const ofTester = (args: Parameters<typeof ofAccount>[0] & Texts<"note">) =>
  ofAccount(args) ?? refuseField("note", checkTesterNote(args.note));
// Whether plain http is accepted depends on the deployment, which the change itself checks.
const ofEndpoint = ({ url, types }: Pick<EndpointInput, "url" | "types">) =>
  (url == null ? null : checkEndpointUrl(url, "sandbox")) ?? (types == null ? null : checkEndpointTypes(types));
const ofRegistration = ({ input }: { readonly input: RegistrationShape }) => checkRegistration(input);

/** The errors name the argument, or its path in an input. Source: service description, parts 4, 5 and 7. */
export const ADMIN_INPUTS = {
  adminAuditEntries: page,
  adminClients: page,
  apiKeys: page,
  searchClients: found("text"),
  searchAuditEntries: found("apiKeyId", "clientSlug", "action", "actor", "targetType", "targetId"),
  adminConnections: ofConnections,
  adminConnectionCounts: ofConnections,
  adminClientsOfSdkVersion: found("version"),
  searchConnections: ofSubject,
  searchConnectAttempts: ofSubject,
  suggestUsers: (args: Parameters<typeof ofUser>[0]) => ofUser(args) ?? checkStart(args),
  findPeople: (args: Texts<"startsWith">) => found("startsWith")(args) ?? checkStart(args),
  person: ofSubject,
  events: found("type", "externalSubjectId"),
  plannedTouch: found("value"),
  resendEvents: checkResendArguments,
  addEventEndpoint: ofEndpoint,
  changeEventEndpoint: ofEndpoint,
  createClient: ({ input }: { readonly input: CreateClientInput }) =>
    checkNoOnwardRedirect(input.confirmedNoOnwardRedirect) ??
    checkSlug(input.slug) ??
    checkDisplayName(input.displayName) ??
    checkPolicyLists(input),
  setClientDisplayName: ({ displayName }: { readonly displayName: string }) => checkDisplayName(displayName),
  setClientBranding: (branding: Texts<keyof Branding>) =>
    firstOf(BRANDING_FIELDS, (field) => (branding[field] == null ? null : checkBrandingField(field, branding[field]))),
  setClientPolicy: checkPolicyLists,
  addClientTenantKey: ({ tenantKey }: { readonly tenantKey: string }) =>
    refuseField("tenantKey", checkTenantKey(tenantKey)),
  addClientOrigin: ({ origin }: { readonly origin: string }) => refuseField("origin", checkOriginForm(origin)),
  addClientReturnUrl: (args: { readonly url: string; readonly confirmedNoOnwardRedirect: boolean }) =>
    checkNoOnwardRedirect(args.confirmedNoOnwardRedirect) ?? refuseField("url", checkReturnUrlForm(args.url)),
  addClientPreviewReturnPath: ({ path }: { readonly path: string }) =>
    refuseField("path", checkPreviewReturnPath(path)),
  setClientIdpIdentity: ({ returnUrls }: { readonly returnUrls?: readonly string[] | null | undefined }) =>
    firstOf(returnUrls ?? [], (url) => refuseField("returnUrls", checkReturnUrlForm(url))),
  mintApiKey: ({ label }: { readonly label: string }) => refuseField("label", checkName(label, "label", LABEL)),
  addAdminMember: ({ email }: { readonly email: string }) =>
    asEmailAddress(email) === null ? invalidField("email", "Enter a valid email address.") : null,
  issueClientCredential: ({ expiresInDays }: { readonly expiresInDays?: number | null | undefined }) =>
    expiresInDays == null || isLifetimeInDays(expiresInDays, LONGEST_KEY_DAYS)
      ? null
      : invalidField("expiresInDays", `\`expiresInDays\` must be between 1 and ${LONGEST_KEY_DAYS}, or absent.`),
  addClientTester: ofTester,
  setClientTesterNote: ofTester,
  removeClientTester: ofAccount,
  createRegistration: ofRegistration,
  updateRegistration: ofRegistration,
  setRegistrationQuota: ({ quota }: { readonly quota?: QuotaInput | null | undefined }) => checkQuota(quota ?? {}),
  viewConnection: withReason,
  rescanConnection: withReason,
  retryJob: withReason,
  disconnectForUser: withReason,
  erasePerson: (args: Parameters<typeof ofSubject>[0] & Parameters<typeof checkPersonReason>[0]) =>
    ofSubject(args) ?? checkPersonReason(args),
} as const satisfies Partial<Record<AdminOperationName, (args: never) => AdminRefusal | null>>;

function checkPolicyLists(lists: {
  readonly providers: readonly SocialProvider[];
  readonly capabilities: readonly Capability[];
}): AdminRefusal | null {
  return checkDistinct("providers", lists.providers) ?? checkDistinct("capabilities", lists.capabilities);
}

/** Any text that can be stored can be searched for. */
function checkSearch(name: string, text: string): AdminRefusal | null {
  if (text.length > MOST_SEARCHED_CHARACTERS)
    return invalidField(name, `The search string must have at most ${MOST_SEARCHED_CHARACTERS} characters.`);
  if (isStorableText(text)) return null;
  return invalidField(name, "The search string contains characters that cannot be stored.");
}

function firstOf<Value>(values: readonly Value[], check: (value: Value) => AdminRefusal | null): AdminRefusal | null {
  for (const value of values) {
    const refusal = check(value);
    if (refusal !== null) return refusal;
  }
  return null;
}
