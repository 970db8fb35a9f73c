// A worker of a pool.

import { start } from "./backgammon.js";
import { serve } from "./serve.js";

const module = await start();

await serve({
  givePlayer: ({ name, bytes }) => module.givePlayer(name, bytes),
  countGames: ({ request, first, count }) => module.countGames(request, first, count),
  beginRollout: ({ number, request }) => module.beginRollout(request, number),
  beginDecision: ({ number, request }) => module.beginDecision(request, number),
  countTrials: ({ number, first, end, playing }) => module.countTrials(number, first, end, playing),
  endRollout: ({ number }) => module.endRollout(number),
});
