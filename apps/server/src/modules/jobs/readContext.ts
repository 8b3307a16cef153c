import type { Job } from "../../_generated/prisma/client.ts";
import type { ProviderAdapter, ProviderSession } from "../../providers/contract.ts";
import type { Service } from "../service.ts";
import type { ReadConnection } from "./storeRead.ts";

/** The input of a read. */
export interface ReadContext {
  readonly service: Service;
  readonly job: Job;
  readonly connection: ReadConnection;
  readonly adapter: ProviderAdapter;
  readonly withMetrics: boolean;
  /** Makes a provider call and renews the credential if necessary. */
  readonly call: <T>(use: (session: ProviderSession) => Promise<T>) => Promise<T>;
}
