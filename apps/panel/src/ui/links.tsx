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

export const LinkTo = createLink(AnchorElement);
export const LinkButton = createLink(ButtonElement);
