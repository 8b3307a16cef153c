import type { AnchorProps, ButtonProps } from "@mantine/core";
import { Anchor, Button } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, Ref } from "react";

/** The library's looks over the router's links, whose addresses and searches are checked against the pages there are. */

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
