import { run } from '../../../bindings/face/cli/run.js';

/** Runs the command in this process: what it wrote to either stream, and its exit code. */
export async function foreguard(
  ...arguments_: string[]
): Promise<{ out: string; err: string; code: number }> {
  let [out, err] = ['', ''];
  const code = await run(arguments_, {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    interactive: false,
  });
  return { out, err, code };
}
