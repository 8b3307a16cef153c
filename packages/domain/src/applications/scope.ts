import { LIMITS } from "@social-connect/contract";
import type { Refusal } from "../decisions/refusal.ts";
import { checkText } from "../text/text.ts";

/** Whose connection it is: a tenant of the application, and the application's own stable id of its user. */
export interface SubjectScope {
  readonly tenantKey: string;
  readonly externalSubjectId: string;
}

const SCOPE_STRING = { maxLength: LIMITS.scopeStringMaxLength };

/**
 * The shape of a scope: each string has 1 to 128 characters. Whether the tenant is registered is a matter of policy
 * (see policy.ts), because the answer differs between operations. Source: service description, parts 2 and 8.
 */
export function checkSubjectScope(scope: SubjectScope): Refusal | null {
  return checkTenantKey(scope.tenantKey) ?? checkText(scope.externalSubjectId, "externalSubjectId", SCOPE_STRING);
}

export function checkTenantKey(tenantKey: string): Refusal | null {
  return checkText(tenantKey, "tenantKey", SCOPE_STRING);
}

/** True when both name the same subject of the same tenant, compared exactly: no case folding, no normalisation. */
export function isSameScope(a: SubjectScope, b: SubjectScope): boolean {
  return a.tenantKey === b.tenantKey && a.externalSubjectId === b.externalSubjectId;
}
