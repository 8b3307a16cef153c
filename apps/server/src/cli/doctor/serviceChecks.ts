import { SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { expiresSoon, isKeyActive } from "@social-connect/domain";
import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import type { EncryptionKeys } from "../../config/values.ts";
import { panelRedirectUri } from "../../modules/admin-sessions/beginSignIn.ts";
import { checkKeys, describeMissing, findMissingKeys } from "../../modules/encryption/keyChecks.ts";
import { probeEndpoints } from "../../modules/events/probeEndpoints.ts";
import { identityRedirectUri } from "../../modules/identity/launchIdentity.ts";
import { examineIssuer } from "../../modules/openid/examineIssuer.ts";
import { listKeys } from "../../modules/operations/listKeys.ts";
import { readSweeps } from "../../modules/operations/readSweeps.ts";
import { probeAddresses } from "../../modules/registrations/probeAddresses.ts";
import type { Service } from "../../modules/service.ts";
import { findShiftedTimes, SHIFTED_TIMES_REMEDY } from "../../modules/times/findShiftedTimes.ts";
import { KNOWN_SWEEPS } from "../../worker/sweeps.ts";
import { type Finding, failed, ok, skipped, warning } from "./finding.ts";

const MOST_KEYS = 1_000;
const REGISTER_AT_ISSUER =
  "Register a client at your OpenID provider, then set ISSUER_URL, ISSUER_CLIENT_ID and ISSUER_CLIENT_SECRET";

export async function checkEncryption({ pool }: Service, { keys, lostIds }: EncryptionKeys): Promise<Finding> {
  const checks = await checkKeys(pool, keys);
  const wrong = checks.filter(({ state }) => state === "wrong").map(({ id }) => id);
  const missing = await findMissingKeys(pool, [...keys.map(({ id }) => id), ...lostIds]);
  if (keys.length === 0 && missing.length === 0) return skipped("encryption", "the next start creates a key");
  if (wrong.length === 0 && missing.length === 0) {
    const lost = lostIds.map((id) => `${id} is lost`);
    return ok("encryption", `keys: ${[...checks.map(({ id, state }) => `${id} is ${state}`), ...lost].join(", ")}`);
  }
  const problems = [
    ...wrong.map((id) => `${JSON.stringify(id)} is not the key that encrypted this database`),
    ...missing.map(describeMissing),
  ];
  return failed(
    "encryption",
    problems.join("; "),
    "Set ENCRYPTION_KEYS to the keys that encrypted this database, each under its id",
  );
}

/** Finds times that an earlier release stored shifted. */
export async function checkTimes(service: Service): Promise<Finding> {
  const shifted = await findShiftedTimes(service);
  if (shifted.length === 0) return ok("times", "no stored times contradict each other");
  return warning("times", `stored times contradict each other: ${shifted.join(", ")}`, SHIFTED_TIMES_REMEDY);
}

export async function checkIssuer(service: Service): Promise<Finding> {
  const { issuer, prisma, mode } = service;
  if (issuer === null) {
    const message = "ISSUER_URL is not set, so no admin can sign in to the panel";
    return mode === "live" ? failed("issuer", message, REGISTER_AT_ISSUER) : skipped("issuer", message);
  }
  const handoffs = await prisma.application.count({ where: { idpIdentityEnabled: true } });
  const redirectUris = [panelRedirectUri(service), ...(handoffs > 0 ? [identityRedirectUri(service)] : [])];
  const { problem, unlistedClaims } = await examineIssuer(issuer, redirectUris);
  if (problem !== null) {
    const message = `${issuer.url}: ${problem.problem}`;
    return (problem.isWarning ? warning : failed)("issuer", message, problem.remedy);
  }
  const note = `; its metadata does not list ${unlistedClaims.join(", ")}, which the ID tokens of admins need`;
  return ok("issuer", `${issuer.url} responds and accepts the client${unlistedClaims.length > 0 ? note : ""}`);
}

/**
 * Checks each provider that has a registration. Sends the addresses of a published one an invalid request, as its publication
 * did.
 */
export async function checkProviders(service: Service, now: Date): Promise<Finding[]> {
  const { prisma, mode } = service;
  const registrations = await prisma.providerRegistration.findMany({
    where: { status: { not: "DISABLED" } },
    orderBy: [{ provider: "asc" }, { createdAt: "asc" }],
    include: { _count: { select: { applications: true } } },
  });
  if (registrations.length === 0) {
    const message = "no client is registered, so no account can be linked";
    const remedy = "Register a client at a provider, then enter and publish it in the panel, under Registrations";
    return [mode === "live" ? failed("providers", message, remedy) : skipped("providers", message)];
  }
  const published = registrations.filter(({ status }) => status === "PUBLISHED");
  const half = registrations.filter(
    ({ provider, status }) => status !== "PUBLISHED" && !published.some((other) => other.provider === provider),
  );
  return Promise.all([
    ...published.map((registration) => checkPublished(service, registration, now)),
    ...half.map(({ id, provider, status }) => {
      const problem = status === "PAUSED" ? "is paused" : "is a draft";
      return (mode === "live" ? failed : warning)(
        `provider ${provider}`,
        `the registration ${id} ${problem}, so no account can be linked`,
        `${status === "PAUSED" ? "Resume" : "Check and publish"} it in the panel, under Registrations`,
      );
    }),
    ...(await findUnregistered(service, new Set(registrations.map(({ provider }) => provider)))),
  ]);
}

/** Providers without a registration that the policy of a client allows. */
async function findUnregistered(
  { prisma }: Service,
  registered: ReadonlySet<SocialProvider>,
): Promise<readonly Finding[]> {
  const missing = SOCIAL_PROVIDERS.filter((provider) => !registered.has(provider));
  const found = missing.map(async (provider) => {
    const clients = await prisma.application.count({ where: { enabled: true, providers: { has: provider } } });
    if (clients === 0) return [];
    const message = "it has no registration, and the policy of a client allows it";
    const remedy =
      "Register a client at the provider, then enter and publish it in the panel, under Registrations, or remove the provider from the policies";
    return [warning(`provider ${provider}`, message, remedy)];
  });
  return (await Promise.all(found)).flat();
}

async function checkPublished(
  service: Service,
  registration: ProviderRegistration & { readonly _count: { readonly applications: number } },
  now: Date,
): Promise<Finding> {
  const { id, provider, refusedSince, allApplications, _count } = registration;
  const check = `provider ${provider}`;
  const remedy = `Correct the registration ${id}, or check the network`;
  if (refusedSince !== null) {
    const message = `the provider has refused the registration's client since ${refusedSince.toISOString()}`;
    return failed(check, message, `Check the client of the registration ${id} in the provider's console`);
  }
  try {
    const problems = await probeAddresses(service, registration, now);
    if (problems.length > 0) {
      return failed(check, problems.map(({ address, problem }) => `${address}: ${problem}`).join(" "), remedy);
    }
  } catch (error) {
    return failed(check, (error as Error).message, remedy);
  }
  if (allApplications || _count.applications > 0) return ok(check, "responds at every address");
  return warning(
    check,
    `the registration ${id} serves no client`,
    "Choose its clients in the panel, under Registrations",
  );
}

export async function checkAdmins({ prisma, mode }: Service): Promise<Finding> {
  const count = await prisma.adminMember.count();
  if (count > 0) return ok("admins", `${count} admins`);
  const remedy = "Run `social-connect admin add <email>`";
  return mode === "live" ? failed("admins", "live mode has no admin", remedy) : skipped("admins", "no admin");
}

export async function checkSweeps(service: Service): Promise<Finding> {
  const sweeps = await readSweeps(service, KNOWN_SWEEPS);
  const late = sweeps.filter(({ isHealthy }) => !isHealthy).map(({ name }) => name);
  if (late.length === 0) return ok("sweeps", `${sweeps.length} succeeded in time`);
  const remedy = "Start a worker, and see `social-connect sweeps`";
  if (late.length === sweeps.length) return failed("sweeps", "no worker has run for two hours", remedy);
  return failed("sweeps", `late: ${late.join(", ")}`, remedy);
}

/** Sends the endpoints of clients a signed test event, as the worker does. */
export async function checkEvents(service: Service): Promise<Finding> {
  const probes = await probeEndpoints(service);
  const failing = probes.filter(({ problem }) => problem !== null);
  if (probes.length === 0) return skipped("events", "no client has an endpoint for events");
  if (failing.length === 0) return ok("events", `${probes.length} endpoints accept a test event`);
  const message = failing.map(({ clientSlug, origin, problem }) => `${clientSlug} at ${origin}: ${problem}`).join("; ");
  return warning("events", message, "Tell the owners of these backends; see the runbook event-endpoint");
}

export async function checkKeyExpiry(service: Service, now: Date): Promise<Finding> {
  const keys = await listKeys(service, { limit: MOST_KEYS });
  const active = keys.filter((key) => isKeyActive(key, now));
  const ending = active.filter((key) => expiresSoon(key, now));
  if (ending.length === 0) return ok("keys", `${active.length} active, none expires within 7 days`);
  const names = ending.map(({ id, type, owner }) => `the ${type} key ${id} of ${owner}`).join(", ");
  return warning("keys", `expires within 7 days: ${names}`, "Issue a new key, deploy it, then revoke the old one");
}
