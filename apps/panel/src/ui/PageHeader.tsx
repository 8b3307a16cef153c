import { Anchor, Box, Breadcrumbs, Group, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { useHeadingFocus } from "./focusOnNavigation.tsx";

interface PageHeaderProps {
  /** The page's `h1` and the start of the document title. */
  readonly title: string;
  /** The section that is shown, for the document title. */
  readonly part?: string;
  readonly description?: ReactNode;
  /** The ancestors of this page, outermost first. */
  readonly breadcrumbs?: readonly { readonly to: string; readonly label: string }[];
  /** Next to the title, e.g. a state. */
  readonly badge?: ReactNode;
  readonly actions?: ReactNode;
}

const TITLE_SIZE = "clamp(1.5rem, 1.2rem + 1.3vw, 2rem)";

export function PageHeader({ title, part, description, breadcrumbs = [], badge, actions }: PageHeaderProps) {
  const heading = useHeadingFocus(title);
  useEffect(() => {
    document.title = [part, title, "Social Connect admin"].filter(Boolean).join(" · ");
  }, [part, title]);
  return (
    <Box component="header" mb={26}>
      {breadcrumbs.length > 0 && (
        <nav aria-label="Breadcrumbs">
          <Breadcrumbs separatorMargin={6} mb={8}>
            {breadcrumbs.map(({ to, label }) => (
              <Anchor key={to} component={Link} to={to} size="sm">
                {label}
              </Anchor>
            ))}
          </Breadcrumbs>
        </nav>
      )}
      <Group justify="space-between" align="flex-start" gap="md">
        <Box flex="1 1 260px" miw={0} style={{ overflowWrap: "anywhere" }}>
          <Group gap="sm" align="center">
            <Title
              order={1}
              ref={heading}
              tabIndex={-1}
              fz={TITLE_SIZE}
              lh={1.2}
              lts="-0.02em"
              style={{ outline: "none" }}
            >
              {title.replaceAll(" · ", "\u00a0· ")}
            </Title>
            {badge}
          </Group>
          {description !== undefined && (
            <Text c="dimmed" mt={6} component="div" maw="62ch">
              {description}
            </Text>
          )}
        </Box>
        {actions !== undefined && <Group gap="sm">{actions}</Group>}
      </Group>
    </Box>
  );
}
