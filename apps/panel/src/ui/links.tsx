import { Anchor, type AnchorProps, Button, type ButtonProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, Ref } from "react";

/** Mantine's components for the router's links, whose paths and search parameters are type-checked. */

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "style" | "color"> {
  readonly ref?: Ref<HTMLAnchorElement>;
}

function AnchorElement(props: Omit<AnchorProps, "href"> & LinkProps) {
  return <Anchor {...props} />;
}

function ButtonElement(props: ButtonProps & LinkProps) {
  return <Button component="a" {...props} />;
}

function CancelElement(props: Omit<LinkProps, "children">) {
  return (
    <ButtonElement {...props} variant="subtle">
      Cancel
    </ButtonElement>
  );
}

export const LinkTo = createLink(AnchorElement);
export const LinkButton = createLink(ButtonElement);
/** Leaves a form. */
export const CancelLink = createLink(CancelElement);
