import { addMs, hasPassed } from "@social-connect/domain";
import { SEALED_COLUMNS } from "../../modules/encryption/sealedColumns.ts";
import { discoverIssuer, issuerFailure } from "../../modules/openid/openIdProvider.ts";
import { listKeys } from "../../modules/operations/listKeys.ts";
import { readSweeps } from "../../modules/operations/readSweeps.ts";
import { probeAddresses } from "../../modules/registrations/probeAddresses.ts";
import type { Service } from "../../modules/service.ts";
import { KNOWN_SWEEPS } from "../../worker/sweeps.ts";
import type { Finding } from "./finding.ts";
import { failed, ok, skipped, warning } from "./finding.ts";

const EXPIRY_NOTICE_MS = 7 * 86_400_000;
const MOST_KEYS = 1_000;

/** Values of each sealed column that are decrypted: enough to meet every key that is in use. */
const MOST_VALUES = 200;

/** Decrypts a sample of the stored values. */
export async function checkEncryption({ pool, secretBox }: Service): Promise<Finding> {
  const unreadable = new Set<string>();
  let values = 0;
  for (const { table, column, binding } of SEALED_COLUMNS) {
    const { rows } = await pool.query<{ id: string; sealed: string }>(
      `SELECT id, ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL LIMIT ${MOST_VALUES}`,
    );
    values += rows.length;
    for (const { id, sealed } of rows) {
      try {
        secretBox.open(sealed, binding(id));
      } catch {
        unreadable.add(sealed.split(".")[1] ?? "");
      }
    }
  }
  if (unreadable.size === 0) return ok("encryption", `${values} stored values were decrypted`);
  const ids = [...unreadable].toSorted().join(", ");
  const message = `stored values of the encryption key ${ids} cannot be decrypted: it is missing or another key has its id`;
  return failed("encryption", message, "Add the key with which they were encrypted to ENCRYPTION_KEYS");
}

export async function checkIssuer({ issuer }: Service): Promise<Finding> {
  if (issuer === null) return skipped("issuer", "ISSUER_URL is not set: admins cannot sign in");
  try {
    await discoverIssuer(issuer);
    return ok("issuer", `${issuer.url} responds`);
  } catch (error) {
    const message = `${issuer.url} does not respond as an OpenID provider: ${issuerFailure(error)}`;
    return failed("issuer", message, "Check ISSUER_URL and the network");
  }
}

/** Sends each published registration's addresses an invalid request, as its publication did. */
export async function checkProviders(service: Service, now: Date): Promise<Finding[]> {
  const registrations = await service.prisma.providerRegistration.findMany({
    where: { status: "PUBLISHED" },
    orderBy: { provider: "asc" },
  });
  if (registrations.length === 0) return [skipped("providers", "no registration is published")];
  return Promise.all(
    registrations.map(async (registration): Promise<Finding> => {
      const check = `provider ${registration.provider}`;
      const remedy = `Correct the registration ${registration.id}, or check the network`;
      try {
        const problems = await probeAddresses(service, registration, now);
        if (problems.length === 0) return ok(check, "responds at every address");
        return failed(check, problems.map(({ address, problem }) => `${address}: ${problem}`).join(" "), remedy);
      } catch (error) {
        return failed(check, (error as Error).message, remedy);
      }
    }),
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

export async function checkKeys(service: Service, now: Date): Promise<Finding> {
  const keys = await listKeys(service, { limit: MOST_KEYS });
  const active = keys.filter(
    ({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || !hasPassed(expiresAt, now)),
  );
  const notice = addMs(now, EXPIRY_NOTICE_MS);
  const ending = active.filter(({ expiresAt }) => expiresAt !== null && hasPassed(expiresAt, notice));
  if (ending.length === 0) return ok("keys", `${active.length} active, none expires within 7 days`);
  const names = ending.map(({ id, type, owner }) => `the ${type} key ${id} of ${owner}`).join(", ");
  return warning("keys", `expires within 7 days: ${names}`, "Issue a new key, deploy it, then revoke the old one");
}
