// The page in a browser. Run by tools/web/check-page.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { env } from "node:process";
import { after, before, test } from "node:test";

import { load } from "../../package/index.js";
import { DARK_OFF, LIGHT_OFF } from "../../page/checkers.js";
import { Browser } from "./browser.mjs";
import { serve } from "./server.mjs";

const OPENING = "4HPwATDgc/ABMA";

let browser;
let site;

before(async () => {
  site = await serve(env.SITE);
  browser = await Browser.start(env.CHROMIUM, env.PROFILE);
  await browser.show(1280, "light");
  await browser.open(`${site.origin}/`);
  // The judge has come when plays have equities.
  await browser.until(() => document.querySelector("#plays .equity")?.textContent);
});

after(async () => {
  await browser?.close();
  site?.server.close();
});

const middle = (selector) => browser.middle(selector);
const click = (selector) => browser.click(selector);
const choose = (id, value) => browser.choose(id, value);
const text = (id) => browser.text(id);

/** The colour of a picture at places of it. */
async function colours(png, places) {
  const found = await browser.run(
    async (png, places) => {
      const image = new Image();
      image.src = `data:image/png;base64,${png}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const pen = canvas.getContext("2d");
      pen.drawImage(image, 0, 0);
      return places.map(({ x, y }) => [...pen.getImageData(Math.round(x), Math.round(y), 1, 1).data.slice(0, 3)]);
    },
    png,
    places,
  );
  return found;
}

/** The colours of the style sheet, as red, green and blue. */
const named = (...names) =>
  browser.run((names) => {
    const style = getComputedStyle(document.documentElement);
    return names.map((name) => {
      const hex = style.getPropertyValue(name).trim();
      return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
    });
  }, names);

test("the board is drawn, in light and in dark", async () => {
  assert.equal(await browser.run(() => document.querySelectorAll("#board circle.checker").length), 30);
  const outside = await browser.run(() =>
    [...document.querySelectorAll("#board .slot")].filter((slot) => {
      const area = slot.querySelector(".area").getBoundingClientRect();
      const edge = slot.dataset.slot > 12 ? "top" : "bottom";
      const boxes = [...slot.querySelectorAll(".checker")].map((checker) => checker.getBoundingClientRect());
      const stand = boxes.length === 0 || boxes.some((box) => Math.abs(box[edge] - area[edge]) < 3);
      return !stand || boxes.some((box) => box.top < area.top - 1 || box.bottom > area.bottom + 1);
    }).length,
  );
  assert.equal(outside, 0, "stacks of checkers stand on the edges of their points");
  const label = await browser.run(() => document.querySelector("[data-slot='6']").getAttribute("aria-label"));
  assert.equal(label, "point 6: 5 light");
  for (const scheme of ["light", "dark"]) {
    await browser.show(1280, scheme);
    const places = await Promise.all(
      ["[data-slot='6'] circle", "[data-slot='12'] circle", "[data-slot='25'] .area"].map(middle),
    );
    const png = await browser.screenshot();
    if (env.SCREENSHOTS) await writeFile(`${env.SCREENSHOTS}/board-${scheme}.png`, png, "base64");
    assert.deepEqual(await colours(png, places), await named("--light", "--dark", "--wood"), scheme);
  }
  await browser.show(1280, "light");
});

test("checkers are dragged, and picked up and put down by keys", async () => {
  await browser.drag(await middle("[data-slot='6'] circle"), await middle("[data-slot='5'] .area"));
  const points = (await load()).position(OPENING).points;
  points[6] -= 1;
  points[5] += 1;
  const expected = (await load()).position(points).positionId;
  assert.equal(await text("text"), expected);
  // Back again: to point 5, a checker up, one to the left, and down.
  await browser.run(() => document.querySelector("[data-slot='5']").focus());
  for (const key of ["Enter", "ArrowLeft", "Enter"]) await browser.key(key);
  assert.equal(await text("text"), OPENING);
  // The dark side holds point 12.
  await browser.drag(await middle("[data-slot='6'] circle"), await middle("[data-slot='12'] .area"));
  assert.equal(await text("text"), OPENING);
  assert.match(await browser.run(() => document.getElementById("message").textContent), /holds point 12/);
});

test("plays are listed, the best first, and shown", async () => {
  const tavli = await load();
  await tavli.loadPlayer("strong");
  const expected = tavli.evaluatePlays(OPENING, "31", { player: "strong" }).map(({ moves }) => moves);
  const shown = await browser.run(() =>
    [...document.querySelectorAll("#plays button")].map((button) => button.firstChild.textContent),
  );
  assert.deepEqual(shown, expected);
  await browser.move(await middle("#plays button"));
  await browser.until(() => document.querySelectorAll("#board .arrow").length === 2);
  // 8/5 6/5, seen by the side that made it.
  const labels = await browser.run(() =>
    [5, 6, 8].map((slot) => document.querySelector(`[data-slot='${slot}']`).getAttribute("aria-label")),
  );
  assert.deepEqual(labels, ["point 5: 2 light", "point 6: 4 light", "point 8: 2 light"]);
  if (env.SCREENSHOTS) await writeFile(`${env.SCREENSHOTS}/play.png`, await browser.screenshot(), "base64");
  await browser.move({ x: 1, y: 1 });
  await browser.until(() => document.querySelectorAll("#board .arrow").length === 0);
});

test("a rollout has the digits of the package in Node", async () => {
  await choose("of", "2");
  await choose("policy", "uniform");
  await choose("trials", "1296");
  await click("#go");
  await browser.until(() => document.getElementById("result").dataset.state === "done");
  const rows = await browser.run(() =>
    [...document.querySelectorAll("#rows tr")].map((row) => [...row.cells].map((cell) => cell.textContent)),
  );
  const tavli = await load();
  await tavli.loadPlayer("strong");
  const best = tavli.evaluatePlays(OPENING, "31", { player: "strong" }).slice(0, 2);
  const plays = best.map(({ moves }) => moves);
  const { candidates } = tavli.rollout({ position: OPENING, roll: "31", plays, trials: 1296, policy: "uniform" });
  const expected = candidates.map(({ moves, equity, win }) => [
    moves,
    `${equity.mean < 0 ? "−" : "+"}${Math.abs(equity.mean).toFixed(4)}`,
    `± ${equity.standardError.toFixed(4)}`,
    `${(100 * win.mean).toFixed(1)} %`,
  ]);
  assert.deepEqual(rows.map(([moves, , ...numbers]) => [moves, ...numbers.slice(0, 3)]), expected);
  const speed = await browser.run(() => document.getElementById("speed").textContent);
  const what = await browser.run(() => document.getElementById("what").textContent);
  assert.equal(what, `${OPENING}, roll 31, backgammon, played by uniform, seed 1`);
  assert.match(speed, /^1,296 of 1,296 trials, .* games\/s; done$/);
  assert.equal(await browser.run(() => document.querySelectorAll("#rows .spread line.interval").length), 2);
  if (env.SCREENSHOTS) await writeFile(`${env.SCREENSHOTS}/rollout.png`, await browser.screenshot(), "base64");
});

test("a rollout moves its error bars, and is stopped with what it has", async () => {
  await choose("of", "position");
  await choose("policy", "fast");
  await choose("trials", "1000000");
  await click("#go");
  const ends = () =>
    browser.run(() => document.querySelector("#rows line.interval")?.getAttribute("x1"));
  await browser.until(() => document.querySelector("#rows line.interval"));
  const first = await ends();
  await browser.until((first) => document.querySelector("#rows line.interval")?.getAttribute("x1") !== first, first);
  await click("#go");
  await browser.until(() => document.getElementById("result").dataset.state === "stopped");
  assert.match(await browser.run(() => document.getElementById("rows").textContent), /^the position/);
  const inside = await browser.run(() =>
    [...document.querySelectorAll("#rows line.end")].every((line) => line.x1.baseVal.value > 0 && line.x1.baseVal.value < 100),
  );
  assert.ok(inside, "the interval is within its picture");
});

test("everything fits a phone and a desk", async () => {
  for (const width of [360, 1280]) {
    await browser.show(width, "light");
    const found = await browser.run(() => document.documentElement.scrollWidth);
    assert.ok(found <= width, `${found} pixels in a window of ${width}`);
    const hidden = await browser.run(() => {
      const { scrollWidth, clientWidth } = document.querySelector(".scroll");
      return scrollWidth - clientWidth;
    });
    assert.equal(hidden, 0, `pixels of the table that are out of sight in a window of ${width}`);
    if (env.SCREENSHOTS) await writeFile(`${env.SCREENSHOTS}/width-${width}.png`, await browser.screenshot(), "base64");
  }
  const wide = await browser.run(() => {
    const element = document.createElement("p");
    element.style.width = "2000px";
    element.textContent = "wide";
    document.querySelector("main").append(element);
    const found = document.documentElement.scrollWidth;
    element.remove();
    return found;
  });
  assert.ok(wide > 1280, "a page that is too wide is found, so the check above can fail");
});

test("what cannot be read is said", async () => {
  await choose("text", "nonsense");
  assert.notEqual(await browser.run(() => document.getElementById("message").textContent), "");
  assert.equal(await browser.run(() => document.querySelectorAll("#plays li").length), 16, "the board is as it was");
  await click("#start");
  assert.equal(await text("text"), OPENING);
  assert.equal(await browser.run(() => document.getElementById("message").textContent), "");
});

test("a board is set up from the trays by keys", async () => {
  await click("#clear");
  assert.equal(await browser.run(() => document.querySelectorAll("#board circle.checker").length), 0);
  assert.equal(await browser.run(() => document.querySelectorAll("#board rect.checker").length), 30);
  for (const tray of [LIGHT_OFF, DARK_OFF]) {
    await browser.run((slot) => document.querySelector(`[data-slot='${slot}']`).focus(), tray);
    for (const key of ["Enter", "ArrowLeft", "ArrowLeft", "Enter"]) await browser.key(key);
  }
  const points = new Array(26).fill(0);
  [points[2], points[23]] = [1, -1];
  const tavli = await load();
  assert.equal(await text("text"), tavli.position(points).positionId);
  const listed = await browser.run(() => document.querySelectorAll("#plays li").length);
  assert.equal(listed, tavli.plays(points, "31").length);
});

test("rules are those of the package, and no net judges mcgammon", async () => {
  await click("#start");
  const { rules } = (await load()).about;
  const shown = await browser.run(() => [...document.getElementById("rules").options].map(({ value }) => value));
  assert.deepEqual(shown, rules);
  for (const name of rules) {
    await choose("rules", name);
    const equities = await browser.run(() =>
      [...document.querySelectorAll("#plays .equity")].map(({ textContent }) => textContent !== ""),
    );
    // A game of hypergammon does not start from the opening, so it has no plays there.
    const expected = name === "hypergammon" ? [] : new Array(16).fill(name !== "mcgammon");
    assert.deepEqual(equities, expected, name);
    const said = await browser.run(() => document.getElementById("message").textContent);
    assert.equal(said === "", name !== "hypergammon", name);
  }
  await choose("rules", "backgammon");
});

test("a play that is clicked is made, and a link opens its position", async () => {
  await click("#start");
  const first = await browser.run(() => document.querySelector("#plays button").firstChild.textContent);
  await click("#plays button");
  const [play] = (await load()).plays(OPENING, "31").filter(({ moves }) => moves === first);
  assert.equal(await text("text"), play.positionId);
  assert.equal(await browser.run(() => decodeURIComponent(location.hash)), `#${play.positionId}`);
  await browser.run((id) => (location.hash = id), OPENING);
  await browser.until((id) => document.querySelector("[data-slot='24']").getAttribute("aria-label") === id, "point 24: 2 light");
  assert.equal(await text("text"), OPENING);
});

test("nothing failed, nothing came from elsewhere, and the policy blocks scripts in the page", async () => {
  assert.deepEqual(browser.errors, []);
  const foreign = browser.requests.filter((url) => !url.startsWith(site.origin) && !/^(data|blob|about):/.test(url));
  assert.deepEqual(foreign, []);
  const blocked = await browser.run(
    () =>
      new Promise((resolve) => {
        document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => resolve(effectiveDirective));
        globalThis.ran = () => resolve("it ran");
        const script = document.createElement("script");
        script.textContent = "ran()";
        document.body.append(script);
      }),
  );
  assert.equal(blocked, "script-src-elem");
});
