// A worker of a pool.

import { load } from "./engine.js";
import { serve } from "./serve.js";

const engine = await load();

await serve({
  givePlayer: ({ name, bytes }) => engine.givePlayer(name, bytes),
  countGames: ({ request, first, count }) => engine.countGames(request, first, count),
  beginRollout: ({ number, request }) => engine.beginRollout(request, number),
  beginDecision: ({ number, request }) => engine.beginDecision(request, number),
  countTrials: ({ number, first, end, playing }) => engine.countTrials(number, first, end, playing),
  endRollout: ({ number }) => engine.endRollout(number),
});
