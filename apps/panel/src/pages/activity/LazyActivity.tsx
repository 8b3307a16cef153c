import { Skeleton } from "@mantine/core";
import { lazy, Suspense } from "react";
import { loadCode } from "../../connection/connection.ts";
import { Section } from "../../ui/Section.tsx";
import type { ActivityProps } from "./Activity.tsx";
import { ChartsFailed } from "./ChartsFailed.tsx";

const LoadedActivity = lazy(async () => {
  // A page is useful also if this part cannot be loaded.
  const part = await loadCode(() => import("./Activity.tsx")).catch(() => null);
  return { default: part?.Activity ?? NoActivity };
});

function NoActivity(_props: ActivityProps) {
  return (
    <Section title="Activity">
      <ChartsFailed message="The charts and their numbers could not be loaded." />
    </Section>
  );
}

function LoadingActivity() {
  return (
    <Section title="Activity">
      <Skeleton height={240} />
    </Section>
  );
}

/** Charts and their numbers, which load after the page. */
export function Activity(props: ActivityProps) {
  return (
    <Suspense fallback={<LoadingActivity />}>
      <LoadedActivity {...props} />
    </Suspense>
  );
}
