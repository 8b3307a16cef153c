import { Group, Image, Stack, Text } from "@mantine/core";
import { type Branding, textColorOn } from "@social-connect/domain";

interface BrandingPreviewProps {
  readonly displayName: string;
  readonly branding: Branding;
}

/** The consent pane in short, as the server renders it. Its controls do nothing, so they are plain text. */
export function BrandingPreview({ displayName, branding }: BrandingPreviewProps) {
  const { logo, brandColor, supportAddress, privacyUrl } = branding;
  const links = [supportAddress === null ? null : "Get help", privacyUrl === null ? null : "Privacy notice"];
  return (
    <Stack
      component="figure"
      gap="sm"
      m={0}
      p="lg"
      maw={480}
      bg="var(--panel-surface)"
      bd="1px solid var(--panel-line)"
      bdrs="lg"
      style={{
        borderBlockStart: `6px solid ${brandColor ?? "var(--mantine-primary-color-filled)"}`,
        overflowWrap: "anywhere",
      }}
      aria-label="Preview of a page"
    >
      <Group component="p" m={0} fw={600} gap="sm">
        {logo !== null && (
          <Image
            src={logo}
            alt="Logo"
            w="auto"
            maw="min(12rem, 100%)"
            mah="3rem"
            p={4}
            bg="#fff"
            bd="1px solid var(--panel-line)"
            radius="sm"
          />
        )}
        <bdi>{displayName}</bdi>
      </Group>
      <Text size="xl" fw={700} lh={1.25}>
        {displayName} asks to read your account
      </Text>
      <Text
        w="fit-content"
        px={22}
        py="xs"
        fw={600}
        c={brandColor === null ? "var(--panel-surface)" : textColorOn(brandColor)}
        bg={brandColor ?? "var(--mantine-color-text)"}
        bd="1px solid var(--mantine-color-dimmed)"
        bdrs="2rem"
      >
        Continue
      </Text>
      <Text size="sm" c="dimmed">
        {links.filter((link) => link !== null).join(" · ")}
      </Text>
    </Stack>
  );
}
