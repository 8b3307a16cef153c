export interface Face {
  readonly displayName: string;
  readonly handle: string;
  readonly description: string;
  readonly theme: string;
}

/** Accounts without faults: dozens of posts, a few of them private, deleted or incomplete. */
export const ORDINARY_FACES: Readonly<Record<string, Face>> = {
  "harbor-workshop": {
    displayName: "Harbor Workshop",
    handle: "harborworkshop",
    description:
      "Two people, one slipway, and boats that others gave up on.\n\nNew videos most days → https://example.test/harbor\n",
    theme: "boats",
  },
  "kitchen-atlas": {
    displayName: "Kitchen Atlas",
    handle: "kitchenatlas",
    description: "Recipes with an address. Cooked in small kitchens, with what was there.",
    theme: "kitchen",
  },
  "night-trains": {
    displayName: "Night Trains & Slow Lines",
    handle: "nighttrains",
    description: "The long way round, with the window open.",
    theme: "trains",
  },
  "paper-cranes": {
    displayName: "paper cranes ✂️",
    handle: "paper.cranes",
    description: "one sheet, no cuts 🕊️ new fold every day",
    theme: "paper",
  },
  "street-baker": {
    displayName: "The Street Baker",
    handle: "streetbaker",
    description: "up at 3 so you can sleep until 8 🥐",
    theme: "bakery",
  },
  "desert-runner": {
    displayName: "desert runner",
    handle: "desert_runner",
    description: "slow miles, big sky",
    theme: "running",
  },
  "tidepool-studio": {
    displayName: "Tidepool Studio | Prints",
    handle: "tidepool.studio",
    description: "🌊 Cyanotypes and field notes\n📍 low water\n👇🏻 Prints in the window",
    theme: "tidepool",
  },
  "linen-and-clay": {
    displayName: "Linen & Clay",
    handle: "linen.and.clay",
    description: "Bowls, towels and the odd crooked vase. Made slowly by four hands.",
    theme: "clay",
  },
  "city-swifts": {
    displayName: "City Swifts",
    handle: "cityswifts",
    description: "Birds between the trams. 🐦 Look up.",
    theme: "birds",
  },
};
