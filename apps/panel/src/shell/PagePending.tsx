import { Center, Skeleton, Title } from "@mantine/core";
import { useConnection } from "../connection/connection.ts";
import { Loading, SectionsSkeleton } from "../ui/Skeletons.tsx";

/** Shown while a page's code loads. */
export function PagePending() {
  if (useConnection() === "connected")
    return (
      <Loading>
        <Skeleton height={34} width={220} mb={10} aria-hidden />
        <Skeleton height={20} width="min(420px, 80%)" mb={28} aria-hidden />
        <SectionsSkeleton lines={[10]} />
      </Loading>
    );
  return (
    <Center mih="40vh" role="status">
      <Title order={1} size="h3">
        Waiting for the connection
      </Title>
    </Center>
  );
}
