import { deepStrictEqual } from 'node:assert';
import { createSession } from 'foreguard/enforce';
import { mailShield } from '../shared/mail.ts';

const GOAL_MICROSECONDS = 50;
const input = { query: 'rent' };
const result = { hits: 3 };
const state = { tainted: false, leaked: false };

/** Prints for each adapter what a call takes unguarded and guarded, and the difference, after as many again that do not count. */
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
    const limits = short ? { rounds: 200, seconds: 2 } : { rounds: 4000, seconds: 10 };
    await compare(unguarded, guarded, limits);
    console.log(row(name, await compare(unguarded, guarded, limits)));
    await session.end();
  }
}

/** Microseconds of one call of each by turns, each timed alone: so many rounds, or as many as fit into the time. */
async function compare(unguarded, guarded, { rounds, seconds }) {
  const times = { unguarded: [], guarded: [] };
  const end = performance.now() + seconds * 1000;
  for (let round = 0; round < rounds && performance.now() < end; round++) {
    for (const [loop, into] of [
      [unguarded, times.unguarded],
      [guarded, times.guarded],
    ]) {
      const begin = performance.now();
      await loop();
      into.push((performance.now() - begin) * 1000);
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
