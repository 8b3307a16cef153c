import { Anchor, Breadcrumbs, Group, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { useHeadingFocus } from "./focusOnNavigation.tsx";
import classes from "./PageHeader.module.css";

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

export function PageHeader({ title, part, description, breadcrumbs = [], badge, actions }: PageHeaderProps) {
  const heading = useHeadingFocus(title);
  useEffect(() => {
    document.title = [part, title, "Social Connect admin"].filter(Boolean).join(" · ");
  }, [part, title]);
  return (
    <header className={classes.header}>
      {breadcrumbs.length > 0 && (
        <nav aria-label="Breadcrumbs">
          <Breadcrumbs separatorMargin={6} className={classes.above}>
            {breadcrumbs.map(({ to, label }) => (
              <Anchor key={to} component={Link} to={to} size="sm">
                {label}
              </Anchor>
            ))}
          </Breadcrumbs>
        </nav>
      )}
      <Group justify="space-between" align="flex-start" gap="md">
        <div className={classes.words}>
          <Group gap="sm" align="center">
            <Title order={1} ref={heading} tabIndex={-1} className={classes.title}>
              {title}
            </Title>
            {badge}
          </Group>
          {description !== undefined && (
            <Text c="dimmed" mt={6} component="div" className={classes.description}>
              {description}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="sm">{actions}</Group>}
      </Group>
    </header>
  );
}
