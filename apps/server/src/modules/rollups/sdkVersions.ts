import {
  type ClientVersion,
  OTHER_VERSION,
  ROLLUP_SECONDS,
  ROLLUP_SERIES,
  versionSortKey,
} from "@social-connect/domain";
import { type Page, type PageRequest, readPage } from "../admin/page.ts";
import type { Service } from "../service.ts";

export type SdkLibrary = ClientVersion["library"];

export interface SdkVersion {
  readonly library: SdkLibrary;
  /** null: the requests name none, or more than are counted by name. */
  readonly version: string | null;
  readonly clients: number;
  readonly lastSeenAt: Date;
}

export interface SdkVersionClient {
  readonly id: string;
  readonly slug: string;
  readonly displayName: string;
  readonly calls: number;
  readonly lastSeenAt: Date;
}

const LIBRARIES: readonly SdkLibrary[] = ["sdk", "admin-sdk", "other", "none"];
/** Clients can send any version. */
const MOST_VERSIONS = 500;

const CLIENT_CONDITION = `series = '${ROLLUP_SERIES.clientVersions}' AND seconds = ${ROLLUP_SECONDS.hour} AND owner_id = application.id`;
/** Reads from the index the 24 hours before each client's last call, however long ago that was. */
const LATEST = `LATERAL (SELECT starts_at FROM rollup WHERE ${CLIENT_CONDITION} ORDER BY starts_at DESC LIMIT 1) latest`;
const RECENT = `rollup WHERE ${CLIENT_CONDITION} AND starts_at > latest.starts_at - interval '24 hours'`;

/** Versions with the number of clients that call with them: by library, newest first. If there are too many, the most used. */
export async function listSdkVersions({ reads }: Pick<Service, "reads">): Promise<SdkVersion[]> {
  const { rows } = await reads.pool.query<SdkVersion>({
    name: "rollups.listSdkVersions",
    text: `SELECT library, nullif(nullif(code, ''), '${OTHER_VERSION}') AS version, count(*)::int AS clients,
                  max(last_seen_at) AS "lastSeenAt"
             FROM application CROSS JOIN ${LATEST} CROSS JOIN LATERAL (
                  SELECT kind AS library, code, max(starts_at) AS last_seen_at FROM ${RECENT} GROUP BY 1, 2) seen
            GROUP BY 1, 2 ORDER BY clients DESC, 1, 2 LIMIT ${MOST_VERSIONS}`,
  });
  return rows.toSorted(
    (one, other) =>
      LIBRARIES.indexOf(one.library) - LIBRARIES.indexOf(other.library) || (sortKeyOf(one) < sortKeyOf(other) ? 1 : -1),
  );
}

function sortKeyOf({ version }: SdkVersion): string {
  return version === null ? "" : versionSortKey(version);
}

/** The clients that call with a version, by slug. */
export function listClientsOfSdkVersion(
  service: Pick<Service, "reads" | "secretBox">,
  { library, version }: Pick<SdkVersion, "library" | "version">,
  page: PageRequest,
): Promise<Page<SdkVersionClient>> {
  const codes = version === null ? ["", OTHER_VERSION] : [version];
  return readPage(service, page, {
    binding: ["sdkVersionClients", library, ...codes],
    positionOf: ({ slug }) => [slug],
    load: async (after, take) => {
      const { rows } = await service.reads.pool.query<SdkVersionClient>({
        name: "rollups.listClientsOfSdkVersion",
        // Empty columns are named, because the index has them before the code.
        text: `SELECT id, slug, display_name AS "displayName", calls, last_seen_at AS "lastSeenAt"
                 FROM application CROSS JOIN ${LATEST} CROSS JOIN LATERAL (
                      SELECT sum(count)::float8 AS calls, max(starts_at) AS last_seen_at FROM ${RECENT}
                         AND provider = '' AND kind = $1 AND outcome = '' AND code = ANY ($2) HAVING count(*) > 0) seen
                WHERE slug > $3 ORDER BY slug LIMIT $4`,
        values: [library, codes, after?.[0] ?? "", take],
      });
      return rows;
    },
  });
}
