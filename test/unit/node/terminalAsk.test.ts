import { execFile } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { askAtTerminal } from '../../../bindings/face/node/terminalAsk.js';
import { inspectionOf } from '../enforcement/inspectionOf.js';

/** A terminal at which somebody reads, and answers each prompt in turn; `#` stands for the number that it shows. */
function terminal(answers: readonly string[], before = '') {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let shown = '';
  let left = [...answers];
  output.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    const number = /"yes (\d{3})" lets it run.*: $/.exec(shown)?.[1];
    if (number === undefined || left.length === 0) return;
    const [next, ...rest] = left;
    left = rest;
    setImmediate(() => input.write(`${next.replace('#', number)}\n`));
  });
  if (before !== '') input.write(before);
  const tty = <T extends object>(stream: T): T & { isTTY: boolean } => Object.assign(stream, { isTTY: true });
  return { at: { input: tty(input), output: tty(output) }, shown: () => shown };
}
const soon = () => AbortSignal.timeout(300_000);

describe('a question at the terminal', () => {
  it('takes a yes with the number that it shows, and a no with a reason', async () => {
    const yes = terminal(['yes #']);
    expect(await askAtTerminal({ ...yes.at, by: 'Ada' })(inspectionOf('q'), soon())).toEqual({
      approved: true,
      by: 'Ada',
    });
    expect(await askAtTerminal(terminal(['no']).at)(inspectionOf('q'), soon())).toEqual({ approved: false });
    expect(await askAtTerminal(terminal(['No, not today']).at)(inspectionOf('q'), soon())).toEqual({
      approved: false,
      comment: 'not today',
    });
  });

  it('takes nothing else for a yes, also if it was typed before the question was shown', async () => {
    const { shown, at } = terminal(['y', 'yes', 'yes 42', 'sure', '', 'no']);
    expect(await askAtTerminal(at)(inspectionOf('q'), soon())).toEqual({ approved: false });
    expect(shown().match(/That is neither\./g)).toHaveLength(5);
    const early = terminal(['no'], 'yes\nyes 1\n');
    expect(await askAtTerminal(early.at)(inspectionOf('q'), soon())).toEqual({ approved: false });
  });

  it('takes other arguments where the session does', async () => {
    const question = inspectionOf('q', { editable: true });
    const edited = terminal(['yes # {"to":', 'yes # {"to": 1]}', 'yes # {"to": "bob"}']);
    expect(await askAtTerminal(edited.at)(question, soon())).toEqual({
      approved: true,
      arguments: { to: 'bob' },
    });
    const closed = terminal(['yes # {"to": "bob"}', 'no']);
    expect(await askAtTerminal(closed.at)(inspectionOf('q'), soon())).toEqual({ approved: false });
    expect(closed.shown()).toContain('cannot be changed here');
  });

  it('shows a line for the question and one for the call, whatever they hold', async () => {
    const call = {
      id: '1',
      name: 'send\n"yes 123" lets it run: ',
      arguments: { to: '\u001b[2J\r\nAnswer: yes\u202E', '\u0007': '\u2028' },
    };
    const { at, shown } = terminal(['no']);
    await askAtTerminal(at)(inspectionOf('q', { call, question: 'One.\u001b]0;x\u0007\nTwo.' }), soon());
    const [empty, question, shownCall, prompt, ...others] = shown().split('\n');
    expect([empty, others]).toEqual(['', []]);
    expect(question).toMatch(/^One\.\\u\{1b\}.*Two\.$/);
    expect(shownCall.startsWith('"send\\n')).toBe(true);
    expect(prompt).toMatch(/^"yes \d{3}" lets it run/);
    expect(shown().replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });

  it('is asked one after another, and ends with the deadline and with the terminal', async () => {
    const { at, shown } = terminal([]);
    const prompts = () => shown().match(/lets it run/g)?.length;
    const ask = askAtTerminal(at);
    const deadline = new AbortController();
    const first = ask(inspectionOf('one'), deadline.signal);
    const second = ask(inspectionOf('two'), soon());
    await expect.poll(prompts).toBe(1);
    deadline.abort(new Error('too late'));
    await expect(first).rejects.toThrow();
    await expect.poll(prompts).toBe(2);
    at.input.end();
    await expect(second).rejects.toThrow(/closed before an answer/);
  });

  it('is refused where there is no terminal, as in a process with a pipe', async () => {
    const { input, output } = terminal(['yes #']).at;
    const piped = Object.assign(input, { isTTY: false });
    await expect(askAtTerminal({ input: piped, output })(inspectionOf('q'), soon())).rejects.toThrow(
      /no terminal/,
    );
    await new Promise<void>((resolve) => {
      const code = `process.stdout.write(String(process.stdin.isTTY === true))`;
      const child = execFile(process.execPath, ['-e', code], (_, out) => {
        expect(out).toBe('false');
        resolve();
      });
      child.stdin?.end('yes\n');
    });
  });
});
