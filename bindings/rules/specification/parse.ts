import { isMap, isScalar, type Node } from 'yaml';
import { InvalidArgumentError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import { withContext } from '../../base/words.js';
import { freePaths, parseExpression } from '../../languages/expression/index.js';
import {
  children,
  deriveAbstraction,
  type Formula,
  periodInSeconds,
  predicatesOf,
  windowInSteps,
} from '../../languages/logic/index.js';
import {
  type AbstractionDefinition,
  type ConstraintDefinitions,
  checkConstraint,
  type PredicateDefinition,
  requireNoAction,
} from '../../observations/abstraction/index.js';
import { RESAMPLE_POLICIES } from '../../observations/trace/index.js';
import { type DetectorDeclaration, DRIFT_POLICIES } from '../../runtime/guard/index.js';
import { checkDetected, parseDetectors } from './detectors.js';
import { type Entry, SpecificationDocument } from './document.js';
import { hashSpecification } from './hash.js';
import { checkActions, parseActions, tellsCallsApart } from './parseActions.js';
import { parseFaults } from './parseFaults.js';
import { POLICY_SECTIONS, readPolicies } from './parsePolicies.js';
import { parsePredicates } from './parsePredicates.js';
import type { ScriptSource } from './policyScripts.js';
import { expressionNode, parseWords } from './predicateEntries.js';
import { type ParsedRule, parseRule } from './rule.js';
import { constraintsOf, type RuleReader, type RuleSentences, withFormulas } from './ruleFormula.js';
import { POLICIES, parseTests } from './ruleTests.js';
import type { LearningSpecification, Specification } from './specification.js';
import { checkTools, parseTools } from './tools.js';

const topLevelKeys = [
  'version',
  'samplingPeriod',
  'periodTolerance',
  'resample',
  'tools',
  'detectors',
  'predicates',
  'constraints',
  'actions',
  'foresight',
  'shield',
  'rules',
  'learning',
  'onUnknown',
  'onUntried',
  'onUnreadable',
  'unsafeAllowUnknown',
  'onIdle',
  'decideOn',
  'confidence',
  'drift',
  'onDrift',
  ...POLICY_SECTIONS,
  'tests',
] as const;

const CONSTRAINTS = [
  'state',
  'transition',
  'end',
] as const satisfies readonly (keyof ConstraintDefinitions)[];

/**
 * Reads a specification from YAML or JSON text.
 *
 * @param options.source name of the file, for messages; default `specification`
 * @param options.readRule reads the sentences of rules (`english`): `readRule` of `foreguard/english`. Without it, a rule with a sentence needs its formula beside it, and is not
 * compared with it
 * @returns the specification with defaults filled in and inline comparisons of rules made into predicates
 * @throws ParseError with file, line and column of every problem and suggestions of the nearest known names; InvalidArgumentError if `text`
 * is not a string
 */
export function parseSpecification(
  text: string,
  options: { source?: string; readRule?: RuleReader } = {},
): Specification {
  return readSpecification(text, options);
}

/**
 * The same, of files whose policies are scripts, or have no conditions yet.
 *
 * @param options.drafts as of `parsePolicies`
 * @param options.scripts where scripts of policies come from; default: there are none
 */
export function readSpecification(
  text: string,
  options: { source?: string; drafts?: boolean; scripts?: ScriptSource; readRule?: RuleReader } = {},
): Specification {
  const source = options.source ?? 'specification';
  if (typeof text !== 'string') {
    throw new InvalidArgumentError(
      `${source}: expected the text of a specification, in YAML or JSON, but found ${text === null ? 'null' : `a value of type ${typeof text}`}: JSON.stringify makes text of an object`,
    );
  }
  const document = new SpecificationDocument(text, source);
  const top = document.entries(document.root, 'the specification', topLevelKeys);
  const value = (key: (typeof topLevelKeys)[number]): Node | null => top.get(key)?.value ?? null;

  const version = value('version');
  if (!isScalar(version) || version.value !== 1) {
    document.problem(version, 'version must be 1, the version of this format', 'version: 1');
  }
  const predicates = top.has('predicates') ? parsePredicates(document, value('predicates')) : [];
  const words = top.has('predicates') ? parseWords(document, value('predicates')) : {};
  const samplingPeriod = top.has('samplingPeriod') ? parsePeriod(document, value('samplingPeriod')) : null;
  const { rules, derived } = parseRules(document, top, {
    predicates,
    words,
    samplingPeriod,
    constraints: constraintsOf(document),
    readRule: options.readRule ?? null,
    isReadable: document.problems.length === 0,
  });
  for (const { name, formula, formulaNode } of rules) {
    document.attempt(formulaNode, () => checkWindows(name, formula, samplingPeriod));
  }
  const tools = top.has('tools') ? parseTools(document, value('tools')) : null;
  const detectors = top.has('detectors')
    ? parseDetectors(document, value('detectors'))
    : new Map<string, DetectorDeclaration>();
  if (document.problems.length === 0) {
    const named: Map<string, Entry> = top.has('predicates')
      ? document.entries(value('predicates'), 'predicates')
      : new Map();
    for (const predicate of predicates) {
      const node = expressionNode(document, predicate.name, named.get(predicate.name)?.value ?? null);
      if (tools !== null) checkTools(document, node, predicate, tools);
      checkDetected(document, node, predicate, detectors);
    }
    for (const predicate of derived) {
      const rule = rules.find(({ formula }) => predicatesOf(formula).includes(predicate.name));
      const node = rule?.formulaNode ?? null;
      if (tools !== null) checkTools(document, node, predicate, tools, false);
      checkDetected(document, node, predicate, detectors, false);
    }
  }
  const actions = top.has('actions') ? parseActions(document, value('actions')) : { told: {}, declared: {} };
  const learningOptions = parseLearning(document, top.get('learning'));
  const { learnt, exactPredicates } = splitPredicates([...predicates, ...derived], rules);
  const abstraction = {
    predicates: learnt,
    ...parseConstraints(document, top, learnt, exactPredicates),
    ...(top.has('actions') && learningOptions.model === 'mdp' && { actions: actions.told }),
  };
  if (document.problems.length === 0 && Object.keys(actions.declared).length > 0) {
    const all = [...predicates, ...derived];
    checkActions(document, value('actions'), actions.declared, all, abstraction.constraints, tools);
  }
  const foresight = parseForesight(document, top, Object.keys(actions.declared).length > 0);
  const faults = parseFaults(document, top);
  const policies = parsePolicySections(document, top, predicates, rules, tools, options);
  const shield = top.has('shield')
    ? (document.choice(value('shield'), 'shield', ['predict', 'budget', 'least']) ?? 'predict')
    : 'predict';
  const decideOn = top.has('decideOn')
    ? (document.choice(value('decideOn'), 'decideOn', ['upper', 'confidenceUpper']) ?? 'upper')
    : 'upper';
  const confidence = { delta: parseDelta(document, top.get('confidence')) };
  const drift = top.has('drift') ? parseDrift(document, value('drift')) : null;
  const onDrift = top.has('onDrift')
    ? (document.choice(value('onDrift'), 'onDrift', DRIFT_POLICIES) ?? 'report')
    : 'report';
  if (onDrift !== 'report' && !top.has('drift')) {
    document.problem(
      top.get('onDrift')?.key,
      `onDrift: ${onDrift} says what becomes of an agent that has changed, and nothing watches for it; add drift: { falseAlarmRate: 1e-3 }`,
      'drift',
    );
  }
  const periodTolerance = top.has('periodTolerance')
    ? document.number(
        value('periodTolerance'),
        'periodTolerance',
        'a fraction in [0, 1)',
        (x) => x >= 0 && x < 1,
      )
    : undefined;
  const resample = top.has('resample')
    ? (document.choice(value('resample'), 'resample', RESAMPLE_POLICIES) ?? 'error')
    : 'error';
  if (top.has('resample') && !top.has('samplingPeriod')) {
    document.problem(
      top.get('resample')?.key,
      'resample says what becomes of steps that are not a sampling period apart, and there is none; add one, e.g. samplingPeriod: 0.1s',
      'samplingPeriod',
    );
  }
  const hash = hashSpecification(withFormulas(document.content, rules));
  const learning = {
    ...learningOptions,
    period:
      samplingPeriod === null
        ? null
        : {
            seconds: periodInSeconds(samplingPeriod),
            tolerance: periodTolerance ?? 0.1,
            ...(resample !== 'error' && { resample }),
          },
    specificationHash: hash,
  };
  if (learning.model === 'mdp' && document.problems.length === 0) {
    refuseActions(document, value('predicates'), derived, rules, exactPredicates);
  }
  for (const key of ['actions', 'shield', 'onIdle', 'onUntried'] as const) {
    if (learning.model === 'mdp' || !top.has(key)) continue;
    if (key === 'actions' && !tellsCallsApart(actions)) continue;
    document.problem(
      top.get(key)?.key,
      `${key} is about the actions of a decision process, and a chain knows none; add learning: { model: mdp }`,
      'learning: { model: mdp }',
    );
  }
  const judging = [value('rules'), value('policies')];
  const tests = top.has('tests') ? parseTests(document, value('tests'), judging, rules) : [];
  document.throwProblems();
  return {
    source,
    abstraction,
    exactPredicates,
    words,
    tools,
    detectors,
    declaredActions: actions.declared,
    foresight,
    rules,
    learning,
    shield,
    ...faults,
    onIdle: top.has('onIdle') ? parseIdle(document, value('onIdle')) : { kind: 'stop' },
    decideOn,
    confidence,
    drift,
    onDrift,
    samplingPeriod,
    samplingPeriodSeconds: samplingPeriod === null ? null : periodInSeconds(samplingPeriod),
    periodTolerance: periodTolerance ?? 0.1,
    resample,
    policies,
    tests,
    hash,
  };
}

/** Whether calls are judged by what is declared of them; null if that is not said. */
function parseForesight(
  document: SpecificationDocument,
  top: ReadonlyMap<string, Entry>,
  isDeclared: boolean,
): 'rules' | 'all' | null {
  const entry = top.get('foresight');
  if (entry === undefined) return null;
  const choice = document.choice(entry.value, 'foresight', ['rules', 'all']) ?? null;
  if (!isDeclared)
    document.problem(
      entry.key,
      'foresight judges calls by what is declared of them, and nothing is; declare what tools do: actions: { TOOL: { sets: PREDICATE } }',
      'actions',
    );
  if (top.has('samplingPeriod'))
    document.problem(
      entry.key,
      'foresight takes each call as a step, and under a samplingPeriod steps are not calls; leave one of them out',
      'foresight without samplingPeriod',
    );
  return choice;
}

/** Parses a sampling period (`0.1s`, `100ms`, `1/30 s`, `30 Hz`) into seconds, exactly, as a decimal or a quotient. */
function parsePeriod(document: SpecificationDocument, node: Node | null): string | null {
  const expected = 'a positive duration or rate such as 0.1s, 100ms, 1/30 s or 30 Hz';
  const text = isScalar(node) ? String(node.value) : '';
  const match = /^(\d+(?:\.\d+)?)(?:\s*\/\s*(\d+(?:\.\d+)?))?\s*(s|ms|Hz)$/.exec(text.trim());
  if (!match || Number(match[1]) <= 0 || Number(match[2] ?? 1) <= 0) {
    document.problem(node, `samplingPeriod must be ${expected}, found "${text}"`, expected);
    return null;
  }
  const [, above, below = '1', unit] = match;
  if (unit === 's') return below === '1' ? above : `${above}/${below}`;
  if (unit === 'Hz') return `${below}/${above}`;
  if (below !== '1') return `${above}/${below}e3`;
  const [whole, fraction = ''] = above.split('.');
  const digits = whole.padStart(4, '0');
  return `${digits.slice(0, -3)}.${digits.slice(-3)}${fraction}`;
}

function parseConstraints(
  document: SpecificationDocument,
  top: Map<string, Entry>,
  predicates: readonly PredicateDefinition[],
  exact: readonly PredicateDefinition[],
): Pick<AbstractionDefinition, 'constraints'> {
  const entry = top.get('constraints');
  if (!entry) return {};
  const names = predicates.map(({ name }) => name);
  const constraints: Partial<Record<keyof ConstraintDefinitions, string>> = {};
  for (const [kind, { value }] of document.entries(entry.value, 'constraints', CONSTRAINTS)) {
    const text = document.text(value, `constraint "${kind}"`);
    if (text === undefined) continue;
    const known = kind as (typeof CONSTRAINTS)[number];
    constraints[known] = text;
    document.attempt(value, () => {
      checkConstraint(known, text, [...names, ...exact.map(({ name }) => name)]);
      const read = freePaths(parseExpression(text)).flatMap(({ path }) => path.split('.'));
      const only = exact.find(({ name }) => read.includes(name));
      if (only === undefined) return;
      document.problem(
        value,
        `constraint "${kind}" reads "${only.name}", which exact rules alone read, and constraints are about what is learnt; leave it out of the constraint`,
      );
    });
  }
  return { constraints };
}

function parseRules(
  document: SpecificationDocument,
  top: Map<string, Entry>,
  sentences: RuleSentences,
): { rules: ParsedRule[]; derived: readonly PredicateDefinition[] } {
  const { predicates } = sentences;
  const entry = top.get('rules');
  if (!entry) {
    if (top.has('policies')) return { rules: [], derived: [] };
    // A misspelt key is the likelier cause, and is already reported.
    if (document.problems.length === 0)
      document.problem(document.root, 'the specification has no rules, and no policies', 'rules');
    return { rules: [], derived: [] };
  }
  const rules: ParsedRule[] = [];
  for (const [name, rule] of document.entries(entry.value, 'rules')) {
    const parsed = parseRule(document, name, rule, sentences);
    if (parsed) rules.push(parsed);
  }
  if (document.problems.length === 0 && rules.length === 0)
    document.problem(entry.key, 'rules is empty', 'a rule');

  // Inline comparisons become predicates of the abstraction, named by their text, unless an existing predicate is the same.
  const { predicates: derived, formulas } = deriveAbstraction(
    rules.map(({ formula }) => formula),
    document.problems.length === 0 ? predicates : predicates.map(({ name }) => name),
  );
  const known = [...predicates, ...derived].map(({ name }) => name);
  const bound = rules.map((rule, i) => ({ ...rule, formula: formulas[i] }));
  for (const rule of bound) {
    for (const name of predicatesOf(rule.formula)) {
      // The path of a PCTL rule continues in `end`; a rule on traces does not read it.
      if (name === 'end' && rule.formula.kind === 'probability') continue;
      if (!known.includes(name))
        unknownPredicate(document, rule.formulaNode, `rule "${rule.name}"`, name, known);
    }
  }
  return { rules: bound, derived };
}

/** The policies; their names are none of a rule, since both are what decided, and their tools are among those that are listed. */
function parsePolicySections(
  document: SpecificationDocument,
  top: Map<string, Entry>,
  predicates: readonly PredicateDefinition[],
  rules: readonly ParsedRule[],
  tools: Specification['tools'],
  options: { readonly drafts?: boolean; readonly scripts?: ScriptSource },
): Specification['policies'] {
  const policies = readPolicies(document, top, predicates, options);
  if (policies === null) return null;
  const named = document.entries(top.get('policies')?.value ?? null, 'policies');
  for (const { name, tools: decided } of policies.set.policies) {
    const { key, value } = named.get(name) as Entry;
    if (rules.some((rule) => rule.name === name) || name === POLICIES)
      document.problem(
        key,
        `policy "${name}" has the name of ${name === POLICIES ? 'all policies' : 'a rule'}; give it another`,
      );
    for (const tool of tools === null ? [] : decided) {
      if (tools?.has(tool)) continue;
      const nearest = nearestName(tool, [...(tools?.keys() ?? [])]);
      document.problem(
        value,
        `policy "${name}" decides calls of "${tool}", which is not among tools${nearest ? `; did you mean "${nearest}"?` : ''}`,
        'tools',
      );
    }
  }
  return policies;
}

/** Divides predicates into those that are learnt and those that only exact rules read. */
function splitPredicates(
  predicates: readonly PredicateDefinition[],
  rules: readonly ParsedRule[],
): { learnt: PredicateDefinition[]; exactPredicates: PredicateDefinition[] } {
  const readBy = (exact: boolean): Set<string> =>
    new Set(rules.filter((rule) => rule.exact === exact).flatMap(({ formula }) => predicatesOf(formula)));
  const [byExact, byOthers] = [readBy(true), readBy(false)];
  const isExact = ({ name }: PredicateDefinition): boolean => byExact.has(name) && !byOthers.has(name);
  return {
    learnt: predicates.filter((predicate) => !isExact(predicate)),
    exactPredicates: predicates.filter(isExact),
  };
}

/** `stop`, `ask`, or the name of the action to take instead. */
function parseIdle(document: SpecificationDocument, node: Node | null): Specification['onIdle'] {
  const text = document.text(node, 'onIdle');
  if (text === undefined || text === 'stop') return { kind: 'stop' };
  return text === 'ask' ? { kind: 'inspect' } : { kind: 'replace', action: text };
}

function parseDrift(document: SpecificationDocument, node: Node | null): Specification['drift'] {
  const expected = 'a probability above 0 and below 1, such as 1e-3';
  const rate = document.entries(node, 'drift', ['falseAlarmRate']).get('falseAlarmRate');
  if (rate === undefined) {
    document.problem(node, `drift needs falseAlarmRate, ${expected}`, 'falseAlarmRate: 1e-3');
    return null;
  }
  const falseAlarmRate = document.number(
    rate.value,
    'drift: falseAlarmRate',
    expected,
    (x) => x > 0 && x < 1,
  );
  return falseAlarmRate === undefined ? null : { falseAlarmRate };
}

/** Reports each predicate of a decision process that reads the action. */
function refuseActions(
  document: SpecificationDocument,
  predicates: Node | null,
  derived: readonly PredicateDefinition[],
  rules: readonly ParsedRule[],
  exact: readonly PredicateDefinition[],
): void {
  const isExact = (predicate: string): boolean => exact.some(({ name }) => name === predicate);
  if (isMap(predicates)) {
    for (const [name, { value }] of document.entries(predicates, 'predicates')) {
      if (isExact(name)) continue;
      const source = expressionNode(document, name, value);
      const expression = isScalar(source) ? String(source.value) : 'false';
      document.attempt(source, () => requireNoAction({ name, expression }));
    }
  }
  for (const predicate of derived) {
    if (isExact(predicate.name)) continue;
    const rule = rules.find(({ formula }) => predicatesOf(formula).includes(predicate.name));
    try {
      requireNoAction(predicate);
    } catch (error) {
      // The place lies in the comparison, which is somewhere in the formula.
      document.problem(rule?.formulaNode, (error as Error).message);
    }
  }
}

/** @throws InvalidArgumentError on a window that contains no step, or in time units without a sampling period. */
function checkWindows(rule: string, formula: Formula, samplingPeriod: string | null): void {
  try {
    if ('window' in formula) windowInSteps(formula.window, samplingPeriod ?? undefined);
  } catch (error) {
    throw withContext(error, `rule "${rule}"`);
  }
  for (const part of children(formula)) checkWindows(rule, part, samplingPeriod);
}

function unknownPredicate(
  document: SpecificationDocument,
  node: Node | null,
  where: string,
  name: string,
  known: readonly string[],
): void {
  const nearest = nearestName(name, known);
  const hint = nearest ? `did you mean "${nearest}"?` : `known predicates: ${known.join(', ') || 'none'}`;
  document.problem(node, `${where} speaks of "${name}", which is not a predicate; ${hint}`, known.join(', '));
}

function parseDelta(document: SpecificationDocument, entry: Entry | undefined): number {
  const delta = entry && document.entries(entry.value, 'confidence', ['delta']).get('delta');
  const found =
    delta &&
    document.number(delta.value, 'confidence: delta', 'a number above 0 and below 1', (x) => x > 0 && x < 1);
  return found ?? 0.05;
}

function parseLearning(
  document: SpecificationDocument,
  entry: Entry | undefined,
): Omit<LearningSpecification, 'specificationHash' | 'period'> {
  const keys = ['model', 'smoothing', 'states', 'onContradiction'];
  const entries = entry ? document.entries(entry.value, 'learning', keys) : new Map<string, Entry>();
  const choice = <T extends string>(key: string, words: readonly [T, ...T[]]): T => {
    const found = entries.get(key);
    return found ? (document.choice(found.value, `learning: ${key}`, words) ?? words[0]) : words[0];
  };
  const smoothing = entries.get('smoothing');
  const alpha = smoothing
    ? document.number(
        smoothing.value,
        'learning: smoothing',
        'a number from 0 up',
        (x) => x >= 0 && x < Infinity,
      )
    : 1;
  return {
    model: choice('model', ['dtmc', 'mdp']),
    smoothing: alpha ?? 1,
    states: choice('states', ['observed', 'valid']),
    onContradiction: choice('onContradiction', ['error', 'dropTrace', 'accept']),
  };
}
