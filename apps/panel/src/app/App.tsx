import { MantineProvider } from "@mantine/core";

import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { ConfirmationProvider } from "../confirmation/ConfirmationProvider.tsx";
import { Notices } from "../shell/Notices.tsx";
import { nonce } from "./nonce.ts";
import { queryClient } from "./queryClient.ts";
import { router } from "./router.ts";
import { cssVariables, theme } from "./theme.ts";

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <Notices />
      <QueryClientProvider client={queryClient}>
        <ConfirmationProvider>
          <RouterProvider router={router} />
        </ConfirmationProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
