import { StatusBadge } from "../../../ui/StatusBadge.tsx";

export function ClientBadge({ enabled }: { readonly enabled: boolean }) {
  return <StatusBadge tone={enabled ? "good" : "bad"}>{enabled ? "Enabled" : "Disabled"}</StatusBadge>;
}
