import type { RegistrationStatus } from "@social-connect/contract";
import { REGISTRATION_STATES } from "../../ui/labels.ts";
import { StatusBadge } from "../../ui/StatusBadge.tsx";

export function RegistrationBadge({ status }: { readonly status: RegistrationStatus }) {
  const { label, tone } = REGISTRATION_STATES[status];
  return <StatusBadge tone={tone}>{label}</StatusBadge>;
}
