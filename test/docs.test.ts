import '../bindings/solvers/kernel/inline.js';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../bindings/face/cli/run.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const models = join(root, 'examples/models');
const page = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'foreguard-docs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function check(...words: string[]): Promise<{ out: string; err: string; code: number }> {
  let [out, err] = ['', ''];
  const code = await run(['check', ...words], {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    interactive: false,
  });
  return { out, err, code };
}

interface Row {
  readonly model: string;
  readonly constants: readonly string[];
  readonly property: string;
  readonly answer: string;
}

/** The rows of the tables, each with the model that was named last; what is not supported is asked of the robot. */
function rowsOf(text: string): Row[] {
  let [model, constants]: [string, string[]] = ['', []];
  return text.split('\n').flatMap((line) => {
    const on = /^On `(\w+\.prism)`(?: with `(\S+)`)?:$/.exec(line);
    if (on) [model, constants] = [on[1], on[2] ? ['--const', on[2]] : []];
    if (line === '## What is not supported') [model, constants] = ['robot.prism', []];
    const [, property, answer] = /^\| `(.*?)` \| `(.*?)` \|/.exec(line) ?? [];
    if (property === undefined) return [];
    return [{ model: join(models, model), constants, property: property.replaceAll('\\|', '|'), answer }];
  });
}

/** What the command prints below a property, of one word and a list of states what the page says of them. */
function answerIn(out: string): string {
  const [first, ...rest] = out.split('\n').filter((line) => line.startsWith('  '));
  const states = rest.map((line) => line.trim().replace(/=true$|\s+in .*$/, ''));
  if (/^ {2}\d+ states?\b/.test(first)) return states.join(' ');
  return first.trim().replace(/ = .*$|\s+in \[.*$| \((?:exact|bounded).*$/, '');
}

describe('docs/properties.md', () => {
  const rows = rowsOf(page('properties.md'));

  it('has a row for every operator', () => {
    expect(rows.length).toBeGreaterThan(55);
    const all = rows.map(({ property }) => property).join('\n');
    for (const word of [
      'X',
      'U',
      'W',
      'R',
      'F',
      'G',
      'T=?',
      'S=?',
      'C',
      'I=',
      'A [',
      'E [',
      '<<*>>',
      '[[*]]',
      'Pminmax',
    ])
      expect(all).toContain(word);
    for (const filter of ['state', 'max', 'sum', 'range', 'count', 'forall', 'first', 'print', 'argmax'])
      expect(all).toContain(`filter(${filter},`);
  });

  it.each(rows.map((row) => [row.property, row] as const))('%s', async (_, row) => {
    const words = [row.model, ...row.constants, '-p', row.property];
    const isInterval = row.model.endsWith('weather.prism');
    const { out, code } = await check(...words, ...(isInterval ? [] : ['--exact']));
    expect(answerIn(out)).toBe(row.answer);
    if (row.answer.startsWith('error')) expect(code).toBe(2);
    // Bounds are held against the fraction.
    const [, numerator, denominator] = /^(\d+)(?:\/(\d+))?$/.exec(row.answer) ?? [];
    if (numerator === undefined) return;
    const [{ lower, upper }] = JSON.parse((await check(...words, '--json')).out).results;
    expect(lower).toBeLessThanOrEqual(Number(numerator) / Number(denominator ?? 1));
    expect(upper).toBeGreaterThanOrEqual(Number(numerator) / Number(denominator ?? 1));
    expect(upper - lower).toBeLessThanOrEqual(2e-6 * Math.max(1, lower));
  });
});

describe('docs/models.md', () => {
  it('shows a model that is one', async () => {
    const [, source] = /^```prism\n([\s\S]*?)^```$/m.exec(page('models.md')) ?? [];
    writeFileSync(join(folder, 'shown.prism'), source);
    const { out, code } = await check(join(folder, 'shown.prism'), '-c', 'N=4', '-p', 'Pmax=? [ F "home" ]');
    expect(code).toBe(0);
    expect(out).toMatch(/^mdp: \d+ states/);
  });

  it('shows the warning that deadlocks give', async () => {
    const [, warning] = /^```text\n([\s\S]*?)^```$/m.exec(page('models.md')) ?? [];
    writeFileSync(join(folder, 'end.prism'), "dtmc module m x : [0..2]; [] x<2 -> (x'=x+1); endmodule");
    expect((await check(join(folder, 'end.prism'), '-p', 'P=? [ F x=2 ]')).err).toBe(warning);
  });
});

describe('pages', () => {
  it.each(['properties.md', 'models.md', 'semantics.md', 'results.md'])(
    '%s links only to files that exist',
    (name) => {
      for (const [, target] of page(name).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g))
        expect(existsSync(join(root, 'docs', target)), target).toBe(true);
    },
  );
});

describe('examples/models', () => {
  it.each([
    ['retry', ['MAX=3'], [343 / 15625, 218 / 15625, 849 / 625, false]],
    ['robot', [], [1, 289 / 324, 0.867, 4413766409 / 329422500, true]],
  ] as const)('%s.prism answers its properties', async (name, constants, expected) => {
    const path = join(models, name);
    const given = constants.flatMap((text) => ['--const', text]);
    const { out, code } = await check(`${path}.prism`, ...given, '--properties', `${path}.props`, '--json');
    expect(code).toBe(0);
    const { results } = JSON.parse(out);
    expect(results).toHaveLength(expected.length);
    for (const [i, { value, lower, upper }] of results.entries()) {
      const exact = expected[i];
      if (typeof exact === 'boolean') expect(value).toBe(exact);
      else {
        expect(lower).toBeLessThanOrEqual(exact);
        expect(upper).toBeGreaterThanOrEqual(exact);
      }
    }
  });

  it('has no model that nothing runs', () => {
    const used = new Set(rowsOf(page('properties.md')).map(({ model }) => model));
    for (const name of readdirSync(models).filter((file) => file.endsWith('.prism')))
      expect([...used]).toContain(join(models, name));
  });
});

describe('docs/enforcement.md', () => {
  it.each(['\n## Actions\n', '\n### A judge of your own\n'])('prints what it says: %j', async (section) => {
    const [, program, printed] =
      /```js\n([\s\S]*?)```\n\n```\n([\s\S]*?)```/.exec(page('enforcement.md').split(section)[1]) ?? [];
    const [core, guard, enforce] = await Promise.all([
      import('../bindings/face/entries/index.js'),
      import('../bindings/face/entries/guard.js'),
      import('../bindings/face/entries/enforce.js'),
    ]);
    const body = program.replace(/^import .*\n/gm, '').trim();
    expect(body).toContain('console.log');
    const lines: string[] = [];
    const names = {
      ...core,
      ...guard,
      ...enforce,
      console: { log: (...values: unknown[]) => lines.push(inspected(values)) },
    };
    const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
    await AsyncFunction(...Object.keys(names), body)(...Object.values(names));
    expect(lines.join('\n')).toBe(printed.trim());
  });
});

function inspected(values: readonly unknown[]): string {
  return values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' ');
}

describe('the figures of the README', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const bench = readFileSync(join(root, 'bench/README.md'), 'utf8');
  /** The cells of the one row of bench/README.md that begins so, without what marks missed goals. */
  const row = (start: string): string[] => {
    const rows = bench.split('\n').filter((line) => line.startsWith(`| ${start}`));
    expect(rows, start).toHaveLength(1);
    return rows[0].replaceAll('*', '').split(' | ');
  };
  const number = (text: string): number => Number(/^[\d.]+/.exec(text.replace('| ', ''))?.[0]);

  it('on what a page downloads are those of bench/README.md, in whole kB, with their goals', () => {
    const rows = ['`loadGuard`, all', 'a guard of rules alone and sessions', '`loadGuard` and `getKernel`'];
    const cells = [...rows, 'all of `foreguard` |'].map((start) => row(start).slice(1));
    const [rules, sessions, kernel, all] = cells.map(([size]) => Math.round(number(size)));
    const goals = cells.map((found) => number(found.at(-1) ?? ''));
    expect(readme).toContain(
      `rules alone downloads ${rules} kB, gzipped; with sessions ${sessions} kB, with the kernel ${kernel} kB, with all of \`foreguard\` ${all} kB. The goals were ${goals.slice(0, 3).join(', ')} and ${goals[3]} `,
    );
  });

  it('on the time of a step are those of bench/README.md', () => {
    const [, median, most] = row('8 predicates over a flat object');
    expect(readme).toContain(
      `8 predicates takes **${number(median).toFixed(1)} µs** (median; 99.9% within ${number(most)} µs)`,
    );
  });
});
