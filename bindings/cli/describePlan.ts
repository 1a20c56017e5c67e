import type { PlannedState, SamplingPlan } from '../risk/index.js';
import { table } from './terminal.js';

/** States that a plan names at most, unless all are asked for. */
const SHOWN_STATES = 5;

/** What to sample next, in words. */
export function describePlan(plan: SamplingPlan, shown: number): string {
  const { scope, epsilon, states, runsAsAgent, runsFavoured, begun } = plan;
  const known = `every risk to within ${epsilon} ${scope === 'start' ? 'before the first step' : 'in every state'}`;
  if (states.length === 0) return `To know ${known} no more runs are needed.`;
  const asAgent =
    runsAsAgent === Number.POSITIVE_INFINITY
      ? 'runs as the agent begins them never come to what matters, so far as was seen'
      : `about ${about(runsAsAgent)} more runs as the agent begins them`;
  const parts = begun.map(
    ({ first, runs }) =>
      `${about(runs)} ${first === null ? 'as the agent does' : `in: ${first.description}`}`,
  );
  const favoured =
    runsFavoured === Number.POSITIVE_INFINITY
      ? '; nor do runs begun in any state that runs were seen to begin in'
      : runsFavoured < runsAsAgent
        ? `, or about ${about(runsFavoured)} begun so:\n${parts.map((part) => `  ${part}`).join('\n')}`
        : ', and beginning them elsewhere would not help';
  const listed = states.slice(0, Math.min(shown, SHOWN_STATES));
  return [
    `To know ${known}, if all goes on as it did: ${asAgent}${favoured}`,
    'Where the error comes from, what helps most first: how often the state was left, how often it should be if each is left as it helps most, its part of the error, and what leaving it once more takes off',
    table(['left', 'should be', 'error', 'once more', 'state'], listed.map(cellsOf)),
    ...(states.length > listed.length ? [`… and ${states.length - listed.length} more; --json has all`] : []),
  ].join('\n');
}

function cellsOf({ draws, needed, share, gain, description }: PlannedState): string[] {
  return [
    draws === 0 ? 'never' : String(draws),
    about(needed),
    share.toFixed(4),
    gain.toPrecision(2),
    description,
  ];
}

/** A number of runs, of which two digits mean something. */
function about(runs: number): string {
  if (runs === Number.POSITIVE_INFINITY) return '–';
  return Math.ceil(Number(runs.toPrecision(2))).toLocaleString('en-US');
}
