import type { Metadata } from "next";
import type { ReactNode } from "react";

export const metadata: Metadata = { title: "My application", icons: [] };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body style={{ font: "1rem/1.6 system-ui", maxWidth: "44rem", margin: "2rem auto", padding: "0 1rem" }}>
        <main>{children}</main>
      </body>
    </html>
  );
}
