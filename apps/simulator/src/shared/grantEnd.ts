/** Why a grant ended: a fault's cause, or a rule of the provider. */
export type GrantEnd = "revoked" | "removed-app" | "password-changed" | "expired" | "code-reused" | "refresh-reused";
