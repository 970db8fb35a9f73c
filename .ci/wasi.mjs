// Runs a program for the WebAssembly System Interface, with its arguments and this environment.
//
// Usage: node --no-warnings .ci/wasi.mjs PROGRAM.wasm [ARGUMENT...]
import { readFile } from "node:fs/promises";
import { argv, env, exit } from "node:process";
import { WASI } from "node:wasi";

const args = argv.slice(2);
const wasi = new WASI({ version: "preview1", args, env, preopens: { "/": "/" } });
const program = await WebAssembly.compile(await readFile(args[0]));
exit(wasi.start(await WebAssembly.instantiate(program, wasi.getImportObject())));
