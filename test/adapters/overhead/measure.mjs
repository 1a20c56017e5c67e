import { deepStrictEqual } from 'node:assert';
import { createSession } from 'foreguard/enforce';
import { mailShield } from '../shared/mail.ts';

const GOAL_MICROSECONDS = 50;
const input = { query: 'rent' };
const result = { hits: 3 };
const state = { tainted: false, leaked: false };

/** Prints for each adapter what a call takes unguarded and guarded, and the difference. */
export async function measure(overheads, args) {
  const short = args.includes('--short');
  const asked = args.filter((argument) => !argument.startsWith('--'));
  console.log('| adapter | unguarded µs | guarded µs | added µs | added, 10th to 90th percentile |');
  console.log('| --- | --- | --- | --- | --- |');
  for (const [name, loops] of Object.entries(overheads)) {
    if (asked.length > 0 && !asked.some((word) => name.includes(word))) continue;
    const session = createSession({ guard: await mailShield(), state: () => state, tools: ['search'] });
    const { unguarded, guarded } = await loops({ session, tool: async () => result, input });
    deepStrictEqual(await guarded(), await unguarded());
    console.log(row(name, await compare(unguarded, guarded, short ? 200 : 4000)));
    await session.end();
  }
}

/** One call of each by turns, timed alone, after as many again that are not. */
async function compare(unguarded, guarded, rounds) {
  const times = { unguarded: [], guarded: [] };
  for (let round = -rounds; round < rounds; round++) {
    for (const [loop, into] of [
      [unguarded, times.unguarded],
      [guarded, times.guarded],
    ]) {
      const begin = performance.now();
      await loop();
      if (round >= 0) into.push((performance.now() - begin) * 1000);
    }
  }
  return times;
}

function row(name, { unguarded, guarded }) {
  const [without, within] = [quantile(unguarded, 0.5), quantile(guarded, 0.5)];
  const added = guarded.map((time, i) => time - unguarded[i]);
  const missed = within - without > GOAL_MICROSECONDS ? ` (goal ${GOAL_MICROSECONDS})` : '';
  const [low, high] = [quantile(added, 0.1), quantile(added, 0.9)];
  return `| ${name} | ${without.toFixed(1)} | ${within.toFixed(1)} | ${(within - without).toFixed(1)}${missed} | ${low.toFixed(1)} to ${high.toFixed(1)} |`;
}

function quantile(times, q) {
  return times.toSorted((a, b) => a - b)[Math.floor(q * (times.length - 1))];
}
