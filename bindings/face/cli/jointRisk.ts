import { type JointRiskEntry, jointRisk, type RiskBounds, type RiskOptions } from '../../rules/risk/index.js';
import type { Specification } from '../../rules/specification/index.js';
import type { Dtmc } from '../../solvers/model/index.js';
import { between, downward, upperWithin, upward } from './certifiedNumbers.js';
import { parseCount } from './numbers.js';
import type { NamedHorizon } from './risk.js';
import { shownState } from './shownRule.js';
import { table } from './terminal.js';

/** Maximal number of entries written, because a joint product may have millions. */
const WRITTEN = 1000;

/** Options of `foreguard risk` for joint risks. */
export interface JointCommandOptions {
  readonly joint?: string;
  readonly fromStart?: boolean;
  readonly maxStates?: string;
}

/** The JSON of `foreguard risk --joint`. */
interface JointDocument {
  readonly rules: readonly string[];
  readonly start: RiskBounds;
  readonly startWithin: Readonly<Record<string, RiskBounds>>;
  readonly accuracy: string;
  readonly method: string;
  readonly states: number;
  readonly transitions: number;
  /** The undecided states with the largest risks, at most a thousand. */
  readonly entries: readonly JointRiskEntry[];
}

/** Parses the names of requested rules, `a,b`. */
export function namesOf(rules: string): string[] {
  return rules.split(',').map((name) => name.trim());
}

/** Computes the risk that any of several rules is violated. */
export function joint(
  specification: Specification,
  model: Dtmc,
  { joint: names, fromStart, maxStates }: JointCommandOptions & { readonly joint: string },
  solve: RiskOptions,
): JointDocument {
  const most = parseCount('--max-states', maxStates);
  const found = jointRisk(specification, model, {
    ...solve,
    rules: namesOf(names),
    ...(fromStart && { from: 'start' }),
    ...(most !== undefined && { maxStates: most }),
  });
  const { rules, start, startWithin, accuracy, method, states, transitions } = found;
  return { rules, start, startWithin, accuracy, method, states, transitions, entries: found.worst(WRITTEN) };
}

/** Describes the risk as text: before the first step, then in the worst states. */
export function describeJoint(
  { rules, start, startWithin, states, transitions, entries }: JointDocument,
  horizons: readonly NamedHorizon[],
  shown: number,
): string {
  const rows = entries
    .slice(0, shown)
    .map((entry) => [
      upward(entry.upper),
      downward(entry.lower),
      ...horizons.map(({ steps }) => upperWithin(entry, steps)),
      entry.draws === 0 ? 'unknown' : String(entry.draws),
      entry.automatonStates.join(','),
      shownState(entry),
    ]);
  const header = [
    'risk',
    'at least',
    ...horizons.map(({ name }) => `in ${name}`),
    'seen',
    'automata',
    'state',
  ];
  const within = horizons.map(({ name, steps }) => `, within ${name} ${between(startWithin[steps])}`);
  return [
    `any of ${rules.join(', ')}: ${states} states and ${transitions} transitions in the product`,
    `before the first step: ${between(start)}${within.join('')}`,
    table(header, rows),
    ...(entries.length > shown
      ? [`… the ${shown} worst; --top N or --all prints more, up to ${WRITTEN} as --json has`]
      : []),
  ].join('\n');
}
