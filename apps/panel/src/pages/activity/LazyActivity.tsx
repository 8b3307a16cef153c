import { Skeleton, Text } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { ActivityProps } from "./ActivityCharts.tsx";

const ActivityCharts = lazy(async () => {
  // A page is useful also where the charts cannot be loaded.
  const charts = await import("./ActivityCharts.tsx").catch(() => null);
  return { default: charts?.ActivityCharts ?? NoCharts };
});

function NoCharts(_props: ActivityProps) {
  return <Text c="dimmed">The charts could not be loaded. Reload the page to try again.</Text>;
}

/** The charts with their library, which load after the page. */
export function Activity(props: ActivityProps) {
  return (
    <Suspense fallback={<Skeleton height={320} />}>
      <ActivityCharts {...props} />
    </Suspense>
  );
}
