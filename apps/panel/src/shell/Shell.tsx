import { Anchor, Burger, Button, Stack, Text, Title, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useState } from "react";
import { checkConnection, onReconnect, useConnection } from "../connection/connection.ts";
import { refreshSession, type Session, useSessionState } from "../session/session.ts";
import { ActionButton } from "../ui/ActionButton.tsx";
import { FocusOnNavigation } from "../ui/focusOnNavigation.tsx";
import { Mark } from "../ui/Mark.tsx";
import { Account } from "./Account.tsx";
import { CenteredCard } from "./CenteredCard.tsx";
import { ColorScheme } from "./ColorScheme.tsx";
import { ConnectionBanner } from "./ConnectionBanner.tsx";
import { NAVIGATION } from "./navigation.ts";
import { PagePending } from "./PagePending.tsx";
import { PaletteButton } from "./PaletteButton.tsx";
import classes from "./Shell.module.css";
import { serviceMode } from "./serviceMode.ts";

/** The layout of every page; shows the sign-in page if the admin is not signed in. */
export function Shell() {
  const session = useSessionState();
  if (session === undefined) return <Starting />;
  if (session === "unreachable") return <Unreachable />;
  if (session === null) return <SignIn />;
  return <SignedIn session={session} />;
}

/** The frame of every page, while the service is asked who is signed in. */
function Starting() {
  return (
    <>
      <header className={classes.header}>
        <span className={classes.brand}>
          <Mark />
          <Text component="span" fw={650} className={classes.brandText}>
            Social Connect
          </Text>
        </span>
      </header>
      <div className={classes.navigation} />
      <main className={classes.main}>
        <div className={classes.page}>
          <PagePending />
        </div>
      </main>
    </>
  );
}

function SignedIn({ session: { email, expiresAtMs } }: { readonly session: Session }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const pathname = useLocation({ select: (location) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu
  useEffect(close, [pathname, close]);
  // The service decides when the session ends.
  useEffect(() => {
    const timer = setTimeout(() => void refreshSession(), Math.max(expiresAtMs - Date.now(), 0) + 1_000);
    return () => clearTimeout(timer);
  }, [expiresAtMs]);
  const closeByKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") close();
  };
  return (
    <FocusOnNavigation>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <header className={classes.header}>
        <Burger
          opened={isOpen}
          onClick={toggle}
          onKeyDown={closeByKey}
          hiddenFrom="md"
          size="sm"
          aria-label={isOpen ? "Close the menu" : "Open the menu"}
          aria-expanded={isOpen}
          aria-controls="navigation"
        />
        <UnstyledButton component={Link} to="/" className={classes.brand}>
          <Mark />
          <Text component="span" fw={650} className={classes.brandText}>
            Social Connect
          </Text>
        </UnstyledButton>
        <Mode />
        <div className={classes.tools}>
          <PaletteButton />
          <ColorScheme />
          <Account email={email} />
        </div>
      </header>
      <nav
        id="navigation"
        className={classes.navigation}
        aria-label="Pages"
        data-open={isOpen || undefined}
        onKeyDown={closeByKey}
      >
        <ul className={classes.links}>
          {NAVIGATION.map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link to={to} className={classes.link} activeOptions={{ exact: to === "/" }} onClick={close}>
                <Icon size={19} stroke={1.7} aria-hidden />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <main id="main" tabIndex={-1} className={classes.main}>
        <ConnectionBanner />
        <div className={classes.page}>
          <Outlet />
          <Text size="xs" c="dimmed" mt="xl" className={classes.last}>
            Times are in UTC.
          </Text>
        </div>
      </main>
    </FocusOnNavigation>
  );
}

/** Which deployment an admin changes: users of a live one are real. */
function Mode() {
  const mode = serviceMode();
  if (mode === null) return null;
  return (
    <span className={classes.mode} data-mode={mode}>
      {mode}
      <VisuallyHidden component="span"> mode</VisuallyHidden>
    </span>
  );
}

/** Shown instead of any page if the admin is not signed in; the sign-in returns to that page. */
function SignIn() {
  const returnTo = useLocation({ select: ({ publicHref }) => publicHref });
  const mode = serviceMode();
  const { host } = window.location;
  const signIn = `/panel/sign-in?returnTo=${encodeURIComponent(returnTo)}`;
  return (
    <CenteredCard title="Sign in">
      <Stack gap="lg" align="flex-start">
        <Mark size={44} />
        <div>
          <Title order={1} size="h2">
            Social Connect admin
          </Title>
          <Text mt={6} fw={600}>
            {mode === null ? host : `${mode} mode at ${host}`}
          </Text>
          <Text c="dimmed" mt={6}>
            Sign in with an account whose email address is on the list of admins.
          </Text>
        </div>
        <Button component="a" href={signIn} size="md" fullWidth>
          Sign in
        </Button>
        <Anchor href={`${signIn}&account=other`} size="sm">
          Use another account
        </Anchor>
      </Stack>
    </CenteredCard>
  );
}

/** Shown if the service did not respond when the panel started. Continues when it responds. */
function Unreachable() {
  const [isRetrying, setIsRetrying] = useState(false);
  const isOffline = useConnection() === "offline";
  const title = isOffline ? "You are offline" : "The service is unavailable";
  useEffect(() => {
    const end = onReconnect(() => void refreshSession());
    // The service may respond again before this page is shown.
    void checkConnection().then((connection) => {
      if (connection === "connected") void refreshSession();
    });
    return end;
  }, []);
  const retry = async () => {
    setIsRetrying(true);
    await refreshSession();
    setIsRetrying(false);
  };
  return (
    <CenteredCard title={title} role="status">
      <Title order={1} size="h3">
        {title}
      </Title>
      <Text c="dimmed" my="md">
        {isOffline
          ? "The panel continues when the connection returns."
          : "It may be starting. The panel continues when it responds."}
      </Text>
      <ActionButton isBusy={isRetrying} onClick={() => void retry()}>
        Try again
      </ActionButton>
    </CenteredCard>
  );
}
