import { Box, type BoxProps, Center } from "@mantine/core";
import { type ReactNode, useEffect } from "react";

interface CenteredCardProps extends BoxProps {
  /** The start of the document title. */
  readonly title: string;
  readonly role?: "status";
  readonly children: ReactNode;
}

/** A page without the shell. */
export function CenteredCard({ title, ...card }: CenteredCardProps) {
  useEffect(() => {
    document.title = `${title} · Social Connect admin`;
  }, [title]);
  return (
    <Center component="main" mih="100dvh" p={20}>
      <Box
        p={32}
        bdrs="lg"
        w="min(400px, 100%)"
        bg="var(--panel-surface)"
        bd="1px solid var(--panel-line)"
        style={{ boxShadow: "0 1px 2px rgb(0 0 0 / 0.05), 0 24px 60px -32px rgb(0 0 0 / 0.35)" }}
        {...card}
      />
    </Center>
  );
}
