/** Accounts without faults: dozens of posts, a few of them private, deleted or incomplete. */
const FACES: Readonly<
  Record<string, readonly [displayName: string, handle: string, theme: string, description: string]>
> = {
  "harbor-workshop": [
    "Harbor Workshop",
    "harborworkshop",
    "boats",
    "Two people, one slipway, and boats that others gave up on.\n\nNew videos most days → https://example.test/harbor\n",
  ],
  "kitchen-atlas": [
    "Kitchen Atlas",
    "kitchenatlas",
    "kitchen",
    "Recipes with an address. Cooked in small kitchens, with what was there.",
  ],
  "night-trains": ["Night Trains & Slow Lines", "nighttrains", "trains", "The long way round, with the window open."],
  "paper-cranes": ["paper cranes ✂️", "paper.cranes", "paper", "one sheet, no cuts 🕊️ new fold every day"],
  "street-baker": ["The Street Baker", "streetbaker", "bakery", "up at 3 so you can sleep until 8 🥐"],
  "desert-runner": ["desert runner", "desert_runner", "running", "slow miles, big sky"],
  "tidepool-studio": [
    "Tidepool Studio | Prints",
    "tidepool.studio",
    "tidepool",
    "🌊 Cyanotypes and field notes\n📍 low water\n👇🏻 Prints in the window",
  ],
  "linen-and-clay": [
    "Linen & Clay",
    "linen.and.clay",
    "clay",
    "Bowls, towels and the odd crooked vase. Made slowly by four hands.",
  ],
  "city-swifts": ["City Swifts", "cityswifts", "birds", "Birds between the trams. 🐦 Look up."],
};

export function faceOf(name: string) {
  const face = FACES[name];
  if (face === undefined) throw new Error(`The account ${name} has no face.`);
  const [displayName, handle, theme, description] = face;
  return { displayName, handle, theme, description };
}
