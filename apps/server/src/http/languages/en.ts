import { BROWSER_ERROR_PAGES } from "@social-connect/domain";

/** English, which decides what the other languages have to contain. */
export const EN = {
  errors: BROWSER_ERROR_PAGES,
  /** The link of a page without the result of an attempt, and of one with it. */
  back: "Back to {application}",
  service: "{host} connects accounts for {application}.",
  support: "Get help",
  privacy: "Privacy notice",
  pane: {
    title: "{application} asks to read your account",
    next: "In the next step, {host} asks for your permission.",
    readTitle: "What is read",
    capabilities: {
      PROFILE: "Your profile: name, handle, picture and description",
      CONTENT_LIST: "Your posts: titles, descriptions and preview pictures",
      CONTENT_LOOKUP: "A single post of yours, when you give its address",
      CONTENT_METRICS: "How often your posts were viewed, liked, commented on and shared",
    },
    readOnly: "Nothing is posted or changed.",
    retentionTitle: "How long it is stored",
    retention: {
      one: "Your profile and each post are deleted {count} day after they were last read.",
      other: "Your profile and each post are deleted {count} days after they were last read.",
    },
    erased: "When you disconnect the account, everything that was read is deleted.",
    revokeTitle: "How to revoke it",
    revoke: "Disconnect the account in {application}, or remove the app in the settings of your account at {host}.",
    button: "Continue to {host}",
    deadline: {
      one: "You have {count} minute, until {time}.",
      other: "You have {count} minutes, until {time}.",
    },
  },
  /** The status page of a data deletion request. */
  deletion: {
    title: "Deletion of your data",
    requested: "Requested on {time}.",
    nothingHeld: "Nothing was stored for your account.",
    erased: "Everything that was stored for your account was erased on {time}.",
    remaining: {
      one: "The data of {count} connected account is still being erased. Open this page again later.",
      other: "The data of {count} connected accounts is still being erased. Open this page again later.",
    },
    erasedTitle: "What was erased",
    connections: {
      one: "{count} connected account, with its profile and the permission to read it",
      other: "{count} connected accounts, with their profiles and the permissions to read them",
    },
    posts: { one: "{count} post, with its figures", other: "{count} posts, with their figures" },
    appMayRemain:
      "The permission could not be withdrawn from here. If the app is still listed in the settings of your account, remove it there.",
    available: "This page is available until {time}.",
    unknownTitle: "There is no deletion request with this code",
    unknown: {
      one: "The address is incomplete, or the request is more than {count} day old.",
      other: "The address is incomplete, or the request is more than {count} days old.",
    },
  },
} as const;
