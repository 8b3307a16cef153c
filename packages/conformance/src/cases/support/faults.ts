import type { CaseContext } from "../../harness/context.ts";
import type { Provider, ProviderCall, ProviderDriver, ProviderFault } from "../../target/target.ts";

export const DOWN: ProviderFault = { kind: "status", status: 503 };

/** While `during` runs, the provider's calls fail: those of the account, if one is given, and so many, if counted. */
export async function whileFault<Result>(
  t: CaseContext,
  provider: Provider,
  call: ProviderCall,
  fault: ProviderFault,
  options: Parameters<ProviderDriver["fault"]>[3],
  during: () => Promise<Result>,
): Promise<Result> {
  const undo = await t.provider.fault(provider, call, fault, options);
  try {
    return await during();
  } finally {
    await undo();
  }
}

/**
 * While `during` runs, the provider's registration has another status, or serves no application. Only for exclusive
 * cases.
 */
export async function whileRegistration<Result>(
  t: CaseContext,
  provider: Provider,
  state: "PAUSED" | "DISABLED" | "serves-none",
  during: () => Promise<Result>,
): Promise<Result> {
  const operator = t.driver("operator");
  const isStatus = state !== "serves-none";
  await (isStatus ? operator.setRegistrationStatus(provider, state) : operator.setServed(provider, false));
  try {
    return await during();
  } finally {
    await (isStatus ? operator.setRegistrationStatus(provider, "PUBLISHED") : operator.setServed(provider, true));
  }
}
