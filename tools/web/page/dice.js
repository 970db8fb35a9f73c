// Two dice to choose from.

const PIPS = [[12, 12], [6, 6], [18, 18], [18, 6], [6, 18], [6, 12], [18, 12]];
const FACES = [[0], [1, 2], [0, 1, 2], [1, 2, 3, 4], [0, 1, 2, 3, 4], [1, 2, 3, 4, 5, 6]];

function face(number) {
  const at = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(at, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  const edge = document.createElementNS(at, "rect");
  for (const [key, value] of Object.entries({ x: 1, y: 1, width: 22, height: 22, rx: 5 })) edge.setAttribute(key, value);
  svg.append(edge);
  for (const pip of FACES[number - 1]) {
    const circle = document.createElementNS(at, "circle");
    const [cx, cy] = PIPS[pip];
    for (const [key, value] of Object.entries({ cx, cy, r: 2.2 })) circle.setAttribute(key, value);
    svg.append(circle);
  }
  return svg;
}

export class Dice {
  #fields;

  /** Fills two fields with dice of which one is chosen; `onChange` hears of each other choice. */
  constructor(fields, onChange) {
    this.#fields = fields;
    for (const field of fields) {
      for (let number = 1; number <= 6; number++) {
        const label = document.createElement("label");
        label.className = "die";
        const input = document.createElement("input");
        Object.assign(input, { type: "radio", name: field.id, value: number });
        input.setAttribute("aria-label", number);
        label.append(input, face(number));
        field.append(label);
      }
      field.addEventListener("change", onChange);
    }
  }

  /** The roll, such as "31". */
  get roll() {
    return this.#fields.map((field) => field.querySelector(":checked").value).join("");
  }

  set roll(roll) {
    this.#fields.forEach((field, at) => {
      field.querySelectorAll("input")[roll[at] - 1].checked = true;
    });
  }

  /** Throws them. */
  throw() {
    this.roll = Array.from(crypto.getRandomValues(new Uint32Array(2)), (word) => 1 + Math.floor((word / 2 ** 32) * 6));
  }
}
