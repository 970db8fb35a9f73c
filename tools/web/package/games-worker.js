// A worker of a pool for games other than backgammon.

import { loadGames } from "./games.js";
import { serve } from "./serve.js";

const games = await loadGames();

await serve({
  givePlayer: ({ game, name, bytes }) => games.givePlayer(game, name, bytes),
  countGames: ({ request, first, count }) => games.countGames(request, first, count),
  countTrees: ({ request, first, end }) => games.countTrees(request, first, end),
});
