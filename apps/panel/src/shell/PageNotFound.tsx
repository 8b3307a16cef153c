import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { EmptyState } from "../ui/EmptyState.tsx";
import { PageHeader } from "../ui/PageHeader.tsx";

export function PageNotFound() {
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState title="There is no page at this URL" text="The page may have been removed, or the URL is incomplete.">
        <Button component={Link} to="/" variant="default">
          Go to the overview
        </Button>
      </EmptyState>
    </>
  );
}
