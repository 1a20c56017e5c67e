import { checkRows } from './checkRows.js';
import {
  type Fields,
  fail,
  failAs,
  fields,
  index,
  list,
  listOf,
  number,
  oneOf,
  type Path,
  probability,
  text,
} from './checks.js';
import { type GuardFile, IDLE } from './guardFile.js';

/** Checks the actions of a guard file. */
export function checkActions(file: GuardFile): void {
  const states = file.states.draws.length;
  const actions = fields(file.actions, 'actions');
  oneOf(actions.mode, 'actions.mode', ['predict', 'budget', 'least']);
  const names = list(actions.names, 'actions.names');
  names.forEach((name, i) => {
    text(name, `actions.names[${i}]`);
  });
  if (new Set(names).size !== names.length)
    failAs('actions.names', 'a list with repetitions', 'names that differ');
  for (const [tool, predicates] of Object.entries(fields(actions.predicates, 'actions.predicates'))) {
    list(predicates, `actions.predicates.${tool}`).forEach((item, i) => {
      const { name, expression } = fields(item, `actions.predicates.${tool}[${i}]`);
      text(name, `actions.predicates.${tool}[${i}].name`);
      text(expression, `actions.predicates.${tool}[${i}].expression`);
    });
  }
  const start = fields(actions.start, 'actions.start');
  const taken = fields(actions.taken, 'actions.taken');
  const outcomes = fields(actions.outcomes, 'actions.outcomes');
  const first = list(start.columns, 'actions.start.columns').length;
  checkRow(start, 'actions.start', 0, first, states + 1);
  const pairs = list(taken.actions, 'actions.taken.actions');
  checkRows(taken.rowStart, 'actions.taken.rowStart', states, pairs.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const action = index((pairs[i] as number) + 1, 'actions.taken.actions', names.length + 1, i) - 1;
      if (i > from && action <= (pairs[i - 1] as number))
        fail(
          `actions.taken.actions[${i}]`,
          action,
          `more than ${pairs[i - 1]}: actions ascend within a state`,
        );
    }
  });
  listOf(taken.draws, 'actions.taken.draws', pairs.length, 'one for each of actions.taken.actions').forEach(
    (draw, i) => {
      if (!(number(draw, 'actions.taken.draws', i) > 0))
        fail(`actions.taken.draws[${i}]`, draw, 'a count above 0');
    },
  );
  const columns = list(outcomes.columns, 'actions.outcomes.columns');
  checkRows(outcomes.rowStart, 'actions.outcomes.rowStart', pairs.length, columns.length, (from, to) => {
    checkRow(outcomes, 'actions.outcomes', from, to, states + 1);
  });
  if (actions.idleEnds !== undefined) checkIdleEnds(fields(actions.idleEnds, 'actions.idleEnds'), pairs);
  if (actions.forbidden !== undefined) checkForbidden(actions.forbidden, pairs, file.policies !== undefined);
}

/** Pairs ascend and are of actions; what forbids them is in the file. */
function checkForbidden(value: unknown, taken: readonly unknown[], hasPolicies: boolean): void {
  const pairs = list(value, 'actions.forbidden');
  if (!hasPolicies)
    fail('actions.forbidden', value, 'nothing, for the file has no policies that forbid anything');
  pairs.forEach((item, i) => {
    const pair = index(item, 'actions.forbidden', taken.length, i);
    if (i > 0 && pair <= (pairs[i - 1] as number))
      fail(`actions.forbidden[${i}]`, pair, `more than ${pairs[i - 1]}: pairs ascend`);
    if (taken[pair] === IDLE)
      fail(`actions.forbidden[${i}]`, pair, 'a pair with an action: no policy forbids doing nothing');
  });
}

/** Pairs ascend and are of doing nothing; weights are probabilities. */
function checkIdleEnds(ends: Fields, taken: readonly unknown[]): void {
  const pairs = list(ends.pairs, 'actions.idleEnds.pairs');
  const weights = listOf(
    ends.weights,
    'actions.idleEnds.weights',
    pairs.length,
    'one for each of actions.idleEnds.pairs',
  );
  pairs.forEach((item, i) => {
    const pair = index(item, 'actions.idleEnds.pairs', taken.length, i);
    if (i > 0 && pair <= (pairs[i - 1] as number))
      fail(`actions.idleEnds.pairs[${i}]`, pair, `more than ${pairs[i - 1]}: pairs ascend`);
    if (taken[pair] !== IDLE)
      fail(`actions.idleEnds.pairs[${i}]`, pair, 'a pair without an action in actions.taken.actions');
    probability(weights[i], 'actions.idleEnds.weights', i);
  });
}

/** A distribution: columns ascend, probabilities sum to 1. */
function checkRow(row: Fields, path: Path, from: number, to: number, limit: number): void {
  const columns = list(row.columns, `${path}.columns`);
  const values = listOf(row.values, `${path}.values`, columns.length, 'one for each column');
  let sum = 0;
  for (let i = from; i < to; i++) {
    const column = index(columns[i], `${path}.columns`, limit, i);
    if (i > from && column <= (columns[i - 1] as number))
      fail(`${path}.columns[${i}]`, column, `more than ${columns[i - 1]}: columns ascend within a row`);
    sum += probability(values[i], `${path}.values`, i);
  }
  if (!(Math.abs(sum - 1) <= 1e-9))
    failAs(`${path}.values`, `a row that sums to ${sum}`, 'rows that sum to 1');
}
