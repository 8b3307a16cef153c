import type { ErrorComponentProps } from "@tanstack/react-router";
import { asFailure } from "../api/failure.ts";
import { FailureNote } from "../ui/FailureNote.tsx";
import { PageHeader } from "../ui/PageHeader.tsx";

/** A page that broke, or whose code did not come. */
export function PageFailed({ error }: ErrorComponentProps) {
  return (
    <>
      <PageHeader title="This page did not work" />
      <FailureNote failure={asFailure(error)} onRetry={() => window.location.reload()} retryLabel="Reload" />
    </>
  );
}
