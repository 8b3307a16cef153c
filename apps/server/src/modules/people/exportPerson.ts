import { createHash } from "node:crypto";
import { PERSON_RECORDS, personExported } from "@social-connect/domain";
import type { AdminActor } from "../admin/actor.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";
import { SIGNATURE_LINE, signExport } from "./exportSignature.ts";
import { findPerson, type Person, type PersonScope } from "./findPerson.ts";
import type { PersonTable } from "./personTable.ts";
import { PERSON_TABLES, TABLES_WITHOUT_PERSONS } from "./personTables.ts";
import { countRecords, holdsPerson, receiptsOf } from "./readPerson.ts";
import { readRows } from "./readRows.ts";

export interface PersonExport {
  /** False: only records of an erasure are left, or nothing. */
  readonly isStored: boolean;
  /** The text in parts, each read when the caller is ready for it. */
  readonly parts: AsyncGenerator<string, void, undefined>;
}

/** Everything that is stored about a client's user, as a signed JSON document. The audit entry is stored first. */
export async function exportPerson(
  service: Service,
  actor: AdminActor,
  scope: PersonScope,
  reason: string,
): Promise<PersonExport> {
  const person = await findPerson(service, scope);
  const now = await service.clock.now();
  await recordAudit(service.prisma, actor, now, personExported(scope.application, person.label, reason));
  const isStored = holdsPerson(await countRecords(service, person));
  return { isStored, parts: signed(service, partsOf(service, person, isStored, now)) };
}

async function* partsOf(service: Service, person: Person, isStored: boolean, now: Date) {
  const { application, tenantKey, externalSubjectId } = person;
  const about = {
    format: "social-connect person export, version 1",
    createdAt: now,
    application: application.slug,
    tenantKey,
    externalSubjectId,
    isStored,
    summary: isStored
      ? "The rows below are stored about this person."
      : "Nothing is stored about this person. Receipts and audit entries are left for their time: ids, codes and counts.",
  };
  yield `{"about":${JSON.stringify(about)}\n,"tables":[`;
  for (const [index, table] of PERSON_TABLES.entries()) {
    const description = JSON.stringify(describe(table)).slice(0, -1);
    yield `${index === 0 ? "" : ","}\n${description},"rows":[`;
    let separator = "";
    for await (const rows of readRows(service.pool, table, person)) {
      yield separator + rows.map((row) => `\n${JSON.stringify(row)}`).join(",");
      separator = ",";
    }
    yield "]}";
  }
  yield `]\n,"receipts":${JSON.stringify(await receiptsOf(service, person))}`;
  yield `\n,"tablesWithoutPersons":${JSON.stringify(TABLES_WITHOUT_PERSONS)}\n`;
}

function describe({ name, fields, excluded }: PersonTable) {
  const { what, storedUntil } = PERSON_RECORDS[name];
  const described = Object.entries(fields).flatMap(([origin, columns]) =>
    Object.entries(columns).map(([column, meaning]) => ({ name: column, origin, meaning })),
  );
  const storedUntilField = {
    name: "stored_until",
    origin: "service",
    meaning: "When the row is deleted, if that is known.",
  };
  const left = Object.entries(excluded).map(([column, reason]) => ({ name: column, reason }));
  return { name, what, storedUntil, fields: [...described, storedUntilField], excluded: left };
}

/** Adds the signature of all lines before it. */
async function* signed({ secretBox }: Service, parts: AsyncGenerator<string, void, undefined>) {
  const hash = createHash("sha256");
  for await (const part of parts) {
    hash.update(part);
    yield part;
  }
  yield `${SIGNATURE_LINE}${JSON.stringify(signExport(secretBox, hash.digest()))}}\n`;
}
