import type { Instead, InsteadAnswer } from './answers.js';
import { type AskParts, goalOf, type Wanted } from './before.js';
import { type AskedCall, callText } from './moves.js';
import { PlanGraph } from './plans.js';
import type { Situation } from './run.js';

/** The risk of a call in the situation, where a guard knows it; null where it does not. */
export type RiskOf = (call: AskedCall) => number | null;

/** Calls that are listed in the text. */
const SHOWN = 8;

/**
 * The calls that are allowed now: those from which what was wanted is reached by the fewest further calls come first, then those of less risk. Where a call may
 * do several things, the number is that of the worst of them.
 *
 * @param candidates the calls to choose from; default: those that are declared
 */
export function insteadAnswer(
  parts: AskParts,
  situation: Situation,
  wanted: Wanted | null,
  candidates: readonly AskedCall[] | null,
  riskOf: RiskOf,
): InsteadAnswer {
  const { judge, moves } = parts;
  const calls = candidates ?? moves?.calls ?? [];
  const steps =
    wanted === null || moves === null ? () => null : stepsTo({ ...parts, moves }, situation, wanted);
  const asked = wanted !== null && 'call' in wanted ? callText(wanted.call) : null;
  const options = calls
    .filter((call) => callText(call) !== asked)
    .filter((call) => {
      const { verdict, possible } = judge.judge(situation, call);
      return verdict === 'kept' && possible === true;
    })
    .map((call): Instead => ({ call, steps: steps(call), risk: riskOf(call) }));
  const by = (value: number | null): number => value ?? Number.POSITIVE_INFINITY;
  options.sort((a, b) => compare(by(a.steps), by(b.steps)) || compare(by(a.risk), by(b.risk)));
  return {
    kind: 'instead',
    wanted: wanted === null ? null : 'call' in wanted ? wanted.call : wanted.said,
    options,
    text: textOf(options, wanted, calls.length),
  };
}

function stepsTo(
  parts: AskParts & { readonly moves: NonNullable<AskParts['moves']> },
  situation: Situation,
  wanted: Wanted,
): (call: AskedCall) => number | null {
  const graph = new PlanGraph(parts, situation);
  const distances = graph.distances(goalOf(parts, wanted));
  const ways = new Map(graph.ways(0).map(({ call, to }) => [callText(call), to]));
  return (call) => {
    const each = (ways.get(callText(call)) ?? []).map((place) => distances.get(place));
    if (each.length === 0 || each.includes(undefined)) return null;
    return Math.max(...(each as number[]));
  };
}

function textOf(options: readonly Instead[], wanted: Wanted | null, asked: number): string {
  if (asked === 0)
    return 'I do not know which calls there are: declare actions in the specification, or name candidates.';
  if (options.length === 0) return 'Nothing: no call is allowed now.';
  const what = wanted === null ? '' : 'call' in wanted ? callText(wanted.call) : wanted.said;
  const lines = options.slice(0, SHOWN).map(({ call, steps, risk }) => {
    const then =
      steps === null
        ? ''
        : steps === 0
          ? `; then ${what} is allowed`
          : `; then ${what} is allowed after ${steps} more ${steps === 1 ? 'call' : 'calls'}`;
    return `- ${callText(call)}${then}${risk === null ? '' : `; risk ${Number(risk.toPrecision(3))}`}`;
  });
  const more = options.length > SHOWN ? [`- ${options.length - SHOWN} more`] : [];
  return ['Allowed now:', ...lines, ...more].join('\n');
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
