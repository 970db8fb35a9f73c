// The page of the games other than backgammon, in a browser. Run by tools/web/check-page.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { env } from "node:process";
import { after, before, test } from "node:test";

import { loadGames } from "../../package/index.js";
import { Browser } from "./browser.mjs";
import { serve } from "./server.mjs";

/** The most plies of a game between a person who makes the first play and the program. */
const MAX_PLIES = 400;

const games = await loadGames();
for (const game of ["plakoto", "fevga"]) await games.loadPlayer(game, "strong");
let browser;
let site;

before(async () => {
  site = await serve(env.SITE);
  browser = await Browser.start(env.CHROMIUM, `${env.PROFILE}-games`);
  await browser.show(1280, "light");
});

after(async () => {
  await browser?.close();
  site?.server.close();
});

const status = () => browser.run(() => document.getElementById("status").textContent);
const message = () => browser.run(() => document.getElementById("message").textContent);
const listed = () => browser.run(() => [...document.querySelectorAll("#plays button")].map(({ textContent }) => textContent));
const label = (slot) => browser.run((slot) => document.querySelector(`[data-slot='${slot}']`).getAttribute("aria-label"), slot);

/** Opens the page of a game, and waits for the person's turn. */
async function open(game) {
  await browser.open(`${site.origin}/games.html#${game}`);
  await browser.until((game) => document.querySelector("[aria-current]")?.dataset.game === game, game);
  // The page of the same game stays as it is.
  await browser.click("#new");
  await turn();
}

/** Waits until the person is to play, or the game is over. */
const turn = () => browser.until(() => /^(Your turn|You have|The program has|The game is)/.test(document.getElementById("status").textContent));

/** The roll of the person's turn; null in a game without dice. */
const roll = async () => (await status()).match(/with (\d\d)/)?.[1] ?? null;

for (const game of ["draughts", "plakoto", "fevga", "tictactoe"]) {
  test(`a game of ${game} is played to its end`, async () => {
    await open(game);
    // A search of a thousand games, where the program searches.
    await browser.run(() => (document.getElementById("program").selectedIndex = 0));
    if (env.SCREENSHOTS) await writeFile(`${env.SCREENSHOTS}/${game}.png`, await browser.screenshot(), "base64");
    const hasDice = await browser.run(() => getComputedStyle(document.getElementById("dice")).display !== "none");
    assert.equal(hasDice, (await roll()) !== null);
    let plies = 0;
    while (/^Your turn/.test(await status())) {
      const position = games.position(game, await browser.text("text"));
      const plays = games.plays(position, await roll());
      assert.deepEqual(await listed(), plays.map(({ moves }) => moves), position.state);
      await browser.click("#plays button");
      await turn();
      plies += 2;
      assert.ok(plies < MAX_PLIES, "the game goes on");
    }
    const { outcome } = games.position(game, await browser.text("text"));
    assert.notEqual(outcome, null);
    assert.match(await status(), /^(You have won|The program has won|The game is drawn)/);
    if (env.SCREENSHOTS) await writeFile(`${env.SCREENSHOTS}/${game}-end.png`, await browser.screenshot(), "base64");
    // Back to the person's last turn.
    await browser.click("#undo");
    await turn();
    assert.match(await status(), /^Your turn/);
  });
}

test("the program replies as the package in Node does", async () => {
  await open("draughts");
  await browser.run(() => (document.getElementById("program").selectedIndex = 0));
  const [play] = games.plays({ game: "draughts" });
  await browser.click("#plays button");
  await turn();
  const { plays } = games.search({ position: play.position, simulations: 1000 });
  assert.equal(await browser.text("text"), plays[0].position.state);
});

test("pieces are moved by clicks and by keys", async () => {
  await open("draughts");
  assert.equal(await label(9), "square 9: black man");
  // 9-14, of seven plays.
  await browser.run(() => document.querySelector("[data-slot='9']").dispatchEvent(new MouseEvent("click", { bubbles: true })));
  assert.equal(await browser.run(() => document.querySelectorAll(".slot.grown").length), 2);
  await browser.run(() => document.querySelector("[data-slot='14']").dispatchEvent(new MouseEvent("click", { bubbles: true })));
  await turn();
  assert.match(await browser.run(() => document.getElementById("line").textContent), /^9-14, /);
  await browser.click("#undo");
  // Black is below, and its squares are turned: 10 is left of 9 as its player sees them.
  await browser.run(() => document.querySelector("[data-slot='10']").focus());
  for (const key of ["ArrowRight", "Enter", "Escape"]) await browser.key(key);
  assert.equal(await browser.run(() => document.querySelectorAll(".slot.picked").length), 0);
  for (const key of ["Enter", "ArrowUp", "Enter"]) await browser.key(key);
  await turn();
  assert.match(await browser.run(() => document.getElementById("line").textContent), /^9-1[34], /);
});

test("plays of a roll are put together on the points, and pins are drawn", async () => {
  await open("plakoto");
  // Each side has 15 checkers on one point.
  assert.deepEqual([await label(24), await label(1)], ["point 24: 15 light", "point 1: 15 dark"]);
  await browser.run(() => {
    for (const [field, die] of [["first", 3], ["second", 1]]) {
      document.querySelectorAll(`#${field} input`)[die - 1].click();
    }
  });
  assert.equal(await status(), "Your turn, with 31.");
  assert.deepEqual((await listed()).sort(), ["24/20", "24/23 24/21"]);
  await browser.run(() => document.querySelector("[data-slot='24']").focus());
  for (const key of ["Enter", "ArrowLeft", "Enter"]) await browser.key(key);
  assert.equal(await browser.run(() => document.querySelectorAll("#board .arrow").length), 1, "a move of two");
  await browser.run(() => {
    for (const slot of [24, 21]) document.querySelector(`[data-slot='${slot}']`).dispatchEvent(new MouseEvent("click", { bubbles: true }));
  });
  await turn();
  assert.match(await browser.run(() => document.getElementById("line").textContent), /^31: 24\/23 24\/21, /);
  await browser.choose("text", "j--a--A*a*--A*-------A*----K");
  assert.equal(await message(), "");
  assert.deepEqual([await label(4), await label(7)], ["point 4: 1 dark", "point 7: 1 light, dark pinned"]);
  assert.equal(await browser.run(() => document.querySelectorAll("#board .checker.pinned").length), 4);
});

test("what cannot be read is said, and the person may play second", async () => {
  await open("tictactoe");
  await browser.choose("text", "nonsense");
  assert.match(await message(), /'nonsense' is not three rows/);
  await browser.choose("side", "-1");
  await turn();
  assert.match(await browser.run(() => document.getElementById("line").textContent), /^[abc][123]$/);
  assert.equal((await listed()).length, 8);
});

test("everything fits a phone and a desk", async () => {
  for (const game of ["draughts", "plakoto"]) {
    await open(game);
    for (const width of [360, 1280]) {
      await browser.show(width, "light");
      const found = await browser.run(() => document.documentElement.scrollWidth);
      assert.ok(found <= width, `${game}: ${found} pixels in a window of ${width}`);
      if (env.SCREENSHOTS) await writeFile(`${env.SCREENSHOTS}/${game}-${width}.png`, await browser.screenshot(), "base64");
    }
  }
});

test("nothing failed, nothing came from elsewhere, and the module of backgammon was not fetched", () => {
  assert.deepEqual(browser.errors, []);
  const foreign = browser.requests.filter((url) => !url.startsWith(site.origin) && !/^(data|blob|about):/.test(url));
  assert.deepEqual(foreign, []);
  const modules = new Set(browser.requests.filter((url) => url.endsWith(".wasm")).map((url) => url.split("/").at(-1)));
  assert.deepEqual([...modules], ["games.wasm"]);
});
