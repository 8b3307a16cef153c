import { Center, Loader, VisuallyHidden } from "@mantine/core";

/** Shown while a page's code loads. */
export function PagePending() {
  return (
    <Center mih="40vh" role="status">
      <Loader type="dots" aria-hidden />
      <VisuallyHidden>Loading</VisuallyHidden>
    </Center>
  );
}
