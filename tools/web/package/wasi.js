// What a module asks of its host: a clock, and somewhere to say why it failed. It has no files, arguments or environment.

const SUCCESS = 0;
const BAD_DESCRIPTOR = 8;
const NOT_SUPPORTED = 52;

/** The functions of the WebAssembly System Interface that `module` imports, and `watch`, which it calls while a request goes
 * on. `said` collects what it writes. */
export function imports(module, said, watch) {
  let memory;
  const view = () => new DataView(memory.buffer);
  const known = {
    clock_time_get(_clock, _precision, time) {
      view().setBigUint64(time, BigInt(Math.round(performance.now() * 1e6)), true);
      return SUCCESS;
    },
    environ_get: () => SUCCESS,
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return SUCCESS;
    },
    fd_prestat_get: () => BAD_DESCRIPTOR,
    fd_write(_descriptor, parts, count, written) {
      let length = 0;
      for (let part = 0; part < count; part++) {
        const start = view().getUint32(parts + 8 * part, true);
        const size = view().getUint32(parts + 8 * part + 4, true);
        said.push(new TextDecoder().decode(new Uint8Array(memory.buffer, start, size)));
        length += size;
      }
      view().setUint32(written, length, true);
      return SUCCESS;
    },
    proc_exit(status) {
      throw new Error(`the module ended with status ${status}`);
    },
    random_get(bytes, length) {
      crypto.getRandomValues(new Uint8Array(memory.buffer, bytes, length));
      return SUCCESS;
    },
    sched_yield: () => SUCCESS,
  };
  const functions = {};
  for (const { name } of WebAssembly.Module.imports(module)) {
    functions[name] = known[name] ?? (() => NOT_SUPPORTED);
  }
  return {
    imports: { wasi_snapshot_preview1: functions, tavli: { tavli_watch: watch } },
    use(exported) {
      memory = exported;
    },
  };
}
