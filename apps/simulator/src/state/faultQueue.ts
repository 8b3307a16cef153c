import type { Fault } from "@social-connect/provider-fixtures";
import type { ProviderKey } from "../shared/providerKeys.ts";

export interface FaultRule {
  readonly id: string;
  readonly provider: ProviderKey;
  /** An endpoint, several endpoints that share the count, or `*` for all. */
  readonly endpoint: string | readonly string[];
  /** Name of an account; absent: all. */
  readonly account?: string;
  readonly fault: Fault;
  /** Number of calls to which it still applies. */
  remaining: number;
}

export type FaultQueue = ReturnType<typeof createFaultQueue>;

export function createFaultQueue() {
  let rules: FaultRule[] = [];
  let issued = 0;
  return {
    add: (rule: Omit<FaultRule, "id">): FaultRule => {
      issued += 1;
      const added: FaultRule = { ...rule, id: `fault-${issued}` };
      rules.push(added);
      return added;
    },
    /** Returns the fault of the first matching rule and decrements its count; null if no rule matches. */
    take: (provider: ProviderKey, endpoint: string, account: string | undefined): Fault | null => {
      const rule = rules.find(
        (candidate) =>
          candidate.provider === provider &&
          [candidate.endpoint].flat().some((name) => name === "*" || name === endpoint) &&
          (candidate.account === undefined || candidate.account === account),
      );
      if (rule === undefined) return null;
      rule.remaining -= 1;
      if (rule.remaining <= 0) rules = rules.filter((other) => other !== rule);
      return rule.fault;
    },
    list: (): readonly FaultRule[] => rules,
    remove: (id: string): boolean => {
      const before = rules.length;
      rules = rules.filter((rule) => rule.id !== id);
      return rules.length < before;
    },
    clear: () => {
      rules = [];
    },
  };
}
