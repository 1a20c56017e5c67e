import type {
  CertificateOf,
  CertificateOfRule,
  RuleCertificate,
  StateSupport,
} from '../../rules/risk/index.js';
import { supply, upward } from './certifiedNumbers.js';
import { shownState } from './shownRule.js';
import { plural, table } from './terminal.js';

/** A certificate as JSON. Without this conversion, typed arrays would be written as objects. */
export function certificateJson({
  rules,
  ...certificate
}: CertificateOf<
  CertificateOfRule<unknown, unknown, Pick<RuleCertificate['criteria'], 'first' | 'second'>>,
  unknown
>): object {
  return {
    ...certificate,
    rules: rules.map(({ criteria, ...rule }) => ({
      ...rule,
      criteria: { ...criteria, first: [...criteria.first], second: [...criteria.second] },
    })),
  };
}

/**
 * Describes how often states were left, or actions taken in them, those with the greatest shortage first.
 *
 * @param actionOf for a decision process: the action of a row.
 */
export function describeSupports<Row extends StateSupport>(
  { epsilon, drawsForEveryTransition }: CertificateOf<unknown, unknown>,
  supports: readonly Row[],
  shown: number,
  actionOf?: (row: Row) => string,
): string {
  const listed = [...supports].sort((a, b) => supply(a) - supply(b)).slice(0, shown);
  const rows = listed.map((row) => [
    ...[row.draws, row.needed, row.successors].map(String),
    ...[row.distance, row.unseen].map(upward),
    ...(actionOf ? [actionOf(row)] : []),
    shownState(row),
  ]);
  const [drawn, taken, each, one] = actionOf
    ? ['each action was taken in each state', 'taken', 'action in every state', 'more pair']
    : ['each state was left', 'left', 'state', 'more state'];
  return [
    `How often ${drawn}, and how often the first paper's criterion asks for (epsilon ${epsilon}), those that lack most first; how far the distribution of its successors may be from what was seen (in total variation), and the most that successors never seen can have`,
    table(
      [taken, 'asked for', 'successors', 'distance', 'unseen', ...(actionOf ? ['action'] : []), 'state'],
      rows,
    ),
    ...(supports.length > shown
      ? [`… ${plural(supports.length - rows.length, one)}; --top N or --all prints more`]
      : []),
    `${drawsForEveryTransition} draws of every ${each} put each transition that was seen to within ${epsilon}, if no other is possible`,
  ].join('\n');
}
