// textlint-disable plain-english -- invented posts, not documentation

/** Words and sentences from which posts are generated. */
export interface Theme {
  readonly subjects: readonly string[];
  readonly places: readonly string[];
  readonly titles: readonly string[];
  readonly sentences: readonly string[];
  readonly tags: readonly string[];
  /** The colors of the pictures, from sky to foreground. */
  readonly palette: readonly [string, string, string, string, string];
}

/** A theme as texts: words separated by commas or spaces, and one title or sentence a line. */
type ThemeTexts = Readonly<Record<Exclude<keyof Theme, "palette">, string>> & Pick<Theme, "palette">;

function theme({ subjects, places, titles, sentences, tags, palette }: ThemeTexts): Theme {
  return {
    subjects: subjects.split(/,\s+/),
    places: places.split(/,\s+/),
    titles: titles.trim().split(/\n\s+/),
    sentences: sentences.trim().split(/\n\s+/),
    tags: tags.split(" "),
    palette,
  };
}

export const THEMES: Readonly<Record<string, Theme>> = {
  boats: theme({
    subjects: `a clinker dinghy, the old ferry rudder, a cedar oar, the pilot cutter, a rotten keelson, bronze rowlocks,
      a tarred mainsail, the steam box, a folding tender, copper rivets, the harbour skiff, a split mast,
      the wheelhouse door, a caulking mallet`,
    places: "slipway 3, the tidal shed, Northquay, the mud berth, Gannet Sound, the rope loft, the winter yard",
    titles: `
      Rebuilding {subject} from the plans of 1911
      {subject}: what we found under the paint
      Three days with {subject} at {place}
      How to steam-bend planks for {subject}
      Launch day at {place}
      We nearly gave up on {subject}
      Q&A: tools, timber and {subject}
      Why {subject} took nine weeks`,
    sentences: `
      The tide gave us four hours, and we used all of them.
      Every plank was marked in pencil by somebody who is long gone.
      We left the tool marks where they were honest.
      The second coat always looks worse than the first, until it does not.
      Measurements are in the pinned comment, in millimetres and in inches.
      Thanks to the yard cat for supervising.
      If you know who built her, please write to us.`,
    tags: "#woodworking #boatbuilding #restoration #slowcraft #harbour #handtools",
    palette: ["#f6e7cb", "#e8a87c", "#c38d9e", "#41748d", "#1f3b4d"],
  }),
  kitchen: theme({
    subjects: `saffron rice, burnt leek soup, sourdough crumpets, black garlic butter, quince paste,
      hand-pulled noodles, a 40-minute stew, pickled plums, chestnut pasta, cardamom buns, smoked aubergine,
      rye crispbread, a very green salad, barley tea`,
    places: "the small kitchen, Market Row, the night market, a borrowed oven, the allotment, the lighthouse café",
    titles: `
      {subject}, the way my neighbour makes it
      One pan, one knife: {subject}
      I cooked {subject} every day for a week
      Five mistakes with {subject}
      {subject} at {place}
      What to do with leftover {subject}
      No oven? {subject} anyway
      A map of {subject}, from village to village`,
    sentences: `
      Salt early, acid late.
      The dough is ready when it stops arguing with you.
      Swap the butter for good oil and nobody will complain.
      Quantities for two hungry people or four polite ones.
      It freezes well; mark the box, you will not remember.
      My grandmother would have used twice the pepper.
      The full recipe with weights is on the card at the end.`,
    tags: "#homecooking #recipe #seasonal #onepan #bread #kitchennotes",
    palette: ["#fff3d9", "#ffc857", "#e9724c", "#c5283d", "#481d24"],
  }),
  trains: theme({
    subjects: `the 23:41 sleeper, a two-car diesel, the mountain branch, the last dining car, a night ferry link,
      the viaduct line, platform 0, the border crossing, a rail replacement bus, the post train, the salt railway,
      a cab ride`,
    places: "Halden Pass, Sixmile Junction, the Ostrava loop, Marram Halt, the old capital, the fjord line",
    titles: `
      {subject} from {place} to the sea
      I slept on {subject} so you do not have to
      {subject}: 11 hours, 3 cups of tea
      What happened to {subject}?
      Cab view: {place} in fresh snow
      {subject} on a €19 ticket
      Missing {subject} was the best part
      Sound only: {subject} at {place}`,
    sentences: `
      The heating had two settings, off and Sahara.
      We arrived four minutes early, which nobody could explain.
      Bring your own cup and the guard will like you.
      The window opens, and that is worth the fare.
      Tickets, seat numbers and the timetable are below.
      At the border somebody checked the dog twice.
      Filmed in March, in one take, with cold hands.`,
    tags: "#nighttrain #slowtravel #railway #window #timetable #longway",
    palette: ["#d6e4f0", "#9fb8ad", "#475b63", "#2e2c2f", "#131a22"],
  }),
  paper: theme({
    subjects: `a one-sheet crane, a folding lamp, a paper tide table, the smallest box, a spiral shell, an uncut dragon,
      pop-up city blocks, a thank-you card, the 256-fold rose, a moth from a bus ticket`,
    places: "the studio table, a train seat, the rooftop, the library, a waiting room",
    titles: `
      {subject} in 60 seconds
      Fold along: {subject}
      {subject} vs. wind at {place}
      POV: you finally finish {subject}
      Day 100 of folding {subject}
      Wrong paper, right result: {subject}
      Can {subject} hold a coin?`,
    sentences: `
      no glue, no cuts, no regrets
      part 2 if this gets to ten comments
      sound on for the crisp bit
      the trick is the third fold
      paper is 80 g, nothing fancy
      made at {place}, sorry for the light`,
    tags: "#origami #papercraft #satisfying #learnontok #diy #fold",
    palette: ["#fdf0f5", "#f7b2bd", "#b38cb4", "#7d6b91", "#3b2c4a"],
  }),
  running: theme({
    subjects: `my first 50 km, hill repeats, a sandstorm tempo run, the dawn loop, blister repair, a borrowed vest,
      the dune marathon, an easy hour, the worst gel, night navigation`,
    places: "the salt flat, mile 31, the ridge, the dry river, the checkpoint",
    titles: `
      {subject}: what nobody tells you
      Come with me: {subject} at {place}
      {subject} on no sleep
      Rating {subject} out of ten
      {place}, 5 am, 2 degrees
      3 things I learnt from {subject}
      {subject} but make it slow`,
    sentences: `
      drink before you are thirsty
      I cried at {place}, it was fine
      shoes are at the end of the video
      not sponsored, just dusty
      heart rate stayed polite
      would I do it again? already signed up`,
    tags: "#running #ultra #desert #trail #fyp #couchto5k",
    palette: ["#ffe8d6", "#ffb997", "#f67e7d", "#843b62", "#2b1a35"],
  }),
  bakery: theme({
    subjects: `4 a.m. croissants, the seeded loaf, a wedding pretzel, plum cake trays, the broken mixer,
      flatbread for 200, the last baguette, oven day, cinnamon knots, the sourdough named Kevin`,
    places: "the corner shop, the wood oven, stall 14, the flour store, the back door",
    titles: `
      {subject} before anyone is awake
      {subject}, start to finish
      Someone ordered {subject}
      {subject} at {place}
      How we price {subject}
      ASMR: {subject}
      Closing time and {subject}`,
    sentences: `
      sold out by nine
      listen to that crust
      yes, that is a lot of butter
      the queue went past {place}
      tag somebody who would wait in line
      recipe on the wall, come and photograph it`,
    tags: "#bakery #bread #smallbusiness #asmr #morning #dough",
    palette: ["#fff8e7", "#f2d0a4", "#d9985f", "#8c5e3c", "#3e2723"],
  }),
  tidepool: theme({
    subjects: `an anemone at low water, kelp on blue paper, a limpet census, foam lines, the green crab,
      cyanotype no. 40, a mermaid's purse, sea glass by colour, the spring tide, a nudibranch the size of a lentil`,
    places: "Kittiwake Cove, the second ledge, the causeway, the tide table wall, pool 7",
    titles: `
      {subject}, found at {place}
      Low water 06:12. {subject}.
      A study of {subject}
      {subject} (please do not lift the stones)
      Back at {place} for {subject}
      Notes on {subject}`,
    sentences: `
      The light lasted eleven minutes.
      Printed in sunlight, rinsed in rain water.
      We count, we draw, we put everything back.
      New prints are in the window from Saturday.
      Which one would you hang in a kitchen?
      Slides 2 to 5 show the sketchbook.`,
    tags: "#tidepool #cyanotype #fieldnotes #printmaking #sea #slowart",
    palette: ["#e0fbfc", "#98c1d9", "#3d5a80", "#2a6f77", "#0b2b40"],
  }),
  clay: theme({
    subjects: `a salt-glazed jug, linen tea towels, twelve grey bowls, an ash glaze, the kiln opening, a crooked vase,
      indigo napkins, the seconds shelf, a moon jar, the wheel at night`,
    places: "the barn studio, the spring market, kiln 2, the linen press, our kitchen table",
    titles: `
      {subject}, fresh from {place}
      {subject} and a little patience
      Restock: {subject}
      In progress: {subject}
      {place}, this morning
      The story of {subject}`,
    sentences: `
      Each one is a little wrong in its own way.
      Fired for nineteen hours with apple wood.
      Washed twice, so it will not shrink again.
      The list opens on Friday at noon.
      Swipe for the test tiles nobody was meant to see.
      Made slowly by four hands.`,
    tags: "#ceramics #linen #handmade #studio #kiln #homeware",
    palette: ["#f5efe6", "#e8dfca", "#aebdca", "#7895b2", "#3c4f65"],
  }),
  birds: theme({
    subjects: `swifts over the tram depot, a kestrel on the cathedral, the heron of bridge five,
      sparrows in a shop sign, a ringed tern, the dawn chorus, goldfinches on the roundabout, a very loud wren,
      gulls at closing time, the first fieldfare`,
    places: "the gasworks, bridge five, the botanical garden, platform 2, the roof of the town hall",
    titles: `
      {subject}
      {subject}, seen from {place}
      City list no. 88: {subject}
      Patience, then {subject}
      {subject} — look up!
      Every May: {subject}`,
    sentences: `
      Taken with an old lens and a new thermos.
      The nest box survey needs volunteers; link in the profile.
      Four pairs this year, up from one.
      No baiting, no playback, no drones.
      Sound of the week is in the reel.
      Guess the bird before the last slide.`,
    tags: "#urbanbirds #swifts #citywildlife #birding #lookup #spring",
    palette: ["#fef9ef", "#ffcb77", "#17c3b2", "#227c9d", "#143642"],
  }),
};
