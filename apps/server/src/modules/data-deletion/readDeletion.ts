import { isPastRetention } from "@social-connect/domain";
import { sha256 } from "../../platform/secrets/hash.ts";
import type { Service } from "../service.ts";
import { type DeletionProgress, progressOf } from "./deletionProgress.ts";

/** What the status page shows of a data deletion request. */
export interface DeletionStatus extends Omit<DeletionProgress, "unfinished"> {
  readonly state: "NOTHING_HELD" | "IN_PROGRESS" | "ERASED";
  readonly requestedAt: Date;
  /** Connections that are not erased yet. */
  readonly remaining: number;
}

/** The status of a request by its confirmation code; null for a code that is unknown, malformed or expired. */
export async function readDeletion(service: Service, code: string): Promise<DeletionStatus | null> {
  const now = await service.clock.now();
  const deletion = await service.prisma.dataDeletion.findUnique({ where: { codeHash: sha256(code) } });
  if (deletion === null || isPastRetention("dataDeletion", deletion.requestedAt, now)) return null;
  const { requestedAt } = deletion;
  const { unfinished, ...erased } = await progressOf(service.prisma, deletion, now);
  const remaining = unfinished.length;
  const state = remaining > 0 ? "IN_PROGRESS" : erased.connections === 0 ? "NOTHING_HELD" : "ERASED";
  return { state, requestedAt, remaining, ...erased };
}
