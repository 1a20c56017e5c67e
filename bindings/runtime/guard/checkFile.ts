import { NotSupportedError } from '../../base/errors.js';
import { RESAMPLE_POLICIES } from '../../observations/trace/index.js';
import { checkRule } from './checkRule.js';
import {
  checkRows,
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
  show,
  text,
} from './checks.js';
import { checkDetectors } from './detectors.js';
import type { GuardFile } from './guardFile.js';
import { UNKNOWN_POLICIES, UNREADABLE_POLICIES } from './strategy.js';

const KEYS = [
  'format',
  'version',
  'specificationHash',
  'modelHash',
  'predicates',
  'constraints',
  'trees',
  'states',
  'seen',
  'rules',
  'durations',
  'actions',
  'drift',
  'onUnknown',
  'onUntried',
  'onUnreadable',
  'tools',
  'detectors',
  'onIdle',
  'unsafeAllowUnknown',
  'decideOn',
  'confidence',
  'samplingPeriodSeconds',
  'periodTolerance',
  'resample',
];

/**
 * Checks the parts that every guard file has, so that no step needs a check: versions, lengths, ranges, references, NaN. Predicates and constraints are
 * compiled only by the guard; `checkActions` and `checkDrift` check the optional parts.
 */
export function checkFile(value: unknown): GuardFile {
  const file = fields(value, 'the file');
  if (file.format !== 'foreguard-guard') {
    fail('format', file.format, '"foreguard-guard"; `foreguard compile` writes guard files');
  }
  if (file.version !== 2) {
    throw new NotSupportedError(
      `guard file: version is ${show(file.version)}, and this release reads version 2; compile the guard again, with \`foreguard compile\` and the specification and the model that it was made of`,
    );
  }
  onlyKeys(file, 'the file', KEYS);
  text(file.specificationHash, 'specificationHash');
  if (file.modelHash !== null) text(file.modelHash, 'modelHash');
  const predicates = list(file.predicates, 'predicates').map((item, i) => {
    const { name, expression } = fields(item, `predicates[${i}]`);
    text(expression, `predicates[${i}].expression`);
    return text(name, `predicates[${i}].name`);
  });
  const constraints = fields(file.constraints, 'constraints');
  for (const key of ['state', 'transition', 'end']) {
    if (constraints[key] !== undefined) text(constraints[key], `constraints.${key}`);
  }
  if (file.trees !== undefined) {
    const trees = fields(file.trees, 'trees');
    list(trees.predicates, 'trees.predicates');
    fields(trees.constraints, 'trees.constraints');
  }
  const states = checkStates(fields(file.states, 'states'), predicates.length);
  checkSeen(fields(file.seen, 'seen'), states);
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
  if (file.modelHash === null) checkRulesAlone(file, states, rules);
  if (file.durations !== undefined) {
    for (const [duration, steps] of Object.entries(fields(file.durations, 'durations')))
      index(steps, `durations.${duration}`, Number.MAX_SAFE_INTEGER);
  }
  checkFaults(file);
  if (file.tools !== undefined) checkTools(fields(file.tools, 'tools'));
  if (file.detectors !== undefined) checkDetectors(fields(file.detectors, 'detectors'));
  if (file.unsafeAllowUnknown !== undefined && typeof file.unsafeAllowUnknown !== 'boolean') {
    fail('unsafeAllowUnknown', file.unsafeAllowUnknown, 'true or false');
  }
  if (file.onIdle !== undefined) {
    const { kind, action } = fields(file.onIdle, 'onIdle');
    if (oneOf(kind, 'onIdle.kind', ['stop', 'inspect', 'replace']) === 'replace')
      text(action, 'onIdle.action');
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

/** The settings for what is untried, unknown or unreadable. */
function checkFaults(file: Fields): void {
  oneOf(file.onUnknown, 'onUnknown', UNKNOWN_POLICIES);
  if (file.onUntried !== undefined) {
    oneOf(file.onUntried, 'onUntried', UNKNOWN_POLICIES);
    if (file.actions === undefined)
      fail('onUntried', file.onUntried, 'nothing, for the file has no actions that data could lack');
  }
  if (file.onUnreadable !== undefined) oneOf(file.onUnreadable, 'onUnreadable', UNREADABLE_POLICIES);
  for (const key of ['onUnknown', 'onUntried']) {
    if ((file[key] !== 'allow' && file[key] !== 'report') || file.unsafeAllowUnknown === true) continue;
    fail(key, file[key], 'another policy, or unsafeAllowUnknown: true beside it, for it lets an agent go on');
  }
}

function checkTools(tools: Fields): void {
  for (const [name, item] of Object.entries(tools)) {
    const path = `tools.${name}`;
    const tool = fields(item, path);
    onlyKeys(tool, path, ['safe']);
    if (tool.safe !== undefined && typeof tool.safe !== 'boolean')
      fail(`${path}.safe`, tool.safe, 'true or false');
  }
}

/** Without a model there is nothing to look up, and nothing that could be compared with the agent. */
function checkRulesAlone(file: Fields, states: number, rules: readonly unknown[]): void {
  const expected = 'nothing, for the file has no model (modelHash: null)';
  if (states > 0) failAs('states.draws', `${states} states`, expected);
  for (const part of ['actions', 'drift', 'confidence', 'durations', 'onIdle'])
    if (file[part] !== undefined) fail(part, file[part], expected);
  rules.forEach((rule, i) => {
    const { tables } = rule as Fields;
    if (tables !== undefined) fail(`rules[${i}].tables`, tables, expected);
  });
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

function checkSeen(seen: Fields, states: number): void {
  const columns = list(seen.columns, 'seen.columns');
  checkRows(seen.rowStart, 'seen.rowStart', states, columns.length, (start, end) => {
    for (let i = start; i < end; i++) {
      index(columns[i], 'seen.columns', states, i);
      if (i > start && (columns[i] as number) <= (columns[i - 1] as number)) {
        fail(`seen.columns[${i}]`, columns[i], `more than ${columns[i - 1]}: columns ascend within a row`);
      }
    }
  });
}
