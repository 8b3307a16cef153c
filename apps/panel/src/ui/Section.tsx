import { Box, Group, Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import classes from "./Section.module.css";

interface SectionProps {
  readonly title: string;
  /** For links to this section. */
  readonly id?: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Contains irreversible operations. */
  readonly isDangerous?: boolean;
}

/** Two sections, side by side if the window is wide. */
export function SectionColumns({ children }: { readonly children: ReactNode }) {
  return <div className={classes.columns}>{children}</div>;
}

interface SectionsBelowProps {
  /** Whether what stands above them has loaded: they would move otherwise. */
  readonly isShown: boolean;
  readonly children: ReactNode;
}

/** The last sections of a page, which load at the same time as those above them. */
export function SectionsBelow({ isShown, children }: SectionsBelowProps) {
  return (
    <div className={classes.below} hidden={!isShown}>
      {children}
    </div>
  );
}

/** A part of a page, with its own heading. */
export function Section({ title, id, description, actions, children, isDangerous = false }: SectionProps) {
  const headingId = useId();
  return (
    <section id={id} aria-labelledby={headingId} className={classes.section} data-dangerous={isDangerous || undefined}>
      <Group justify="space-between" align="flex-start" gap="sm" className={classes.head}>
        <Box flex="1 1 240px" miw={0} style={{ overflowWrap: "anywhere" }}>
          <Title order={2} id={headingId} tabIndex={-1} fz="1.08rem" lts="-0.01em" style={{ outline: "none" }}>
            {title}
          </Title>
          {description !== undefined && (
            <Text c="dimmed" size="sm" mt={4} component="div" maw="62ch">
              {description}
            </Text>
          )}
        </Box>
        {actions}
      </Group>
      {children}
    </section>
  );
}

/** The number of entries of a section's list. */
export function Total({ count }: { readonly count: number }) {
  return (
    <Text size="sm" c="dimmed">
      {count.toLocaleString("en")} in total
    </Text>
  );
}
