import { InvalidArgumentError } from '../../base/errors.js';
import { type Decision, STRATEGY_KINDS } from '../guard/index.js';

/** The properties of a session that `requireStrategies` checks. */
export interface DecisionRange {
  readonly strategies: ReadonlySet<Decision>;
  /** The session itself asks people. */
  readonly asks: boolean;
}

/**
 * Refuses, when an adapter is configured, a guard that may make decisions the framework cannot carry out.
 *
 * A framework carries out any decision that withholds the call and tells the agent. What it may lack is a way to ask a person, or to run another call instead.
 *
 * @param framework its name, for the message
 * @param impossible decisions that it cannot carry out
 * @throws InvalidArgumentError naming the unsupported decision and the alternatives
 */
export function requireStrategies(
  { strategies, asks }: DecisionRange,
  framework: string,
  impossible: readonly ('inspect' | 'replace')[],
): void {
  const missing = impossible.filter((one) => strategies.has(one) && !(one === 'inspect' && asks));
  if (missing.length === 0) return;
  const possible = STRATEGY_KINDS.filter((one) => one !== 'report' && !impossible.includes(one as 'inspect'));
  const instead = missing.includes('inspect')
    ? '; or give the session `ask`, which asks a person by itself'
    : '';
  throw new InvalidArgumentError(
    `the guard may decide ${missing.join(', ')}, which cannot be done in ${framework}; it can ${possible.join(', ')}: choose one of these as the rule's strategy${instead}`,
  );
}

/**
 * Refuses, when an adapter is configured, a session in which people may change the arguments of a call (`edits`), if its questions go to a framework whose answers carry none.
 *
 * @param answers what the framework has for answers, for the message
 * @throws InvalidArgumentError unless the session itself asks
 */
export function requireEdits(
  { edits = false, asks = false }: { readonly edits?: boolean; readonly asks?: boolean },
  answers: string,
): void {
  if (!edits || asks) return;
  throw new InvalidArgumentError(
    `the session lets people change the arguments of a call (edits: true), and answers would come by ${answers}; give the session \`ask\`, which asks a person by itself, or leave edits out`,
  );
}
