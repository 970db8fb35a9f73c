// The command, which the package must equal: TAVLI_COMMAND, or the release build of this checkout.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const built = fileURLToPath(new URL("../../../target/release/tavli", import.meta.url));
const command = process.env.TAVLI_COMMAND ?? (existsSync(built) ? built : null);

/** Why tests against the command are skipped, or false. */
export const skip = command ? false : "no command: build it, or name it by TAVLI_COMMAND";

/** The JSON that the command prints. */
export const native = (...arguments_) => JSON.parse(execFileSync(command, [...arguments_, "--json"], { stdio: ["ignore", "pipe", "ignore"] }));
