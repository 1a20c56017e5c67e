import { ForeguardError } from '../../../bindings/base/errors.js';
import { run } from '../../../bindings/face/cli/run.js';

/** Runs the command in this process: what it wrote to either stream, and its exit code. */
export async function foreguard(...arguments_: string[]): Promise<Ran> {
  return answering([])(...arguments_);
}

/** What a command wrote, and its exit code. */
interface Ran {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** The command at a terminal where these lines are typed; without any there is no terminal. */
export function answering(answers: readonly string[]): (...arguments_: string[]) => Promise<Ran> {
  return async (...arguments_) => {
    let [out, err] = ['', ''];
    const left = [...answers];
    const code = await run(arguments_, {
      out: (text) => void (out += text),
      err: (text) => void (err += text),
      interactive: false,
      ...(answers.length > 0 && {
        ask: async (prompt) => {
          err += `${prompt}\n`;
          const answer = left.shift();
          if (answer === undefined) throw new ForeguardError('no-answer', 'the terminal was closed');
          return answer;
        },
      }),
    });
    return { out, err, code };
  };
}
