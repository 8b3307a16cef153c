import type { Application, Target, TesterAccount } from "../target/target.ts";

const known = new WeakMap<Target, Promise<readonly TesterAccount[]>>();
const admitted = new WeakMap<Application, Map<string, Promise<void>>>();

/**
 * Adds the accounts with this name to an application's testers, once. On first use: a case uses two or three of the
 * eighty, and most cases none.
 */
export async function admitTesters(target: Target, application: Application, account: string): Promise<void> {
  const { provider, operator } = target;
  if (operator?.addTesters === undefined || provider === undefined || application === target.application) return;
  const all = known.get(target) ?? provider.testers();
  known.set(target, all);
  const wanted = (await all).filter((tester) => tester.account === account);
  const ofApplication = admitted.get(application) ?? new Map<string, Promise<void>>();
  admitted.set(application, ofApplication);
  const adding = ofApplication.get(account) ?? operator.addTesters(application, wanted);
  ofApplication.set(account, adding);
  await adding;
}
