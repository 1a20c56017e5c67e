import { withContext } from '../../base/words.js';
import { OPEN, SATISFIED, VIOLATED } from '../../languages/automaton/index.js';
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
  onlyKeys,
  type Path,
  probability,
  text,
} from './checks.js';
import { checkMessage } from './ruleMessage.js';
import { STRATEGY_KINDS } from './strategy.js';

const KEYS = [
  'name',
  'formula',
  'evaluation',
  'automaton',
  'pastSteps',
  'monitor',
  'levels',
  'escalate',
  'maxReflections',
  'shadow',
  'afterViolation',
  'onFailure',
  'horizonSteps',
  'shieldChooses',
  'message',
  'english',
  'provenBy',
  'tables',
];
const COMPARISONS = ['risk>=', 'risk>', 'safety<', 'safety<='];

/**
 * Checks one rule, but for its tables: its automaton and its strategies.
 *
 * @returns the verdict of each state of its automaton
 */
export function checkRule(rule: Fields, path: Path, predicates: readonly string[]): number[] {
  onlyKeys(rule, path, KEYS);
  text(rule.name, `${path}.name`);
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
  if (rule.pastSteps !== undefined && rule.pastSteps !== null)
    index(rule.pastSteps, `${path}.pastSteps`, Number.MAX_SAFE_INTEGER);
  if (rule.horizonSteps !== null) index(rule.horizonSteps, `${path}.horizonSteps`, Number.MAX_SAFE_INTEGER);
  if (rule.shieldChooses !== undefined && typeof rule.shieldChooses !== 'boolean')
    fail(`${path}.shieldChooses`, rule.shieldChooses, 'true or false');
  if (rule.english !== undefined) text(rule.english, `${path}.english`);
  if (rule.message !== undefined) checkMessages(fields(rule.message, `${path}.message`), `${path}.message`);
  if (rule.provenBy !== undefined) {
    list(rule.provenBy, `${path}.provenBy`).forEach((policy, i) => {
      text(policy, `${path}.provenBy[${i}]`);
    });
    if (rule.tables !== undefined)
      failAs(`${path}.tables`, 'tables', 'nothing, for what is proved of a rule needs no risk');
  }
  if (rule.tables === undefined) {
    if (evaluation !== 'trace')
      fail(`${path}.tables`, undefined, 'tables, for rules of a state compare a risk');
    if (rule.horizonSteps !== null)
      fail(`${path}.horizonSteps`, rule.horizonSteps, 'null, for the rule has no tables');
  }
  return verdict;
}

function checkMessages(message: Fields, path: Path): void {
  onlyKeys(message, path, ['people', 'agent']);
  for (const [whom, said] of Object.entries(message)) {
    try {
      checkMessage(text(said, `${path}.${whom}`));
    } catch (error) {
      throw withContext(error, `guard file: ${path}.${whom}`);
    }
  }
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
  const accepting = `${path}.accepting`;
  listOf(automaton.accepting, accepting, states, perState).forEach((item, q) => {
    index(item, accepting, 2, q);
  });
  const nodes = list(automaton.nodes, `${path}.nodes`);
  if (nodes.length % 3 !== 0) failAs(`${path}.nodes`, `${nodes.length} numbers`, 'three for each node');
  const reference = (item: unknown, place: Path, at: number): number => {
    const found = number(item, place, at);
    if (!Number.isInteger(found) || found < -states || found >= nodes.length / 3) {
      fail(
        `${place}[${at}]`,
        found,
        `a node below ${nodes.length / 3}, or -1 - q for a state q below ${states}`,
      );
    }
    return found;
  };
  const rootsPath = `${path}.roots`;
  const roots = listOf(automaton.roots, rootsPath, states, perState);
  for (let q = 0; q < states; q++) {
    const root = reference(roots[q], rootsPath, q);
    if (verdict[q] !== OPEN && root !== -1 - q)
      fail(`${rootsPath}[${q}]`, root, `${-1 - q}: a state with a verdict stays`);
  }
  const nodesPath = `${path}.nodes`;
  for (let i = 0; i < nodes.length; i += 3) {
    const predicate = index(nodes[i], nodesPath, names.length, i);
    for (let place = i + 1; place < i + 3; place++) {
      const child = reference(nodes[place], nodesPath, place);
      if (child >= 0 && !((nodes[3 * child] as number) > predicate)) {
        fail(`${nodesPath}[${place}]`, child, 'a node with a later predicate: they ascend along every path');
      }
    }
  }
  return verdict;
}

/** Returns the kind. */
function checkStrategy(value: unknown, path: Path): string {
  const strategy = fields(value, path);
  const kind = oneOf(strategy.kind, `${path}.kind`, STRATEGY_KINDS);
  if (kind === 'replace') text(strategy.action, `${path}.action`);
  return kind;
}
