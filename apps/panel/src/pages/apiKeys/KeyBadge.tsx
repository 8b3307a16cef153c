import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { serviceTime } from "../../ui/Timestamp.tsx";
import { keyState } from "./keyState.ts";

export function KeyBadge({ value }: { readonly value: Parameters<typeof keyState>[0] }) {
  const { label, tone } = keyState(value, serviceTime());
  return <StatusBadge tone={tone}>{label}</StatusBadge>;
}
