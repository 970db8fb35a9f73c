// The result of a rollout: a row for each candidate, whose error bar moves while games are played.

const signed = (number) => (number === null ? "" : `${number < 0 ? "−" : "+"}${Math.abs(number).toFixed(4)}`);
const percent = (share) => (share.mean === null ? "" : `${(100 * share.mean).toFixed(1)} %`);

/** The ends of the axis: all intervals, with some space. It narrows slowly, for bars would seem to stand still if it went
 * with them. */
function axis(candidates, before) {
  const low = Math.min(...candidates.map(({ equity }) => equity.low ?? -3));
  const high = Math.max(...candidates.map(({ equity }) => equity.high ?? 3));
  const space = 0.1 * (high - low) + 0.005;
  const [least, most] = [low - space, high + space];
  if (!before) return [least, most];
  return [Math.min(least, before[0] + 0.25 * (least - before[0])), Math.max(most, before[1] + 0.25 * (most - before[1]))];
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

  /** Shows results in the elements `result`, `what`, `progress`, `speed` and `rows`. */
  constructor(part) {
    this.#part = part;
  }

  /** Makes room for another rollout, whose settings `text` says. */
  begin(text) {
    this.#axis = null;
    const { result, what, progress, speed, rows } = this.#part;
    what.textContent = text;
    rows.replaceChildren();
    speed.textContent = "";
    progress.value = 0;
    result.hidden = false;
    result.dataset.state = "playing";
  }

  /** Shows what was played so far, of `of` trials. */
  show({ candidates, trials, seconds, gamesPerSecond }, of) {
    const { progress, speed, rows } = this.#part;
    this.#axis = axis(candidates, this.#axis);
    progress.value = trials / of;
    const number = (value) => Math.round(value).toLocaleString("en");
    speed.textContent = `${number(trials)} of ${number(of)} trials, ${seconds.toFixed(1)} s, ${number(gamesPerSecond)} games/s`;
    rows.replaceChildren(...candidates.map((candidate) => this.#row(candidate)));
  }

  /** Says that it has ended, and how. */
  end(state, text) {
    const { result, speed } = this.#part;
    result.dataset.state = state;
    speed.textContent = [speed.textContent, text].filter(Boolean).join("; ");
  }

  #row(candidate) {
    const row = document.createElement("tr");
    const cell = (content, kind, label) => {
      const made = document.createElement("td");
      made.className = kind;
      // For a phone, on which the table has no head.
      if (label) made.dataset.label = label;
      made.append(content);
      row.append(made);
    };
    const { mean, standardError } = candidate.equity;
    cell(candidate.moves ?? "the position", "moves");
    cell(bar(candidate, this.#axis), "spread");
    cell(signed(mean), "mean");
    cell(standardError === null ? "" : `± ${standardError.toFixed(4)}`, "error");
    cell(percent(candidate.win), "share", "Win");
    cell(percent(candidate.winGammon), "share", "Gammon");
    cell(percent(candidate.loseGammon), "share", "Lost gammon");
    return row;
  }
}
