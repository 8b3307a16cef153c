import {
  IconActivity,
  IconApps,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconLifebuoy,
  IconLink,
  IconPlugConnected,
  IconUsers,
  IconVersions,
} from "@tabler/icons-react";

/** The top-level pages, in display order. */
export const NAVIGATION = [
  { to: "/", label: "Overview", icon: IconLayoutDashboard },
  { to: "/clients", label: "Clients", icon: IconApps },
  { to: "/connections", label: "Connections", icon: IconLink },
  { to: "/sdk-versions", label: "SDK versions", icon: IconVersions },
  { to: "/support", label: "Support", icon: IconLifebuoy },
  { to: "/registrations", label: "Registrations", icon: IconPlugConnected },
  { to: "/api-keys", label: "API keys", icon: IconKey },
  { to: "/admins", label: "Admins", icon: IconUsers },
  { to: "/audit", label: "Audit log", icon: IconHistory },
  { to: "/health", label: "Health", icon: IconActivity },
] as const;
