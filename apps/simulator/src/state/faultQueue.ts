import type { Fault } from "../shared/fault.ts";
import type { ProviderKey } from "../shared/providerKeys.ts";

/** A fault that the control address asked for. */
export interface FaultRule {
  readonly id: string;
  readonly provider: ProviderKey;
  /** The name of an endpoint, several that share the count, or `*` for all of the provider. */
  readonly endpoint: string | readonly string[];
  /** An account's name; absent for all. */
  readonly account?: string;
  readonly fault: Fault;
  /** How many calls it is still good for. */
  remaining: number;
}

export interface FaultQueue {
  add(rule: Omit<FaultRule, "id">): FaultRule;
  /** The first rule that fits, used up by one; null when there is none. */
  take(provider: ProviderKey, endpoint: string, account: string | undefined): Fault | null;
  list(): readonly FaultRule[];
  remove(id: string): boolean;
  clear(): void;
}

export function createFaultQueue(): FaultQueue {
  let rules: FaultRule[] = [];
  let issued = 0;
  return {
    add: (rule) => {
      issued += 1;
      const added: FaultRule = { ...rule, id: `fault-${issued}` };
      rules.push(added);
      return added;
    },
    take: (provider, endpoint, account) => {
      const rule = rules.find(
        (candidate) =>
          candidate.provider === provider &&
          [candidate.endpoint].flat().some((name) => name === "*" || name === endpoint) &&
          (candidate.account === undefined || candidate.account === account),
      );
      if (rule === undefined) return null;
      rule.remaining -= 1;
      if (rule.remaining <= 0) rules = rules.filter((kept) => kept !== rule);
      return rule.fault;
    },
    list: () => rules,
    remove: (id) => {
      const before = rules.length;
      rules = rules.filter((rule) => rule.id !== id);
      return rules.length < before;
    },
    clear: () => {
      rules = [];
    },
  };
}
