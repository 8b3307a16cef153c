import { Failure } from "../../api/failure.ts";
import { FailureNote } from "../../ui/FailureNote.tsx";

/** A file of the panel could not be loaded. Only a reload requests it again. */
export function ChartsFailed({ message }: { readonly message: string }) {
  const failure = new Failure({ code: "UNREACHABLE", message });
  return <FailureNote failure={failure} onRetry={() => window.location.reload()} retryLabel="Reload" />;
}
