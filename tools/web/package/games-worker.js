// A worker of a pool for games other than backgammon.

import { start } from "./games-module.js";
import { serve } from "./serve.js";

const games = await start();

await serve({
  givePlayer: ({ game, name, bytes }) => games.givePlayer(game, name, bytes),
  countGames: ({ request, first, count }) => games.countGames(request, first, count),
  countTrees: ({ request, first, end }, show) => games.countTrees(request, first, end, show),
  beginDecision: ({ number, request }) => games.beginDecision(request, number),
  countTrials: ({ number, first, end, playing }) => games.countTrials(number, first, end, playing),
  endRollout: ({ number }) => games.endRollout(number),
});
