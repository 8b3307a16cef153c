import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import { ProviderError } from "../../providers/contract.ts";
import type { Service } from "../service.ts";

type Refusable = Pick<ProviderRegistration, "id" | "refusedSince">;

/**
 * Remembers that the provider refuses the registration's client: an incident, which ends with the first call that the
 * provider accepts. `registration` is the row as the caller loaded it, so that other calls write nothing.
 */
export async function noteRefusal<T>(service: Service, registration: Refusable, call: () => Promise<T>): Promise<T> {
  try {
    const result = await call();
    if (registration.refusedSince !== null) await store(service, registration, null);
    return result;
  } catch (error) {
    const isRefused = error instanceof ProviderError && error.kind === "application_refused";
    if (isRefused && registration.refusedSince === null) {
      await store(service, registration, await service.clock.now());
    }
    throw error;
  }
}

async function store({ prisma, logger }: Service, { id }: Refusable, refusedSince: Date | null): Promise<void> {
  const refused = { refusedSince: refusedSince === null ? { not: null } : null };
  try {
    const { count } = await prisma.providerRegistration.updateMany({
      where: { id, ...refused },
      data: { refusedSince },
    });
    if (count === 0) return;
    if (refusedSince !== null) logger.warn({ registrationId: id }, "the provider refuses the registration's client");
    else logger.info({ registrationId: id }, "the provider accepts the registration's client again");
  } catch (error) {
    // The call matters more than this note, which the next call repeats.
    logger.error({ err: error, registrationId: id }, "the state of a registration could not be stored");
  }
}
