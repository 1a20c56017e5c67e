import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createAsk, parseSpecification } from '../bindings/face/entries/ask.js';
import { foreguard } from './unit/cli/command.js';

const page = readFileSync(new URL('../docs/questions.md', import.meta.url), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'foreguard-questions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [, specification] = page.match(/```yaml\n(.*?)```/s) as RegExpMatchArray;
const [, run] = page.match(/```json\n(.*?)```/s) as RegExpMatchArray;
writeFileSync(join(folder, 'kitchen.yaml'), specification);
writeFileSync(join(folder, 'run.jsonl'), run);
const shown = [...page.matchAll(/```sh\nforeguard ([^\n]*)\n```\n\n```text\n(.*?)```/gs)].map(
  ([, command, output]) => ({
    command,
    output,
  }),
);

/** The words of a command, as a shell reads them. */
function words(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, word]) => quoted ?? (/\.(yaml|jsonl)$/.test(word) ? join(folder, word) : word),
  );
}

describe('docs/questions.md', () => {
  it('shows questions', () => expect(shown.length).toBeGreaterThanOrEqual(4));

  it.each(shown)('$command', async ({ command, output }) => {
    const { out, err } = await foreguard(...words(command));
    expect(out.replaceAll(`${folder}/`, ''), err).toBe(output);
  });

  it('lists questions that are understood', async () => {
    const rows = [...page.split('## Declared calls')[0].matchAll(/^\| (`.*`) \| .* \|$/gm)].flatMap(
      ([, cell]) => [...cell.matchAll(/`([^`]*)`/g)],
    );
    const questions = rows.map(([, question]) => question);
    expect(questions.length).toBeGreaterThan(10);
    const { out, code } = await foreguard(
      ...[
        'ask',
        '--spec',
        join(folder, 'kitchen.yaml'),
        '--traces',
        join(folder, 'run.jsonl'),
        '--at',
        '1',
        '--json',
      ],
      ...questions,
    );
    expect(code, out).toBe(0);
  });

  it('answers as its table of declared calls says', () => {
    const [, text] = page.match(/```yaml\n(version: 1\n(?:(?!```).)*?actions:.*?)```/s) as RegExpMatchArray;
    const [, table] = page.split('| question in the kitchen, with the stove on | answer |\n');
    const rows = [...table.split('\n\n')[0].matchAll(/^\| `(.*)` \| (.*) \|$/gm)];
    const ask = createAsk({ specification: parseSpecification(text) });
    ask.observe({ state: { room: 'kitchen', stove: true } });
    expect(rows.length).toBeGreaterThan(3);
    for (const [, question, answer] of rows) expect(ask.question(question).text.split('\n')[0]).toBe(answer);
  });

  it('shows what its program prints', () => {
    const [, text] = page.match(/parseSpecification\(`(.*?)`\)/s) as RegExpMatchArray;
    const ask = createAsk({ specification: parseSpecification(text) });
    ask.observe({ state: {} });
    expect(ask.may({ name: 'send' }).answer).toBe('no');
    expect(ask.before({ name: 'send' }).landmarks[0].said).toBe('`asks` holds');
    ask.acted({ name: 'askForApproval' });
    expect([ask.question('may I send?').kind, ask.may({ name: 'send' }).answer]).toEqual(['may', 'yes']);
  });
});
