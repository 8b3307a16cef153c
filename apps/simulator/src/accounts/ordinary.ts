import type { ProviderKey } from "../shared/providerKeys.ts";

interface OrdinaryAccount {
  readonly provider: ProviderKey;
  readonly name: string;
  readonly displayName: string;
  readonly handle: string;
  readonly description: string;
  readonly theme: string;
}

/** Accounts that behave well: dozens of posts, a few of them private, deleted or incomplete, as real ones are. */
export const ORDINARY_ACCOUNTS: readonly OrdinaryAccount[] = [
  {
    provider: "provider-a",
    name: "harbor-workshop",
    displayName: "Harbor Workshop",
    handle: "harborworkshop",
    description:
      "Two people, one slipway, and boats that others gave up on.\n\nNew videos most days → https://example.test/harbor\n",
    theme: "boats",
  },
  {
    provider: "provider-a",
    name: "kitchen-atlas",
    displayName: "Kitchen Atlas",
    handle: "kitchenatlas",
    description: "Recipes with an address. Cooked in small kitchens, with what was there.",
    theme: "kitchen",
  },
  {
    provider: "provider-a",
    name: "night-trains",
    displayName: "Night Trains & Slow Lines",
    handle: "nighttrains",
    description: "The long way round, with the window open.",
    theme: "trains",
  },
  {
    provider: "provider-b",
    name: "paper-cranes",
    displayName: "paper cranes ✂️",
    handle: "paper.cranes",
    description: "one sheet, no cuts 🕊️ new fold every day",
    theme: "paper",
  },
  {
    provider: "provider-b",
    name: "street-baker",
    displayName: "The Street Baker",
    handle: "streetbaker",
    description: "up at 3 so you can sleep until 8 🥐",
    theme: "bakery",
  },
  {
    provider: "provider-b",
    name: "desert-runner",
    displayName: "desert runner",
    handle: "desert_runner",
    description: "slow miles, big sky",
    theme: "running",
  },
  {
    provider: "provider-c",
    name: "tidepool-studio",
    displayName: "Tidepool Studio | Prints",
    handle: "tidepool.studio",
    description: "🌊 Cyanotypes and field notes\n📍 low water\n👇🏻 Prints in the window",
    theme: "tidepool",
  },
  {
    provider: "provider-c",
    name: "linen-and-clay",
    displayName: "Linen & Clay",
    handle: "linen.and.clay",
    description: "Bowls, towels and the odd crooked vase. Made slowly by four hands.",
    theme: "clay",
  },
  {
    provider: "provider-c",
    name: "city-swifts",
    displayName: "City Swifts",
    handle: "cityswifts",
    description: "Birds between the trams. 🐦 Look up.",
    theme: "birds",
  },
];
