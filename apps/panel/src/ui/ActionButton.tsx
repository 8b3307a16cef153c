import { Button, type ButtonProps } from "@mantine/core";
import type { ComponentProps, MouseEvent } from "react";

interface ActionButtonProps extends Omit<ButtonProps, "loading">, Omit<ComponentProps<"button">, keyof ButtonProps> {
  readonly isBusy: boolean;
}

/** A button of an action that takes time. While busy, it ignores clicks but keeps the focus, which a disabled button loses. */
export function ActionButton({ isBusy, ...props }: ActionButtonProps) {
  return <Button {...props} loading={isBusy} renderRoot={(root) => <button {...root} {...(isBusy ? BUSY : {})} />} />;
}

const BUSY = {
  disabled: false,
  "aria-disabled": true,
  onClick: (event: MouseEvent) => event.preventDefault(),
} as const;
