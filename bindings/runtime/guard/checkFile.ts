import { NotSupportedError } from '../../base/errors.js';
import { RESAMPLE_POLICIES } from '../../observations/trace/index.js';
import { checkRule } from './checkRule.js';
import {
  type Fields,
  fail,
  failAs,
  fields,
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
import type { ModelParts } from './model/modelParts.js';
import { UNKNOWN_POLICIES, UNREADABLE_POLICIES } from './strategy.js';

const KEYS = [
  'format',
  'version',
  'specificationHash',
  'modelHash',
  'predicates',
  'learntPredicates',
  'words',
  'constraints',
  'trees',
  'states',
  'seen',
  'rules',
  'policies',
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
 *
 * @param model the checks of what only a guard of a model has; null exactly if `isOfRulesAlone`
 */
export function checkFile(value: unknown, model: ModelParts | null): GuardFile {
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
  if (file.words !== undefined) checkPhrases(fields(file.words, 'words'), predicates);
  const constraints = fields(file.constraints, 'constraints');
  for (const key of ['state', 'transition', 'end']) {
    if (constraints[key] !== undefined) text(constraints[key], `constraints.${key}`);
  }
  if (file.trees !== undefined) {
    const trees = fields(file.trees, 'trees');
    list(trees.predicates, 'trees.predicates');
    fields(trees.constraints, 'trees.constraints');
  }
  const { states: given, seen } = file;
  // The number of predicates that the states of the chain are made of.
  const learnt = model?.checkLearnt(file.learntPredicates, predicates.length) ?? predicates.length;
  const states = (model?.checkStates ?? checkNoStates)(fields(given, 'states'), fields(seen, 'seen'), learnt);
  const decideOn = oneOf(file.decideOn, 'decideOn', ['upper', 'confidenceUpper']);
  const rules = list(file.rules, 'rules');
  if (rules.length === 0 && file.policies === undefined) failAs('rules', 'empty', 'at least one rule');
  if (file.policies !== undefined) checkPolicies(fields(file.policies, 'policies'));
  const names = new Set<string>();
  rules.forEach((item, i) => {
    const rule = fields(item, `rules[${i}]`);
    const read = rule.tables === undefined ? predicates : predicates.slice(0, learnt);
    const verdict = checkRule(rule, `rules[${i}]`, read);
    if (rule.provenBy !== undefined && file.policies === undefined)
      fail(`rules[${i}].provenBy`, rule.provenBy, 'nothing, for the file has no policies');
    if (rule.tables !== undefined && model !== null)
      model.checkTables(rule.tables, `rules[${i}].tables`, states, verdict, decideOn === 'confidenceUpper');
    const name = rule.name as string;
    if (names.has(name)) fail(`rules[${i}].name`, name, 'a name that no other rule has');
    names.add(name);
  });
  if (model === null) checkRulesAlone(file, rules);
  else model.checkModel(file);
  checkFaults(file);
  if (file.tools !== undefined) checkTools(fields(file.tools, 'tools'));
  if (file.detectors !== undefined) checkDetectors(fields(file.detectors, 'detectors'));
  if (file.unsafeAllowUnknown !== undefined && typeof file.unsafeAllowUnknown !== 'boolean') {
    fail('unsafeAllowUnknown', file.unsafeAllowUnknown, 'true or false');
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

/** Checks what stands around the policies; what reads them checks them. */
function checkPolicies(policies: Fields): void {
  onlyKeys(policies, 'policies', ['hash', 'unproved', 'set']);
  text(policies.hash, 'policies.hash');
  if (policies.unproved !== undefined) oneOf(policies.unproved, 'policies.unproved', ['report']);
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

/** Whether a guard file says that it has no model; false also of what is no guard file. */
export function isOfRulesAlone(value: unknown): boolean {
  return (value as Partial<GuardFile> | null | undefined)?.modelHash === null;
}

const NOTHING = 'nothing, for the file has no model (modelHash: null)';

/** Without a model there is nothing to look up, and nothing that could be compared with the agent. */
function checkRulesAlone(file: Fields, rules: readonly unknown[]): void {
  for (const part of ['learntPredicates', 'actions', 'drift', 'confidence', 'durations', 'onIdle'])
    if (file[part] !== undefined) fail(part, file[part], NOTHING);
  rules.forEach((rule, i) => {
    const { tables } = rule as Fields;
    if (tables !== undefined) fail(`rules[${i}].tables`, tables, NOTHING);
  });
  if (file.decideOn !== 'upper') fail('decideOn', file.decideOn, '"upper", for there is no confidence');
}

/** Checks that a guard of rules alone has no states; returns their number. */
function checkNoStates(states: Fields, seen: Fields, predicates: number): number {
  checkWords(states, predicates);
  const draws = list(states.draws, 'states.draws');
  if (draws.length > 0) failAs('states.draws', `${draws.length} states`, NOTHING);
  listOf(states.valuations, 'states.valuations', 0, 'no states');
  listOf(seen.columns, 'seen.columns', 0, 'no states');
  const [first] = listOf(seen.rowStart, 'seen.rowStart', 1, 'one more than 0 rows');
  if (first !== 0) fail('seen.rowStart[0]', first, '0');
  return 0;
}

/** Checks the number of words of a valuation, and returns it. */
export function checkWords(states: Fields, predicates: number): number {
  const words = Math.max(1, Math.ceil(predicates / 32));
  if (states.words !== words) fail('states.words', states.words, `${words} for ${predicates} predicates`);
  return words;
}

function checkPhrases(words: Fields, predicates: readonly string[]): void {
  onlyKeys(words, 'words', predicates);
  for (const [name, said] of Object.entries(words)) {
    const path = `words.${name}`;
    const phrases = fields(said, path);
    onlyKeys(phrases, path, ['holds', 'not']);
    text(phrases.holds, `${path}.holds`);
    text(phrases.not, `${path}.not`);
  }
}
