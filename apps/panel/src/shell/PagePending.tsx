import { Center, Loader, VisuallyHidden } from "@mantine/core";

/** While a page's code is on its way. */
export function PagePending() {
  return (
    <Center mih="40vh" role="status">
      <Loader type="dots" aria-hidden />
      <VisuallyHidden>Loading</VisuallyHidden>
    </Center>
  );
}
