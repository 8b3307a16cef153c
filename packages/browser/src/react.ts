"use client";

/** React components for Connect. Everything exported here is public and follows semver. */
import {
  type ButtonHTMLAttributes,
  createElement,
  type FormEvent,
  type ReactElement,
  useEffect,
  useRef,
  useState,
} from "react";
import { type ConnectButtonOptions, oneAtATime } from "./button.ts";
import type { ConnectFields, ConnectRequest } from "./options.ts";
import type { ConnectLaunch } from "./start.ts";

export type { ConnectButtonOptions } from "./button.ts";
export type { ConnectFields, ConnectForm, ConnectOptions, ConnectRequest } from "./options.ts";
export type { ConnectLaunch, ConnectOutcome, ReturnedOutcome } from "./start.ts";

/** The properties of `ConnectButton`. Those of a button, such as `className` and `disabled`, are passed to it. */
export interface ConnectButtonProps
  extends ConnectButtonOptions,
    Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type" | "form" | "formAction"> {
  /** The route of your backend that starts an attempt and responds with `launchPage(session)`. */
  readonly action: string;
  /** Posted to the route, for example the provider. */
  readonly fields?: ConnectFields | undefined;
}

/** What `useConnect` returns. */
export interface UseConnect {
  /** Call it directly in the handler of a click. While a window is open, it focuses the window. */
  readonly start: (request: ConnectRequest) => void;
  /** The launch whose window is open; null otherwise. */
  readonly launch: ConnectLaunch | null;
}

/** Connect for a component of your own. A component that is removed stops waiting; the window then shows the result. */
export function useConnect(options: ConnectButtonOptions): UseConnect {
  const [launch, setLaunch] = useState<ConnectLaunch | null>(null);
  // The options of the newest rendering, so that a handler sees the current state of its component.
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const [starter] = useState(() =>
    oneAtATime(() => ({
      ...latest.current,
      onStart: (started) => {
        setLaunch(started);
        latest.current.onStart?.(started);
      },
      onOutcome: (outcome, ended) => {
        setLaunch(null);
        latest.current.onOutcome(outcome, ended);
      },
    })),
  );
  useEffect(() => starter.release, [starter]);
  return { start: starter.start, launch };
}

/** A form with one button: before scripts have loaded, and if popups are blocked, Connect uses the full page. */
export function ConnectButton({
  action,
  fields = {},
  mode,
  width,
  height,
  launchIdField,
  findAttempt,
  onLateReturn,
  signal,
  onStart,
  onOutcome,
  ...button
}: ConnectButtonProps): ReactElement {
  const options = { mode, width, height, launchIdField, findAttempt, onLateReturn, signal, onStart };
  const { start } = useConnect({ ...options, onOutcome });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    start({ action, fields });
  };
  const inputs = Object.entries(fields).map(([name, value]) =>
    createElement("input", { key: name, type: "hidden", name, value }),
  );
  return createElement(
    "form",
    { action, method: "post", onSubmit },
    ...inputs,
    createElement("button", { ...button, type: "submit" }),
  );
}
