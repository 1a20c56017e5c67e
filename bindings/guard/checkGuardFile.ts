import { OPEN, SATISFIED, VIOLATED } from '../automaton/index.js';
import { InvalidArgumentError, NotSupportedError } from '../errors.js';
import { RESAMPLE_POLICIES } from '../trace/index.js';
import type { GuardFile } from './guardFile.js';

const KINDS = ['stop', 'block', 'inspect', 'reflect', 'report', 'replace'];
const POLICIES = ['rule', 'stop', 'block', 'inspect', 'reflect', 'report', 'allow'];
const COMPARISONS = ['risk>=', 'risk>', 'safety<', 'safety<='];

/** A place in the file, for messages: `rules[0].upper[3]`. */
type Path = string;
type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks that a value is a guard file whose parts fit together, so that nothing has to be checked at a step: versions,
 * lengths, ranges, references, NaN. Predicates and constraints are only compiled by the guard.
 *
 * @returns the value itself
 * @throws InvalidArgumentError naming the place in the file, what was found, and what was expected
 * @throws NotSupportedError for another version
 */
export function checkGuardFile(value: unknown): GuardFile {
  const file = fields(value, 'the file');
  if (file.format !== 'foreguard-guard') {
    fail('format', file.format, '"foreguard-guard"; `foreguard compile` writes guard files');
  }
  if (file.version !== 1) {
    throw new NotSupportedError(
      `guard file: version is ${show(file.version)}, this release reads version 1; compile the guard again`,
    );
  }
  text(file.specificationHash, 'specificationHash');
  text(file.modelHash, 'modelHash');
  const predicates = list(file.predicates, 'predicates').map((item, i) => {
    const { name, expression } = fields(item, `predicates[${i}]`);
    text(expression, `predicates[${i}].expression`);
    return text(name, `predicates[${i}].name`);
  });
  const constraints = fields(file.constraints, 'constraints');
  for (const key of ['state', 'transition', 'end']) {
    if (constraints[key] !== undefined) text(constraints[key], `constraints.${key}`);
  }
  const states = checkStates(fields(file.states, 'states'), predicates.length);
  const transitions = checkSeen(fields(file.seen, 'seen'), states);
  if (file.drift !== undefined) checkDrift(fields(file.drift, 'drift'), states, transitions);
  if (file.actions !== undefined) checkActions(fields(file.actions, 'actions'), states);
  const decideOn = oneOf(file.decideOn, 'decideOn', ['upper', 'confidenceUpper']);
  const rules = list(file.rules, 'rules');
  if (rules.length === 0) failAs('rules', 'empty', 'at least one rule');
  const names = new Set<string>();
  rules.forEach((item, i) => {
    const rule = fields(item, `rules[${i}]`);
    const name = checkRule(rule, `rules[${i}]`, predicates, states, decideOn === 'confidenceUpper');
    if (names.has(name)) fail(`rules[${i}].name`, name, 'a name that no other rule has');
    names.add(name);
  });
  if (file.durations !== undefined) {
    for (const [duration, steps] of Object.entries(fields(file.durations, 'durations')))
      index(steps, `durations.${duration}`, Number.MAX_SAFE_INTEGER);
  }
  oneOf(file.onUnknown, 'onUnknown', POLICIES);
  if (file.unsafeAllowUnknown !== undefined && typeof file.unsafeAllowUnknown !== 'boolean') {
    fail('unsafeAllowUnknown', file.unsafeAllowUnknown, 'true or false');
  }
  if ((file.onUnknown === 'allow' || file.onUnknown === 'report') && file.unsafeAllowUnknown !== true) {
    fail(
      'onUnknown',
      file.onUnknown,
      'another policy, or unsafeAllowUnknown: true beside it, for it lets an agent go on',
    );
  }
  if (decideOn === 'confidenceUpper') {
    const { delta } = fields(file.confidence, 'confidence');
    if (!(number(delta, 'confidence.delta') > 0 && (delta as number) < 1))
      fail('confidence.delta', delta, 'a probability above 0 and below 1');
  }
  const period = file.samplingPeriodSeconds;
  if (period !== null && !(number(period, 'samplingPeriodSeconds') > 0)) {
    fail('samplingPeriodSeconds', period, 'null, or a positive number of seconds');
  }
  if (!(number(file.periodTolerance, 'periodTolerance') >= 0))
    fail('periodTolerance', file.periodTolerance, 'a number from 0 up');
  if (file.resample !== undefined && !(RESAMPLE_POLICIES as readonly unknown[]).includes(file.resample))
    fail('resample', file.resample, `one of ${RESAMPLE_POLICIES.join(', ')}, or nothing`);
  return value as GuardFile;
}

/** Returns the number of states. */
function checkStates(states: Fields, predicates: number): number {
  const words = Math.max(1, Math.ceil(predicates / 32));
  if (states.words !== words) fail('states.words', states.words, `${words} for ${predicates} predicates`);
  const draws = list(states.draws, 'states.draws');
  draws.forEach((draw, i) => {
    if (!(number(draw, `states.draws[${i}]`) >= 0)) fail(`states.draws[${i}]`, draw, 'a count from 0 up');
  });
  const valuations = listOf(
    states.valuations,
    'states.valuations',
    draws.length * words,
    `${words} for each of ${draws.length} states`,
  );
  const seen = new Set<string>();
  for (let s = 0; s < draws.length; s++) {
    for (let w = 0; w < words; w++) {
      const bits = Math.min(32, predicates - 32 * w);
      index(valuations[s * words + w], 'states.valuations', 2 ** bits, s * words + w);
    }
    const valuation = valuations.slice(s * words, (s + 1) * words).join();
    if (seen.has(valuation))
      fail(`states.valuations[${s * words}]`, valuation, 'a valuation that no other state has');
    seen.add(valuation);
  }
  return draws.length;
}

/** Returns the number of transitions. */
function checkSeen(seen: Fields, states: number): number {
  const columns = list(seen.columns, 'seen.columns');
  checkRows(seen.rowStart, 'seen.rowStart', states, columns.length, (start, end) => {
    for (let i = start; i < end; i++) {
      index(columns[i], 'seen.columns', states, i);
      if (i > start && (columns[i] as number) <= (columns[i - 1] as number)) {
        fail(`seen.columns[${i}]`, columns[i], `more than ${columns[i - 1]}: columns ascend within a row`);
      }
    }
  });
  return columns.length;
}

function checkActions(actions: Fields, states: number): void {
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
}

/** Compressed rows: `rowStart` ascends from 0 to the number of entries. */
function checkRows(
  value: unknown,
  path: Path,
  rows: number,
  entries: number,
  checkEntries: (from: number, to: number) => void,
): void {
  const rowStart = listOf(value, path, rows + 1, `one more than ${rows} rows`);
  if (rowStart[0] !== 0) fail(`${path}[0]`, rowStart[0], '0');
  for (let row = 0; row < rows; row++) {
    const from = rowStart[row] as number;
    const to = index(rowStart[row + 1], path, entries + 1, row + 1);
    if (to < from) fail(`${path}[${row + 1}]`, to, `at least ${from}`);
    checkEntries(from, to);
  }
  if (rowStart[rows] !== entries)
    fail(`${path}[${rows}]`, rowStart[rows], `${entries}, the number of columns`);
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

function checkDrift(drift: Fields, states: number, transitions: number): void {
  const rate = number(drift.falseAlarmRate, 'drift.falseAlarmRate');
  if (!(rate > 0 && rate < 1)) fail('drift.falseAlarmRate', rate, 'a probability above 0 and below 1');
  oneOf(drift.onDrift, 'drift.onDrift', ['report', 'inspect', 'stop']);
  const start = fields(drift.start, 'drift.start');
  const columns = list(start.columns, 'drift.start.columns');
  columns.forEach((column, i) => {
    if (index(column, 'drift.start.columns', states, i) <= ((columns[i - 1] as number) ?? -1))
      fail(`drift.start.columns[${i}]`, column, `more than ${columns[i - 1]}: columns ascend`);
  });
  const most = Number.MAX_SAFE_INTEGER;
  const counts = (value: unknown, path: Path, length: number, why: string): void =>
    listOf(value, path, length, why).forEach((count, i) => {
      if (index(count, path, most, i) === 0) fail(`${path}[${i}]`, count, 'a count from 1 up');
    });
  counts(start.counts, 'drift.start.counts', columns.length, 'one for each column');
  counts(drift.counts, 'drift.counts', transitions, 'one for each of seen.columns');
  listOf(drift.drawsSinceNew, 'drift.drawsSinceNew', states + 1, 'one more than states').forEach((n, i) => {
    index(n, 'drift.drawsSinceNew', most, i);
  });
}

/** Returns the rule's name. */
function checkRule(
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

function fields(value: unknown, path: Path): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(path, value, 'an object');
  return value as Fields;
}

function list(value: unknown, path: Path): readonly unknown[] {
  if (!Array.isArray(value)) fail(path, value, 'a list');
  return value as readonly unknown[];
}

function listOf(value: unknown, path: Path, length: number, why: string): readonly unknown[] {
  const items = list(value, path);
  if (items.length !== length) failAs(path, `${items.length} entries`, `${length} (${why})`);
  return items;
}

function text(value: unknown, path: Path): string {
  if (typeof value !== 'string') fail(path, value, 'text');
  return value as string;
}

function oneOf(value: unknown, path: Path, words: readonly string[]): string {
  if (!words.includes(value as string)) fail(path, value, `one of ${words.join(', ')}`);
  return value as string;
}

/** In long lists the path of an entry is put together only where it is wrong: `at` is its place in the list at `path`. */
function number(value: unknown, path: Path, at?: number): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) fail(entry(path, at), value, 'a finite number');
  return value as number;
}

function probability(value: unknown, path: Path, at?: number): number {
  const found = number(value, path, at);
  if (!(found >= 0 && found <= 1)) fail(entry(path, at), found, 'a probability in [0, 1]');
  return found;
}

function index(value: unknown, path: Path, limit: number, at?: number): number {
  const found = number(value, path, at);
  if (!Number.isInteger(found) || found < 0 || found >= limit)
    fail(entry(path, at), found, `a whole number from 0 to ${limit - 1}`);
  return found;
}

function entry(path: Path, at: number | undefined): Path {
  return at === undefined ? path : `${path}[${at}]`;
}

function fail(path: Path, found: unknown, expected: string): never {
  failAs(path, show(found), expected);
}

function failAs(path: Path, found: string, expected: string): never {
  throw new InvalidArgumentError(`guard file: ${path} is ${found}, expected ${expected}`);
}

function show(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return String(value);
  const shown = JSON.stringify(value) ?? typeof value;
  return shown.length > 60 ? `${shown.slice(0, 60)}…` : shown;
}
