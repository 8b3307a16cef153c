import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { EmptyState } from "../ui/EmptyState.tsx";
import { PageHeader } from "../ui/PageHeader.tsx";

export function PageNotFound() {
  return (
    <>
      <PageHeader title="There is no such page" />
      <EmptyState title="Nothing is at this address" text="It may have been removed, or the address is not complete.">
        <Button component={Link} to="/" variant="default">
          Go to the overview
        </Button>
      </EmptyState>
    </>
  );
}
