import type { ErrorComponentProps } from "@tanstack/react-router";
import { asFailure } from "../api/failure.ts";
import { FailureNote } from "../ui/FailureNote.tsx";
import { PageHeader } from "../ui/PageHeader.tsx";

/** Shown if a page throws or its code cannot be loaded. */
export function PageFailed({ error }: ErrorComponentProps) {
  return (
    <>
      <PageHeader title="This page failed to load" />
      <FailureNote failure={asFailure(error)} onRetry={() => window.location.reload()} retryLabel="Reload" />
    </>
  );
}
