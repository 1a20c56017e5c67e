import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { foreguard } from '../cli/command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-policy-replay-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [spec, traces] = [join(folder, 'mail.yaml'), join(folder, 'runs.jsonl')];
writeFileSync(
  spec,
  `version: 1
inputs: { to: { type: text } }
policies:
  mail: { tools: [send], permit: { home: 'domainOf(to) == "home.example"' }, onDeny: { strategy: inspect } }
`,
);
/** A run: calls as h (permitted) and x (denied), turns separated by blanks. */
const run = (id: string, text: string) =>
  JSON.stringify({
    id,
    steps: text.split(' ').flatMap((turn, number) =>
      [...turn].map((call) => ({
        state: { turn: number },
        action: { name: 'send', arguments: { to: `a@${call === 'h' ? 'home' : 'away'}.example` } },
      })),
    ),
  });
writeFileSync(traces, [run('a', 'h hh'), run('b', 'hx h'), run('c', 'x x x h')].join('\n'));

const replay = async (...more: string[]) => {
  const { out, err, code } = await foreguard('policy', 'replay', spec, '--traces', traces, '--json', ...more);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
};

it('counts by hand what each mode leaves of recorded turns', async () => {
  const { runs, modes, denials } = await replay('--turn', 'turn');
  expect(runs).toBe(3);
  const of = Object.fromEntries(modes.map((one: { mode: string }) => [one.mode, one]));
  const counts = ({
    ran,
    lost,
    reflections,
    wholeRuns,
    stoppedRuns,
    losingRuns,
  }: never | Record<string, never>) => [
    ran,
    lost,
    reflections,
    (wholeRuns as { runs: number }).runs,
    (stoppedRuns as { runs: number }).runs,
    (losingRuns as { runs: number }).runs,
  ];
  // Of a all run. Of b the first turn is withheld or its second call is; the run goes on, or is over. Of c the last call runs, or the run is over before.
  expect(counts(of.tt)).toEqual([3, 3, 0, 1, 2, 2]);
  expect(counts(of.ab)).toEqual([5, 1, 0, 1, 0, 1]);
  expect(counts(of.teh)).toEqual([6, 0, 0, 1, 0, 0]);
  expect(counts(of.crp)).toEqual([5, 1, 3, 1, 1, 1]);
  expect(counts(of['crp+teh'])).toEqual([6, 0, 3, 1, 0, 0]);
  expect(of.teh.wholeRuns.rate).toBeCloseTo(1 / 3);
  expect(of.teh.wholeRuns.confidenceLower).toBeGreaterThan(0);
  expect(denials).toEqual([
    { reason: expect.stringContaining('Policy "mail" permits it only if'), calls: 4 },
  ]);
});

it('takes each call for a turn of its own where nothing says turns, and refuses modes that there are not', async () => {
  const { modes } = await replay('--mode', 'ab,teh');
  expect(modes[0].ran).toBe(modes[1].ran);
  const { out } = await foreguard('policy', 'replay', spec, '--traces', traces, '--mode', 'ab, crp');
  expect(out).toContain(
    'Of a denied call: ab withholds the whole turn; crp has the agent plan again, and then stops the run.\n',
  );
  expect(out).toContain('so ab is as teh');
  expect(out).toContain('lower bounds');
  const { err, code } = await foreguard('policy', 'replay', spec, '--traces', traces, '--mode', 'tth');
  expect([code, err]).toEqual([2, expect.stringContaining('--mode has the text "tth"')]);
});
