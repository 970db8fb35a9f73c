// The reference data, in TAVLI_GOLDEN or beside this checkout.

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

const folder = process.env.TAVLI_GOLDEN ?? fileURLToPath(new URL("../../../../shared/golden", import.meta.url));

/** Why tests against the reference data are skipped, or false. */
export const unknown = existsSync(folder) ? false : "no golden data";

/** The lines of a file that are not heads, each divided at its tabs. */
export function rows(file) {
  const bytes = readFileSync(`${folder}/${file}`);
  const lines = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString().trim().split("\n");
  return lines.filter((line) => !line.startsWith("#")).map((line) => line.split("\t"));
}
