import { type Branding, textColorOn } from "@social-connect/domain";
import type { CSSProperties } from "react";
import classes from "./BrandingPreview.module.css";

interface BrandingPreviewProps {
  readonly displayName: string;
  readonly branding: Branding;
}

/** The consent pane in short, as the server renders it. Its controls do nothing, so they are plain text. */
export function BrandingPreview({ displayName, branding }: BrandingPreviewProps) {
  const { logo, brandColor, supportAddress, privacyUrl } = branding;
  const colors =
    brandColor === null
      ? {}
      : ({ "--brand": brandColor, "--on-brand": textColorOn(brandColor) } as unknown as CSSProperties);
  const links = [supportAddress === null ? null : "Get help", privacyUrl === null ? null : "Privacy notice"];
  return (
    <figure className={classes.page} style={colors} aria-label="Preview of a page">
      <p className={classes.brand}>
        {logo !== null && <img src={logo} alt="Logo" />}
        <bdi>{displayName}</bdi>
      </p>
      <p className={classes.title}>{displayName} asks to read your account</p>
      <p className={classes.button}>Continue</p>
      <p className={classes.links}>{links.filter((link) => link !== null).join(" · ")}</p>
    </figure>
  );
}
