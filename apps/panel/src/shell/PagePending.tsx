import { Center, Loader, Title, VisuallyHidden } from "@mantine/core";
import { useConnection } from "../connection/connection.ts";

/** Shown while a page's code loads. */
export function PagePending() {
  const isConnected = useConnection() === "connected";
  return (
    <Center mih="40vh" role="status">
      {isConnected ? (
        <>
          <Loader type="dots" aria-hidden />
          <VisuallyHidden>Loading</VisuallyHidden>
        </>
      ) : (
        <Title order={1} size="h3">
          Waiting for the connection
        </Title>
      )}
    </Center>
  );
}
