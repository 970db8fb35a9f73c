// The result of a rollout: a row for each candidate, whose error bar moves while games are played.

const signed = (number) => (number === null ? "" : `${number < 0 ? "−" : "+"}${Math.abs(number).toFixed(4)}`);
const percent = (share) => (share.mean === null ? "" : `${(100 * share.mean).toFixed(1)} %`);

/** The ends of the axis: all intervals with some space, so that they narrow before one's eyes. */
function axis(candidates, before) {
  const lows = candidates.map(({ equity }) => equity.low ?? -3);
  const highs = candidates.map(({ equity }) => equity.high ?? 3);
  const [low, high] = [Math.min(...lows), Math.max(...highs)];
  const space = 0.1 * (high - low) + 0.005;
  const now = [low - space, high + space];
  // It follows slowly, or bars would seem to stand still.
  return before ? before.map((end, at) => end + 0.25 * (now[at] - end)) : now;
}

function bar({ equity }, [low, high]) {
  const at = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(at, "svg");
  svg.setAttribute("viewBox", "0 0 100 20");
  svg.setAttribute("preserveAspectRatio", "none");
  const x = (value) => (100 * (value - low)) / (high - low);
  const line = (kind, from, to, up, down) => {
    const made = document.createElementNS(at, "line");
    const attributes = { class: kind, x1: x(from), x2: x(to), y1: up, y2: down };
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    svg.append(made);
  };
  line("zero", 0, 0, 0, 20);
  if (equity.low !== null && equity.high !== null) {
    line("interval", equity.low, equity.high, 10, 10);
    line("end", equity.low, equity.low, 6, 14);
    line("end", equity.high, equity.high, 6, 14);
    line("error", equity.mean - equity.standardError, equity.mean + equity.standardError, 10, 10);
    line("mean", equity.mean, equity.mean, 2, 18);
  }
  return svg;
}

export class Results {
  #part;
  #axis = null;

  /** Shows results in these elements: `result`, `progress`, `speed` and `rows`. */
  constructor(part) {
    this.#part = part;
  }

  /** Makes room for another rollout. */
  begin() {
    this.#axis = null;
    const { result, progress, speed, rows } = this.#part;
    rows.replaceChildren();
    speed.textContent = "Starting.";
    progress.value = 0;
    result.hidden = false;
    result.dataset.state = "playing";
  }

  /** Shows what was played so far, of so many trials. */
  show({ candidates, trials, seconds, gamesPerSecond }, of) {
    const { progress, speed, rows } = this.#part;
    this.#axis = axis(candidates, this.#axis);
    progress.value = trials / of;
    const number = (value) => Math.round(value).toLocaleString("en");
    speed.textContent = `${number(trials)} of ${number(of)} trials, ${seconds.toFixed(1)} s, ${number(gamesPerSecond)} games/s`;
    rows.replaceChildren(...candidates.map((candidate) => this.#row(candidate)));
  }

  /** Says that it has ended, and why. */
  end(state, text) {
    const { result, speed } = this.#part;
    result.dataset.state = state;
    speed.textContent = state === "failed" ? text : `${speed.textContent}; ${text}`;
  }

  #row(candidate) {
    const row = document.createElement("tr");
    const cell = (content, kind) => {
      const made = document.createElement("td");
      if (kind) made.className = kind;
      made.append(content);
      row.append(made);
    };
    cell(candidate.moves ?? "the position");
    cell(bar(candidate, this.#axis), "spread");
    cell(signed(candidate.equity.mean));
    cell(candidate.equity.standardError === null ? "" : `± ${candidate.equity.standardError.toFixed(4)}`);
    cell(percent(candidate.win));
    cell(percent(candidate.winGammon));
    cell(percent(candidate.loseGammon));
    return row;
  }
}
