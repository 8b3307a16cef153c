import type { SocialProvider } from "@social-connect/sdk";

export interface ShownProvider {
  readonly id: SocialProvider;
  readonly name: string;
  readonly text: string;
}

export const PROVIDERS: readonly ShownProvider[] = [
  { id: "PROVIDER_A", name: "YouTube", text: "Your channel and its videos, with views, likes and comments." },
  { id: "PROVIDER_B", name: "TikTok", text: "Your short videos, with views, likes, comments and shares." },
  { id: "PROVIDER_C", name: "Instagram", text: "Your photos, albums and reels, with their insights." },
];

export function providerName(id: string): string {
  return PROVIDERS.find((provider) => provider.id === id)?.name ?? id;
}

export function providerById(id: unknown): ShownProvider | undefined {
  return PROVIDERS.find((provider) => provider.id === id);
}
