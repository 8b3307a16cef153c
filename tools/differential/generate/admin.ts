import type { AdminOperationName } from "../../../packages/conformance/src/wire/documents.ts";
import { CAPABILITIES, SOCIAL_PROVIDERS } from "../../../packages/contract/src/index.ts";
import type { Model } from "./model.ts";
import { ADMIN_REQUEST_VARIANTS, type AdminArguments, type AdminValue, type StepAction, type Target } from "./steps.ts";

const value = (plain: unknown): AdminValue => ({ is: "value", value: plain });

/** A step on the admin side: an operation with a key or in the panel, or a request that is wrong in form. */
export function generateAdmin(model: Model): StepAction {
  const { random } = model;
  return random.weighted<() => StepAction>([
    [10, () => withKey(model)],
    [8, () => inPanel(model)],
    [2, () => ({ do: "adminRequest", variant: random.pick(ADMIN_REQUEST_VARIANTS) })],
  ])();
}

function withKey(model: Model): StepAction {
  const { random } = model;
  const [operation, args] = operationWithKey(model);
  const minted = model.adminKeys.length > 0 && random.chance(0.2) ? random.pick(model.adminKeys) : null;
  const key =
    minted ??
    random.weighted([
      [12, "write"],
      [2, "read"],
      [0.5, "wrong"],
    ] as const);
  return { do: "admin", operation, args, key };
}

function clientOf(model: Model): { readonly id: AdminValue; readonly slug: string; readonly n: Target } {
  const { random } = model;
  const n: Target = random.chance(0.96) ? random.pick(model.apps) : random.pick(["unknown", "malformed"] as const);
  return { id: { is: "application", of: n }, slug: `differential-${n}`, n };
}

function operationWithKey(model: Model): readonly [AdminOperationName, AdminArguments] {
  const { random } = model;
  const { id, slug } = clientOf(model);
  const own = `https://${slug}.example.test`;
  const origin = random.pick([
    own,
    `${own}:8443`,
    "https://other.example.test",
    "http://plain.example.test",
    "http://localhost:3000",
    `${own}/path`,
    "no origin",
    "https://*.example.test",
  ]);
  const url = random.pick([
    `${own}/return`,
    `${own}/third`,
    `${own}:8443/return`,
    "https://elsewhere.example.test/return",
    `${own}/return#part`,
    `${own}/return?ss_x=1`,
    "not a url",
    `${own}/other-return?kept=1`,
  ]);
  const tenantKey = random.pick([
    "tenant-one",
    "tenant-two",
    "tenant-three",
    "",
    "x".repeat(128),
    "x".repeat(129),
    " spaced ",
  ]);
  const path = random.pick(["/preview-return", "/other", "no-slash", "/with?query", "/", ""]);
  const providers = random.weighted([
    [4, random.some(SOCIAL_PROVIDERS)],
    [1, []],
    [0.5, ["PROVIDER_A", "PROVIDER_A"]],
  ] as const);
  const capabilities = random.weighted([
    [4, random.some(CAPABILITIES)],
    [1, []],
    [0.5, ["PROFILE", "PROFILE"]],
  ] as const);
  return random.weighted<readonly [AdminOperationName, AdminArguments]>([
    [1, ["previewTemplate", {}]],
    [2, ["adminClient", { id }]],
    [1, ["adminProviderAvailability", {}]],
    [1, ["adminAuditEntries", { first: value(random.pick([1, 5, 100, 0, 101, null])) }]],
    [
      1,
      [
        "adminAuditEntries",
        { first: value(20), apiKeyId: { is: "adminKeyId", of: model.adminKeys.at(-1) ?? "unknown" } },
      ],
    ],
    [2, ["setClientEnabled", { id, enabled: value(random.chance(0.7)) }]],
    [
      2,
      [
        "setClientDisplayName",
        {
          id,
          displayName: value(random.pick(["New name", "", "x".repeat(81), "x".repeat(200), "Tab\there", "Ünïcødé 🦜"])),
        },
      ],
    ],
    [1, ["setClientBranding", { id, brandColor: value(random.pick(["#0a5c36", "#FFFFFF", "red", null])) }]],
    [3, ["setClientPolicy", { id, providers: value(providers), capabilities: value(capabilities) }]],
    [2, ["addClientTenantKey", { id, tenantKey: value(tenantKey) }]],
    [2, ["removeClientTenantKey", { id, tenantKey: value(tenantKey) }]],
    [3, ["addClientOrigin", { id, origin: value(origin) }]],
    [3, ["removeClientOrigin", { id, origin: value(origin) }]],
    [3, ["addClientReturnUrl", { id, url: value(url), confirmedNoOnwardRedirect: value(random.chance(0.85)) }]],
    [3, ["removeClientReturnUrl", { id, url: value(url) }]],
    [2, ["setClientPreviewOrigins", { id, enabled: value(random.chance(0.6)) }]],
    [2, ["addClientPreviewReturnPath", { id, path: value(path) }]],
    [1, ["removeClientPreviewReturnPath", { id, path: value(path) }]],
    [1, ["createClient", { input: value(newClient(model)) }]],
    [0.5, [random.pick(["apiKeys", "mintApiKey", "issueClientCredential"] as const), panelArguments(model)]],
  ]);
}

/** Arguments with a valid format for any panel operation. */
function panelArguments(model: Model): AdminArguments {
  const { id } = clientOf(model);
  return { id, label: value("x"), scope: value("READ"), lifetimeDays: value(1) };
}

function newClient({ random }: Model) {
  const slug = random.pick([`made-${random.int(1, 4)}`, "differential-1", "Bad Slug", "x", "-x", "x".repeat(64)]);
  const origin = `https://${/^[a-z0-9-]+$/.test(slug) ? slug : "made"}.example.test`;
  return {
    slug,
    displayName: "Made by a step",
    webOrigins: random.chance(0.9) ? [origin] : [],
    returnUrls: random.pick([
      [`${origin}/return`],
      [],
      ["https://elsewhere.example.test/return"],
      [`${origin}/return`, `${origin}/return`],
    ]),
    tenantKeys: random.pick([["tenant-one"], ["tenant-one"], [], ["a", "a"], [""]]),
    providers: random.pick([["PROVIDER_A"], [], ["PROVIDER_A", "PROVIDER_A"]]),
    capabilities: random.pick([["PROFILE"], ["PROFILE"], []]),
    confirmedNoOnwardRedirect: random.chance(0.9),
  };
}

function inPanel(model: Model): StepAction {
  const { random } = model;
  const { id, slug } = clientOf(model);
  const provider = random.pick(SOCIAL_PROVIDERS);
  const registration: AdminValue = { is: "registration", provider };
  const knownKey = model.applicationKeys.length > 0 ? random.pick(model.applicationKeys) : null;
  const [operation, args] = random.weighted<readonly [AdminOperationName, AdminArguments]>([
    [
      3,
      [
        "mintApiKey",
        {
          label: value(random.pick(["A key", "", "x".repeat(200)])),
          scope: value(random.pick(["READ", "WRITE"])),
          lifetimeDays: value(random.pick([1, 7, 90, 0, 91, -1])),
        },
      ],
    ],
    [
      2,
      [
        "revokeApiKey",
        {
          id: {
            is: "adminKey",
            of: model.adminKeys.length > 0 && random.chance(0.9) ? random.pick(model.adminKeys) : "unknown",
          },
        },
      ],
    ],
    [3, ["issueClientCredential", { id, expiresInDays: value(random.pick([null, 1, 30, 0, -1, 10_000])) }]],
    [
      3,
      [
        "revokeClientCredential",
        knownKey
          ? { id: { is: "application", of: knownKey.app }, keyId: { is: "applicationKeyId", of: knownKey.n } }
          : { id, keyId: value("00000000-0000-4000-8000-000000000000") },
      ],
    ],
    [
      2,
      [
        "setClientIdpIdentity",
        {
          id,
          enabled: value(random.chance(0.7)),
          returnUrls: value(
            random.pick([
              null,
              [`https://${slug}.example.test/identity-return`],
              [],
              ["https://elsewhere.example.test/x"],
            ]),
          ),
        },
      ],
    ],
    [
      1,
      [
        "addAdminMember",
        {
          email: value(
            random.pick([
              "admin-two@example.test",
              "Admin-Two@Example.test",
              "not an address",
              "admin@example.test",
              "",
            ]),
          ),
        },
      ],
    ],
    [
      1,
      [
        "removeAdminMember",
        { id: { is: "member", of: model.members.length > 0 ? random.pick(model.members).n : "unknown" } },
      ],
    ],
    [2, ["pauseRegistration", { id: registration }]],
    [3, ["publishRegistration", { id: registration }]],
    [0.3, ["disableRegistration", { id: registration }]],
    [
      1,
      [
        "updateRegistration",
        { id: registration, input: { is: "registrationInput", provider, capabilities: random.some(CAPABILITIES) } },
      ],
    ],
    [
      1,
      [
        "setRegistrationQuota",
        { id: registration, quota: value(random.pick([null, { units: 0 }, { units: 900_000 }])) },
      ],
    ],
    [1, ["clientCredentials", { id }]],
    [1, ["searchClients", { text: value(slug) }]],
    [1, ["searchAuditEntries", { clientSlug: value(slug), first: value(random.pick([5, 100])) }]],
    [
      1,
      [
        "addClientTester",
        {
          id,
          provider: value(provider),
          providerAccountId: { is: "accountId", provider, account: random.pick(["unicode", "empty"]) },
        },
      ],
    ],
    [
      1,
      [
        "removeClientTester",
        {
          id,
          provider: value(provider),
          providerAccountId: { is: "accountId", provider, account: random.pick(["unicode", "empty"]) },
        },
      ],
    ],
  ]);
  const person = model.members.length > 0 && random.chance(0.25) ? "admin-two" : random.chance(0.03) ? "ada" : "admin";
  return { do: "panel", operation, args, person };
}
