import type { MdpSamplingPlan, PlannedDecision, PlannedState, SamplingPlan } from '../../rules/risk/index.js';
import { shownState } from './shownRule.js';
import { table } from './terminal.js';

/** Maximal number of states that a plan names, unless all are requested. */
const SHOWN_STATES = 5;

/** Describes in words what to sample next. */
export function describePlan(plan: SamplingPlan | MdpSamplingPlan, shown: number): string {
  const { scope, epsilon, runsAsAgent, runsFavoured, begun } = plan;
  const decisions = 'actions' in plan;
  const states: readonly (PlannedState | PlannedDecision)[] = decisions ? plan.actions : plan.states;
  const known = `every risk to within ${epsilon} ${scope === 'start' ? 'before the first step' : 'in every state'}`;
  if (states.length === 0) return `To know ${known} no more runs are needed.`;
  const asAgent =
    runsAsAgent === Number.POSITIVE_INFINITY
      ? 'no number of runs as the agent begins them is foreseen to do'
      : `about ${about(runsAsAgent)} more runs as the agent begins them`;
  const parts = begun.map(
    ({ first, runs }) =>
      `${about(runs)} ${first === null ? 'as the agent does' : `in: ${shownState(first)}`}`,
  );
  const favoured =
    runsFavoured === Number.POSITIVE_INFINITY
      ? ', nor of runs begun in states in which runs were seen to begin'
      : runsFavoured < runsAsAgent
        ? `, or about ${about(runsFavoured)} begun so:\n${parts.map((part) => `  ${part}`).join('\n')}`
        : ', and beginning them elsewhere would not help';
  const listed = states.slice(0, Math.min(shown, SHOWN_STATES));
  return [
    `To know ${known}, if all goes on as it did: ${asAgent}${favoured}`,
    decisions
      ? 'Where the error comes from, what helps most first: how often the action was taken, how often it should be if each is taken as it helps most, its part of the error, and what taking it once more takes off'
      : 'Where the error comes from, what helps most first: how often the state was left, how often it should be if each is left as it helps most, its part of the error, and what leaving it once more takes off',
    table(
      [
        decisions ? 'taken' : 'left',
        'should be',
        'error',
        'once more',
        ...(decisions ? ['action'] : []),
        'state',
      ],
      listed.map(cellsOf),
    ),
    ...(states.length > listed.length ? [`… and ${states.length - listed.length} more; --json has all`] : []),
  ].join('\n');
}

function cellsOf(planned: PlannedState | PlannedDecision): string[] {
  const { draws, needed, share, gain } = planned;
  return [
    draws === 0 ? 'never' : String(draws),
    about(needed),
    share.toFixed(4),
    gain.toPrecision(2),
    ...('action' in planned ? [planned.action ?? ''] : []),
    shownState(planned),
  ];
}

/** A number of runs, rounded to two significant digits. */
function about(runs: number): string {
  if (runs === Number.POSITIVE_INFINITY) return '–';
  return Math.ceil(Number(runs.toPrecision(2))).toLocaleString('en-US');
}
