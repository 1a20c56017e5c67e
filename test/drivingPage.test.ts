import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import '../bindings/solvers/kernel/inline.js';
import { createGuardStep, type GuardFile, loadGuard } from '../bindings/runtime/guard/index.js';
import { guardFile, never, ruleOf } from './unit/guard/guardFiles.js';

const page = readFileSync(new URL('../docs/driving.md', import.meta.url), 'utf8');
const loop = page.split('## In a control loop')[1].split('```js\n')[1].split('```')[0];

/** Runs the loop of the page over these observations; returns what was actuated at each tick, or null. */
async function drive(file: GuardFile, observations: readonly object[]): Promise<(string | null)[]> {
  const done: (string | null)[] = observations.map(() => null);
  let tick = 0;
  const everyTick = (act: (observed: object, seconds: number) => void) => {
    for (; tick < observations.length; tick++) act(observations[tick], tick / 10);
  };
  const world = {
    createGuardStep,
    loadGuard,
    text: JSON.stringify(file),
    recorded: observations.map((state) => ({ state })),
    everyTick,
    actuate: (action: string) => {
      done[tick] = action;
    },
  };
  const body = loop.replace(/^import .*\n/, '');
  const run = new Function(...Object.keys(world), `return (async () => {${body}})()`);
  await run(...Object.values(world));
  return done;
}

it('the control loop of docs/driving.md answers whatever does not let the vehicle go on', async () => {
  const yields = ruleOf(never, [0.1, 0.6, 0.1, 1], {
    name: 'yields',
    strategy: { kind: 'replace', action: 'yield' },
  });
  const stops = ruleOf(never, [0.1, 0.1, 0.6, 1], { name: 'stops' });
  const file = guardFile([yields, stops]);
  const safe = { a: false, b: false };
  const observations = [safe, { a: true, b: false }, { a: false, b: true }, { b: false }, safe];
  expect(await drive(file, observations)).toEqual([null, 'yield', 'brake', 'brake', null]);
});
