import { ADMIN_KEYS } from "../../context/adminApiClient.ts";
import { shapeOf } from "../../context/findings.ts";
import type { Steps } from "../../context/steps.ts";
import {
  ADMIN_CLASSES,
  type AdminClass,
  anyArguments,
  DESCRIBED_OPERATIONS,
  type DescribedOperation,
  PANEL_OWN_OPERATIONS,
} from "../../description/adminOperations.ts";
import { defineCases } from "../../harness/defineCase.ts";
import { adminKindOf } from "../../wire/documents.ts";
import { MALFORMED_KEYS } from "../support/malformedKeys.ts";
import { partsOf, REFUSED_CREDENTIALS, sessionCookie } from "./support/admins.ts";
import { type Prepared, prepare } from "./support/preparations.ts";

/** Why a key of either scope is refused, by the class of the operation; null: it runs. */
const REFUSAL_BY_SCOPE: Readonly<Record<AdminClass, Readonly<Record<"READ" | "WRITE", string | null>>>> = {
  READ: { READ: null, WRITE: null },
  WRITE: { READ: "API_KEY_READ_ONLY", WRITE: null },
  PANEL: { READ: "PANEL_ONLY", WRITE: "PANEL_ONLY" },
};
const SCOPES = ["READ", "WRITE"] as const;

export const CLASS_CASES = defineCases({ needs: ["admin"], application: "none" }, (test) => {
  for (const name of DESCRIBED_OPERATIONS)
    test(`S4.admin.class.${name}: ${name} runs for the callers of its class (${ADMIN_CLASSES[name]}), and changes nothing for others.`, async (t) => {
      const prepared = await prepare(t, name);
      try {
        await refusesOthers(t, name, prepared);
        await refusesScopes(t, name, prepared);
        await changedNothing(t, prepared);
        await runs(t, name, prepared);
      } finally {
        await prepared.undo?.();
      }
    }).with({ holds: name.endsWith("ApiKey") ? [ADMIN_KEYS] : [] });
  for (const name of PANEL_OWN_OPERATIONS)
    test(`S4.admin.class.own-${name}: ${name}, a panel operation outside the description's table, runs for no key.`, async (t) => {
      for (const scope of SCOPES) {
        const options = { key: keyOf(t, scope), what: `${name} with a ${scope} key` };
        const { answer } = await t.admin.refuses(name, anyArguments(name), "FORBIDDEN", "PANEL_ONLY", options);
        t.refusedOperation(answer, options.what);
      }
    }).with({ readSafe: adminKindOf(name) === "query" });
});

function keyOf(t: Steps, scope: "READ" | "WRITE"): string {
  return scope === "READ" ? t.admin.driver.readKey : t.admin.driver.writeKey;
}

/**
 * Every caller without a valid key gets the same response; a panel session counts for nothing here, with or without a
 * key.
 */
async function refusesOthers(t: Steps, name: DescribedOperation, { args }: Prepared): Promise<void> {
  const shapes = new Set<string>();
  for (const [who, credential] of Object.entries(REFUSED_CREDENTIALS)) {
    const authorization = await credential(t);
    const { answer } = await t.admin.refuses(name, args, "UNAUTHENTICATED", null, { authorization, what: who });
    t.refusedOperation(answer, who);
    shapes.add(shapeOf(answer));
  }
  t.equal(shapes.size, 1, "they are indistinguishable");
  const cookie = await sessionCookie(t);
  for (const authorization of [null, `Bearer ${t.admin.driver.writeKey}`]) {
    const what = `a session of the panel at the API, ${authorization === null ? "without" : "with"} a key`;
    const options = { authorization, headers: { cookie }, what };
    t.refusedOperation((await t.admin.refuses(name, args, "FORBIDDEN", null, options)).answer, what);
  }
}

async function refusesScopes(t: Steps, name: DescribedOperation, { args }: Prepared): Promise<void> {
  for (const scope of SCOPES) {
    const reason = REFUSAL_BY_SCOPE[ADMIN_CLASSES[name]][scope];
    if (reason === null) continue;
    const what = `with a ${scope} key`;
    const outcome = await t.admin.refuses(name, args, "FORBIDDEN", reason, { key: keyOf(t, scope), what });
    t.refusedOperation(outcome.answer, what);
  }
}

async function changedNothing(t: Steps, { client }: Prepared): Promise<void> {
  if (client) t.equal(await t.admin.get("adminClient", { id: client.id }), client, "the client is unchanged");
}

/** It runs with the same arguments for permitted callers; a mutation once for each of them, on its own object. */
async function runs(t: Steps, name: DescribedOperation, first: Prepared): Promise<void> {
  let unused: Prepared | null = first;
  const next = async () => {
    const prepared = unused ?? (await prepare(t, name));
    if (adminKindOf(name) === "mutation") unused = null;
    return prepared;
  };
  for (const scope of SCOPES) {
    if (REFUSAL_BY_SCOPE[ADMIN_CLASSES[name]][scope] !== null) continue;
    const outcome = await t.admin.call(name, (await next()).args, { key: keyOf(t, scope) });
    t.holds(outcome.ok && outcome.value !== null, `it runs with a ${scope} key`, outcome);
  }
  const { args } = await next();
  const outcome = await t.admin.panel(name, args as never);
  // The URLs of a draft are unreachable; the check that reports this runs after authorization.
  t.holds(outcome.ok || outcome.code === "ProviderCheckError", "it runs in the panel", outcome);
  if (name === "mintApiKey" && outcome.ok)
    await t.admin.inPanel("revokeApiKey", { id: (outcome.value as { apiKey: { id: string } }).apiKey.id });
}

/** The same, for the part of a key that only an admin's has. */
const MALFORMED_PREFIXES: typeof MALFORMED_KEYS = {
  "no-prefix": ({ id, secret }) => `Bearer ${id}.${secret}`,
  "upper-case-prefix": ({ start, id, secret }) => `Bearer ${start.toUpperCase()}${id}.${secret}`,
  "hyphen-after-prefix": ({ start, id, secret }) => `Bearer ${start.replace("_", "-")}${id}.${secret}`,
  "upper-case-secret": ({ start, id, secret }) => `Bearer ${start}${id}.${secret.slice(0, -1).toUpperCase()}A`,
};

/** The names of shared ones in the ids of this API. */
const NAMES: Readonly<Record<string, string>> = {
  "secret-63": "short-secret",
  "secret-65": "long-secret",
  "id-without-dashes": "id-without-hyphens",
  "comma-separated": "behind-a-comma",
  "very-long": "4000-characters",
};

export const ADMIN_KEY_SHAPE_CASES = defineCases({}, (test) => {
  for (const [name, write] of Object.entries({ ...MALFORMED_KEYS, ...MALFORMED_PREFIXES }))
    test(`S5.admin.shape.${NAMES[name] ?? name}: A malformed Authorization header (${name}) is UNAUTHENTICATED.`, async (t) => {
      const { prefix, id, secret } = partsOf(t.admin.driver.writeKey);
      const authorization = write({ start: `${prefix}_`, id, secret });
      const refused = await t.admin.refuses("adminMembers", {}, "UNAUTHENTICATED", null, { authorization });
      t.refusedOperation(refused.answer, name);
      const { answer } = await t.admin.refuses("adminMembers", {}, "UNAUTHENTICATED", null, { authorization: null });
      t.equal(shapeOf(refused.answer), shapeOf(answer), "it is indistinguishable from a missing key");
      await t.admin.get("adminMembers", {});
    }).with({ readSafe: true, needs: ["admin"], application: "none" });
});
