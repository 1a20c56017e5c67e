import { isMap, isScalar, type Node } from 'yaml';
import type { AtEnd } from '../../languages/automaton/index.js';
import type { Formula } from '../../languages/logic/index.js';
import {
  checkMessage,
  type Level,
  type RuleMessage,
  STRATEGY_KINDS,
  type Strategy,
} from '../../runtime/guard/index.js';
import type { Entry, SpecificationDocument } from './document.js';
import { parseRuleFormula, type RuleSentences } from './ruleFormula.js';
import type { RuleSpecification } from './specification.js';
import { checkTranslated } from './translatedRule.js';

const ruleKeys = [
  'formula',
  'english',
  'translated',
  'confirmed',
  'threshold',
  'minimumSafe',
  'levels',
  'strategy',
  'escalate',
  'maxReflections',
  'atEnd',
  'afterViolation',
  'onFailure',
  'horizonSteps',
  'exact',
  'shadow',
  'message',
] as const;

const stop: Strategy = { kind: 'stop' };

/** PCTL's bound, read as the safety that must hold: P<t and P<=t bound the bad event; P>=t and P>t bound the good one. */
const comparisons = { '<': 'risk>=', '<=': 'risk>', '>=': 'safety<', '>': 'safety<=' } as const;

/** A rule before its inline comparisons have become predicates. */
export interface ParsedRule extends RuleSpecification {
  readonly formulaNode: Node;
}

/** Reads one rule; records problems in the document. Undefined if the formula cannot be read. */
export function parseRule(
  document: SpecificationDocument,
  name: string,
  entry: Entry,
  sentences: RuleSentences,
): ParsedRule | undefined {
  const what = `rule "${name}"`;
  const before = document.problems.length;
  if (isScalar(entry.value) && typeof entry.value.value === 'string') {
    const { value } = entry.value;
    document.problem(
      entry.value,
      `${what} is a text; expected { formula: ${JSON.stringify(value)} }`,
      'a mapping',
    );
    return undefined;
  }
  const entries = document.entries(entry.value, what, ruleKeys);
  // A misspelt key already explains why the right one is missing.
  const misspelt = document.problems.length > before;
  if (!entries.has('formula') && !entries.has('english')) {
    if (!misspelt)
      document.problem(entry.key, `${what} has no formula`, 'formula, or english with a sentence');
    return undefined;
  }
  const said = parseRuleFormula(document, what, entries, sentences);
  if (!said) return undefined;
  const { formula, formulaNode } = said;

  const read = <T>(
    key: (typeof ruleKeys)[number],
    otherwise: T,
    reader: (node: Node | null, what: string) => T | undefined,
  ): T => {
    const found = entries.get(key);
    return found ? (reader(found.value, `${what}: ${key}`) ?? otherwise) : otherwise;
  };
  const strategy = read('strategy', stop, (node, place) => parseStrategy(document, node, place));
  const escalate = read('escalate', [stop], (node, place) => parseEscalation(document, node, place));
  const levels =
    formula.kind === 'probability'
      ? levelOfProperty(document, formulaNode, formula, entries, strategy, what)
      : parseLevels(document, entry.key, entries, strategy, what, misspelt);
  const exact = read('exact', false, (node, place) => document.boolean(node, place));
  if (exact) refuseRisk(document, entries, formula, what);
  const shadow = levels.length > 0 && levels.every((level) => level.strategy.kind === 'report');
  const isShadowed = read('shadow', false, (node, place) => document.boolean(node, place));
  const { predicates, samplingPeriod } = sentences;
  checkTranslated(document, what, entries, {
    formula,
    shadow: shadow || isShadowed,
    predicates: predicates.map((predicate) => predicate.name),
    samplingPeriod,
  });
  return {
    name,
    ...said,
    levels,
    escalate,
    maxReflections: read('maxReflections', 2, (node, place) => count(document, node, place, 0)),
    atEnd: read<AtEnd>('atEnd', hasWindow(formula) ? 'weak' : 'strong', (node, place) =>
      document.choice(node, place, ['strong', 'weak']),
    ),
    // A rule in shadow mode only records, after a violation too.
    afterViolation: read('afterViolation', shadow ? { kind: 'report' } : stop, (node, place) =>
      parseStrategy(document, node, place),
    ),
    onFailure: read('onFailure', stop, (node, place) => parseStrategy(document, node, place)),
    exact,
    horizonSteps: read<number | null>('horizonSteps', null, (node, place) => count(document, node, place, 1)),
    message: read<RuleMessage | null>('message', null, (node, place) => parseMessage(document, node, place)),
    shadow: isShadowed,
    namesStrategy: entries.has('strategy') || entries.has('levels'),
  };
}

/** Reports what speaks of a risk beside `exact: true`. */
function refuseRisk(
  document: SpecificationDocument,
  entries: Map<string, Entry>,
  formula: Formula,
  what: string,
): void {
  if (formula.kind === 'probability') {
    document.problem(
      entries.get('exact')?.key,
      `${what}: exact: true enforces a rule by its automaton, and a rule P…[ ] bounds a probability, which takes a model; leave exact out`,
    );
  }
  for (const key of ['threshold', 'minimumSafe', 'levels', 'horizonSteps']) {
    const found = entries.get(key);
    if (found === undefined) continue;
    document.problem(
      found.key,
      `${what}: ${key} is about a risk, and of an exact rule none is predicted; write a second rule of the same formula with ${key} and without exact, whose predicates are then learnt`,
    );
  }
}

/** A text for both, or `{ people: …, agent: … }`. */
function parseMessage(
  document: SpecificationDocument,
  node: Node | null,
  what: string,
): RuleMessage | undefined {
  const read = (said: Node | null, place: string): string | undefined => {
    const text = document.text(said, place);
    if (text === undefined || document.attempt(said, () => checkMessage(text) ?? true) === undefined)
      return undefined;
    return text.replace(/\s+/g, ' ').trim();
  };
  if (!isMap(node)) {
    const text = read(node, what);
    return text === undefined ? undefined : { people: text, agent: text };
  }
  const entries = document.entries(node, what, ['people', 'agent']);
  const message: { people?: string; agent?: string } = {};
  for (const whom of ['people', 'agent'] as const) {
    const entry = entries.get(whom);
    const text = entry && read(entry.value, `${what}: ${whom}`);
    if (text !== undefined) message[whom] = text;
  }
  if (entries.size === 0) document.problem(node, `${what} says nothing`, 'people, agent, or a text for both');
  return message;
}

function count(
  document: SpecificationDocument,
  node: Node | null,
  what: string,
  least: number,
): number | undefined {
  return document.number(
    node,
    what,
    `a whole number from ${least} up`,
    (value) => Number.isSafeInteger(value) && value >= least,
  );
}

/** `stop`, `{ replace: brake }`, … */
function parseStrategy(
  document: SpecificationDocument,
  node: Node | null,
  what: string,
): Strategy | undefined {
  if (isMap(node)) {
    const replace = document.entries(node, what, ['replace']).get('replace');
    const action = replace && document.text(replace.value, `${what}: replace`);
    return action === undefined ? undefined : { kind: 'replace', action };
  }
  if (isScalar(node) && node.value === 'replace') {
    document.problem(node, `${what}: replace needs the action to run instead`, '{ replace: ACTION }');
    return undefined;
  }
  const kind = document.choice(node, what, STRATEGY_KINDS);
  return kind === undefined || kind === 'replace' ? undefined : { kind };
}

/** The strategies after reflection has failed; reflecting again is not allowed. */
function parseEscalation(document: SpecificationDocument, node: Node | null, what: string): Strategy[] {
  return document.items(node, what).flatMap((item) => {
    const strategy = parseStrategy(document, item, what);
    if (strategy?.kind === 'reflect')
      document.problem(item, `${what}: reflect is what escalates; name what comes after it`);
    return strategy ?? [];
  });
}

function probability(document: SpecificationDocument, node: Node | null, what: string): number | undefined {
  return document.number(node, what, 'a probability in [0, 1]', (value) => value >= 0 && value <= 1);
}

function parseLevels(
  document: SpecificationDocument,
  rule: Node,
  entries: Map<string, Entry>,
  strategy: Strategy,
  what: string,
  misspelt: boolean,
): Level[] {
  const given = ['threshold', 'minimumSafe', 'levels'].filter((key) => entries.has(key));
  if (given.length === 0) return misspelt ? [] : [{ threshold: { compare: 'risk>=', value: 1 }, strategy }];
  if (given.length > 1) {
    document.problem(
      rule,
      `${what} may have one of threshold, minimumSafe, levels; found ${given.join(' and ')}`,
      'threshold, minimumSafe or levels',
    );
    return [];
  }
  const node = entries.get(given[0])?.value ?? null;
  const place = `${what}: ${given[0]}`;
  if (given[0] !== 'levels') {
    const value = probability(document, node, place);
    if (value === undefined) return [];
    return [{ threshold: { compare: given[0] === 'threshold' ? 'risk>=' : 'safety<', value }, strategy }];
  }
  if (entries.has('strategy')) {
    document.problem(entries.get('strategy')?.key, `${what}: with levels, each level names its own strategy`);
  }
  const levels: Level[] = [];
  for (const item of document.items(node, place)) {
    const level = document.entries(item, place, ['threshold', 'strategy']);
    const value = probability(document, level.get('threshold')?.value ?? null, `${place}: threshold`);
    const own = parseStrategy(document, level.get('strategy')?.value ?? null, `${place}: strategy`);
    if (value !== undefined && own) levels.push({ threshold: { compare: 'risk>=', value }, strategy: own });
  }
  if (levels.length === 0) document.problem(node, `${place} is empty`, 'at least one level');
  return levels.sort((a, b) => a.threshold.value - b.threshold.value);
}

/** The level of a PCTL rule, given by its own threshold. */
function levelOfProperty(
  document: SpecificationDocument,
  node: Node,
  formula: Formula & { kind: 'probability' },
  entries: Map<string, Entry>,
  strategy: Strategy,
  what: string,
): Level[] {
  for (const key of ['threshold', 'minimumSafe', 'levels', 'atEnd']) {
    const found = entries.get(key);
    if (found) document.problem(found.key, `${what}: ${key} does not go with P…[ ], which says it itself`);
  }
  if (formula.bound === null) {
    document.problem(
      node,
      `${what}: P=? asks a question; a rule needs a bound`,
      'for example P<0.1 [ F unsafe ]',
    );
    return [];
  }
  const { operator, threshold } = formula.bound;
  return [{ threshold: { compare: comparisons[operator], value: threshold }, strategy }];
}

function hasWindow(formula: Formula): boolean {
  switch (formula.kind) {
    case 'unary':
    case 'count':
      return formula.window !== null || hasWindow(formula.operand);
    case 'binary':
      return formula.window !== null || hasWindow(formula.left) || hasWindow(formula.right);
    case 'not':
      return hasWindow(formula.operand);
    case 'and':
    case 'or':
    case 'implies':
    case 'iff':
      return hasWindow(formula.left) || hasWindow(formula.right);
    case 'probability':
      return hasWindow(formula.path);
    default:
      return false;
  }
}
