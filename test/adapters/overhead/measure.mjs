import { deepStrictEqual } from 'node:assert';
import { createSession } from 'foreguard/enforce';
import { mailShield } from '../shared/mail.ts';

const GOAL_MICROSECONDS = 50;
const input = { query: 'rent' };
const result = { hits: 3 };
const state = { tainted: false, leaked: false };

/** Prints for each what a call takes without it and with it, and the difference, after as many again that do not count. */
export async function measure(overheads, args) {
  const short = args.includes('--short');
  const asked = args.filter((argument) => !argument.startsWith('--'));
  console.log('| what | without µs | with µs | added µs | added, 10th to 90th percentile |');
  console.log('| --- | --- | --- | --- | --- |');
  for (const [name, loops] of Object.entries(overheads)) {
    if (asked.length > 0 && !asked.some((word) => name.includes(word))) continue;
    const session = createSession({ guard: await mailShield(), state: () => state, tools: ['search'] });
    const { without, within } = await loops({ session, tool: async () => result, input, state: () => state });
    deepStrictEqual(await within(), await without());
    const limits = short ? { rounds: 200, seconds: 2 } : { rounds: 4000, seconds: 10 };
    await compare(without, within, limits);
    console.log(row(name, await compare(without, within, limits)));
    await session.end();
  }
}

/** Microseconds of one call of each by turns, each timed alone: so many rounds, or as many as fit into the time. */
async function compare(without, within, { rounds, seconds }) {
  const times = { without: [], within: [] };
  const end = performance.now() + seconds * 1000;
  for (let round = 0; round < rounds && performance.now() < end; round++) {
    for (const [loop, into] of [
      [without, times.without],
      [within, times.within],
    ]) {
      const begin = performance.now();
      await loop();
      into.push((performance.now() - begin) * 1000);
    }
  }
  return times;
}

function row(name, times) {
  const [without, within] = [quantile(times.without, 0.5), quantile(times.within, 0.5)];
  const added = times.within.map((time, i) => time - times.without[i]);
  const missed = within - without > GOAL_MICROSECONDS ? ` (goal ${GOAL_MICROSECONDS})` : '';
  const [low, high] = [quantile(added, 0.1), quantile(added, 0.9)];
  return `| ${name} | ${without.toFixed(1)} | ${within.toFixed(1)} | ${(within - without).toFixed(1)}${missed} | ${low.toFixed(1)} to ${high.toFixed(1)} |`;
}

function quantile(times, q) {
  return times.toSorted((a, b) => a - b)[Math.floor(q * (times.length - 1))];
}
