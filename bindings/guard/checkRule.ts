import { OPEN, SATISFIED, VIOLATED } from '../automaton/index.js';
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

const KINDS = ['stop', 'block', 'inspect', 'reflect', 'report', 'replace'];
const COMPARISONS = ['risk>=', 'risk>', 'safety<', 'safety<='];

/**
 * Checks one rule over `states` states: its automaton, its strategies, and its tables.
 *
 * @returns the rule's name
 */
export function checkRule(
  rule: Fields,
  path: Path,
  predicates: readonly string[],
  states: number,
  confident: boolean,
): string {
  const name = text(rule.name, `${path}.name`);
  text(rule.formula, `${path}.formula`);
  const evaluation = oneOf(rule.evaluation, `${path}.evaluation`, ['trace', 'state']);
  const verdict = checkAutomaton(
    fields(rule.automaton, `${path}.automaton`),
    `${path}.automaton`,
    predicates,
  );
  if (evaluation === 'state' && verdict.length !== 1)
    fail(`${path}.automaton.states`, verdict.length, '1: rules of a state have no history');
  if (rule.monitor !== undefined)
    checkAutomaton(fields(rule.monitor, `${path}.monitor`), `${path}.monitor`, [...predicates, 'end']);
  const levels = list(rule.levels, `${path}.levels`);
  if (levels.length === 0) failAs(`${path}.levels`, 'empty', 'at least one level');
  levels.forEach((item, i) => {
    const level = fields(item, `${path}.levels[${i}]`);
    const threshold = fields(level.threshold, `${path}.levels[${i}].threshold`);
    oneOf(threshold.compare, `${path}.levels[${i}].threshold.compare`, COMPARISONS);
    probability(threshold.value, `${path}.levels[${i}].threshold.value`);
    checkStrategy(level.strategy, `${path}.levels[${i}].strategy`);
  });
  list(rule.escalate, `${path}.escalate`).forEach((strategy, i) => {
    if (checkStrategy(strategy, `${path}.escalate[${i}]`) === 'reflect') {
      fail(
        `${path}.escalate[${i}]`,
        'reflect',
        'another strategy: it stands in for reflecting once too often',
      );
    }
  });
  index(rule.maxReflections, `${path}.maxReflections`, Number.MAX_SAFE_INTEGER);
  checkStrategy(rule.afterViolation, `${path}.afterViolation`);
  checkStrategy(rule.onFailure, `${path}.onFailure`);
  if (rule.shadow !== undefined && typeof rule.shadow !== 'boolean')
    fail(`${path}.shadow`, rule.shadow, 'true or false');
  if (rule.horizonSteps !== null) index(rule.horizonSteps, `${path}.horizonSteps`, Number.MAX_SAFE_INTEGER);
  checkBounds(rule, path, states, verdict, confident);
  for (const key of ['least', 'most']) {
    if (rule[key] === undefined) continue;
    checkBounds(fields(rule[key], `${path}.${key}`), `${path}.${key}`, states, verdict, false);
  }
  if ((rule.least === undefined) !== (rule.most === undefined))
    fail(`${path}.most`, rule.most, 'given where least is, and only there');
  if (rule.horizons !== undefined) {
    for (const [steps, bounds] of Object.entries(fields(rule.horizons, `${path}.horizons`))) {
      if (!/^\d+$/.test(steps)) fail(`${path}.horizons`, steps, 'numbers of steps as keys');
      const place = `${path}.horizons.${steps}`;
      checkBounds(fields(bounds, place), place, states, verdict, confident);
    }
  }
  return name;
}

function checkBounds(
  bounds: Fields,
  path: Path,
  states: number,
  verdict: readonly number[],
  confident: boolean,
): void {
  const size = states * verdict.length;
  const shape = `${states} states times ${verdict.length} automaton states`;
  const lower = listOf(bounds.lower, `${path}.lower`, size, shape);
  const upper = listOf(bounds.upper, `${path}.upper`, size, shape);
  const lowerPath = `${path}.lower`;
  const upperPath = `${path}.upper`;
  for (let i = 0; i < size; i++) {
    const low = probability(lower[i], lowerPath, i);
    const high = probability(upper[i], upperPath, i);
    if (low > high) fail(`${path}.lower[${i}]`, low, `at most upper[${i}], ${high}`);
    if (verdict[i % verdict.length] === VIOLATED && low !== 1)
      fail(`${path}.lower[${i}]`, low, '1, for the rule is violated there');
    if (verdict[i % verdict.length] === SATISFIED && high !== 0)
      fail(`${path}.upper[${i}]`, high, '0, for the rule is satisfied there');
  }
  if (!confident) return;
  const place = `${path}.confidenceUpper`;
  listOf(bounds.confidenceUpper, place, size, shape).forEach((item, i) => {
    const high = probability(item, place, i);
    if (verdict[i % verdict.length] === VIOLATED && high !== 1)
      fail(`${place}[${i}]`, high, '1, for the rule is violated there');
    if (verdict[i % verdict.length] === SATISFIED && high !== 0)
      fail(`${place}[${i}]`, high, '0, for the rule is satisfied there');
  });
}

/** Returns the verdict of each state. */
function checkAutomaton(automaton: Fields, path: Path, predicates: readonly string[]): number[] {
  const names = list(automaton.predicates, `${path}.predicates`);
  names.forEach((name, i) => {
    if (!predicates.includes(name as string))
      fail(`${path}.predicates[${i}]`, name, `one of ${predicates.join(', ')}`);
  });
  const states = index(automaton.states, `${path}.states`, 2 ** 31);
  index(automaton.initial, `${path}.initial`, states);
  const perState = 'one for each state';
  const verdict = listOf(automaton.verdict, `${path}.verdict`, states, perState).map((item, q) => {
    if (item !== OPEN && item !== VIOLATED && item !== SATISFIED)
      fail(`${path}.verdict[${q}]`, item, '0, 1 or 2');
    return item as number;
  });
  listOf(automaton.accepting, `${path}.accepting`, states, perState).forEach((item, q) => {
    index(item, `${path}.accepting[${q}]`, 2);
  });
  const nodes = list(automaton.nodes, `${path}.nodes`);
  if (nodes.length % 3 !== 0) failAs(`${path}.nodes`, `${nodes.length} numbers`, 'three for each node');
  const reference = (item: unknown, place: Path): number => {
    const found = number(item, place);
    if (!Number.isInteger(found) || found < -states || found >= nodes.length / 3) {
      fail(place, found, `a node below ${nodes.length / 3}, or -1 - q for a state q below ${states}`);
    }
    return found;
  };
  listOf(automaton.roots, `${path}.roots`, states, perState).forEach((item, q) => {
    const root = reference(item, `${path}.roots[${q}]`);
    if (verdict[q] !== OPEN && root !== -1 - q)
      fail(`${path}.roots[${q}]`, root, `${-1 - q}: a state with a verdict stays`);
  });
  for (let i = 0; i < nodes.length; i += 3) {
    const predicate = index(nodes[i], `${path}.nodes[${i}]`, names.length);
    for (const place of [i + 1, i + 2]) {
      const child = reference(nodes[place], `${path}.nodes[${place}]`);
      if (child >= 0 && !((nodes[3 * child] as number) > predicate)) {
        fail(`${path}.nodes[${place}]`, child, 'a node with a later predicate: they ascend along every path');
      }
    }
  }
  return verdict;
}

/** Returns the kind. */
function checkStrategy(value: unknown, path: Path): string {
  const strategy = fields(value, path);
  const kind = oneOf(strategy.kind, `${path}.kind`, KINDS);
  if (kind === 'replace') text(strategy.action, `${path}.action`);
  return kind;
}
