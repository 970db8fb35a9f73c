// A headless Chromium, driven by its DevTools protocol over a pipe.

import { spawn } from "node:child_process";

/** The longest time to wait for something, in milliseconds. */
const PATIENCE = 30_000;

/** A browser with one tab. */
export class Browser {
  #process;
  #next = 1;
  #open = new Map();
  #session;
  /** Errors that the page has told the console, or thrown. */
  errors = [];
  /** Addresses that the page has asked for. */
  requests = [];

  static async start(program, profile) {
    const browser = new Browser();
    const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync", "--hide-scrollbars"];
    browser.#process = spawn(
      program,
      [...flags, "--no-first-run", "--remote-debugging-pipe", `--user-data-dir=${profile}`, "about:blank"],
      { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
    );
    const fail = (why) => browser.#open.forEach(({ reject }) => reject(new Error(why)));
    browser.#process.on("error", (error) => fail(`${program} does not start: ${error.message}`));
    browser.#process.on("exit", (status) => fail(`${program} ended with status ${status}`));
    let text = "";
    browser.#process.stdio[4].setEncoding("utf8").on("data", (part) => {
      const messages = (text + part).split("\0");
      text = messages.pop();
      messages.forEach((message) => browser.#heard(JSON.parse(message)));
    });
    const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
    browser.#session = sessionId;
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await browser.send(`${domain}.enable`);
    return browser;
  }

  send(method, params = {}) {
    const id = this.#next++;
    const message = { id, method, params, sessionId: this.#session };
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      this.#process.stdio[3].write(`${JSON.stringify(message)}\0`);
    });
  }

  #heard({ id, result, error, method, params }) {
    if (id !== undefined) {
      const { resolve, reject } = this.#open.get(id);
      this.#open.delete(id);
      error ? reject(new Error(error.message)) : resolve(result);
    } else if (method === "Runtime.exceptionThrown") {
      this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    } else if (method === "Log.entryAdded" && params.entry.level === "error") {
      this.errors.push(`${params.entry.text} ${params.entry.url ?? ""}`);
    } else if (method === "Network.requestWillBeSent") {
      this.requests.push(params.request.url);
    }
  }

  /** The value of a function of the page, or of its promise. */
  async run(work, ...given) {
    const expression = `(${work})(...${JSON.stringify(given)})`;
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Waits until a function of the page returns something true, which is looked at whenever its document changes; fails
   * if that takes half a minute. */
  until(work, ...given) {
    const waiting = `async (...given) => {
      const holds = ${work};
      if (!holds(...given)) await new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error("in vain: " + holds)), ${PATIENCE});
        const observer = new MutationObserver(() => holds(...given) && (observer.disconnect(), resolve()));
        observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      });
      return holds(...given);
    }`;
    return this.run(waiting, ...given);
  }

  async open(url) {
    await this.send("Page.navigate", { url });
  }

  /** Makes the window so many pixels wide, in a colour scheme. */
  async show(width, scheme) {
    const size = { width, height: 900, deviceScaleFactor: 1, mobile: false };
    await this.send("Emulation.setDeviceMetricsOverride", size);
    await this.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
  }

  /** A picture of the whole page, as a PNG in base 64. */
  async screenshot() {
    const { data } = await this.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: true });
    return data;
  }

  /** Moves the pointer from one place of the window to another with its button held down. */
  async drag(from, to) {
    const mouse = (type, at, buttons) =>
      this.send("Input.dispatchMouseEvent", { type, ...at, button: "left", buttons, clickCount: 1 });
    await mouse("mousePressed", from, 1);
    await mouse("mouseMoved", { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }, 1);
    await mouse("mouseMoved", to, 1);
    await mouse("mouseReleased", to, 0);
  }

  move(to) {
    return this.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...to });
  }

  async key(key) {
    const codes = { Enter: 13, Escape: 27, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 };
    const event = { key, code: key, windowsVirtualKeyCode: codes[key] };
    await this.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...event });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
  }

  /** The middle of an element. */
  middle(selector) {
    return this.run((selector) => {
      const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    }, selector);
  }

  click(selector) {
    return this.run((selector) => document.querySelector(selector).click(), selector);
  }

  /** Gives an element of a form a value, as a person does. */
  choose(id, value) {
    const set = (id, value) => {
      const element = document.getElementById(id);
      element.value = value;
      element.dispatchEvent(new Event("change", { bubbles: true }));
    };
    return this.run(set, id, value);
  }

  /** The value of an element of a form. */
  text(id) {
    return this.run((id) => document.getElementById(id).value, id);
  }

  /** Ends the browser, and waits until it has let go of its files. */
  async close() {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#session = undefined;
    // The browser may end before it answers.
    this.send("Browser.close").catch(() => {});
    await ended;
  }
}
