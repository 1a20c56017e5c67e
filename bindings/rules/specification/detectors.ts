import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { ParseError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import { parseExpression, pathsRead } from '../../languages/expression/index.js';
import type { PredicateDefinition } from '../../observations/abstraction/index.js';
import {
  areAnswers,
  DETECTED_ON,
  type DetectorAnswer,
  type DetectorDeclaration,
  LONGEST_ANSWER,
  MOST_ANSWERS,
} from '../../runtime/guard/index.js';
import { describeNode, type SpecificationDocument } from './document.js';

const EXPECTED = `boolean, number, or a list of up to ${MOST_ANSWERS} different texts of up to ${LONGEST_ANSWER} characters`;

/** `detectors: { secrets: boolean, injection: { answer: [none, some], on: results } }` */
export function parseDetectors(
  document: SpecificationDocument,
  node: Node | null,
): ReadonlyMap<string, DetectorDeclaration> {
  const detectors = new Map<string, DetectorDeclaration>();
  for (const [name, { key, value }] of document.entries(node, 'detectors')) {
    const what = `detector "${name}"`;
    if (!/^[A-Za-z]\w*$/.test(name))
      document.problem(
        key,
        `${what} cannot be read by predicates; expected a name such as secrets`,
        'secrets',
      );
    const entries = isMap(value) ? document.entries(value, what, ['answer', 'on']) : null;
    const answer = answerOf(
      document,
      entries === null ? value : (entries.get('answer')?.value ?? null),
      what,
    );
    const on = entries?.get('on');
    detectors.set(name, {
      answer,
      on: (on && document.choice(on.value, `${what}: on`, DETECTED_ON)) ?? 'arguments',
    });
  }
  return detectors;
}

function answerOf(document: SpecificationDocument, node: Node | null, what: string): DetectorAnswer {
  if (isScalar(node) && (node.value === 'boolean' || node.value === 'number')) return node.value;
  const texts: unknown = isSeq(node) ? document.json(node, what) : null;
  if (Array.isArray(texts) && areAnswers(texts)) return texts;
  const found = isSeq(node) ? 'a list that is not of such texts' : describeNode(node);
  document.problem(node, `${what} answers ${found}; expected ${EXPECTED}`, 'boolean');
  return 'boolean';
}

const READ = /^(action\.detected|lastDetected|history\[\]\.detected)\.([^.[]+)/;

/**
 * Reports the detectors that a predicate reads and the specification does not declare.
 *
 * @param isWhole whether the node's text is the predicate, so that places within it can be told
 */
export function checkDetected(
  document: SpecificationDocument,
  node: Node | null,
  { name, expression: source }: PredicateDefinition,
  detectors: ReadonlyMap<string, DetectorDeclaration>,
  isWhole = true,
): void {
  const expression = parseExpression(source, { name: `predicate "${name}"` });
  for (const { path, place } of pathsRead(expression)) {
    const [, where, detector] = READ.exec(path) ?? [];
    if (detector === undefined) continue;
    const message = complaint(where, detector, detectors);
    if (message === null) continue;
    if (isWhole)
      document.attempt(node, () => {
        throw new ParseError(message, { source: expression.name, line: place.line, column: place.column });
      });
    else document.problem(node, message);
  }
}

function complaint(
  where: string,
  detector: string,
  detectors: ReadonlyMap<string, DetectorDeclaration>,
): string | null {
  const found = detectors.get(detector);
  if (found === undefined) {
    const nearest = nearestName(detector, detectors.keys());
    const hint =
      nearest === undefined
        ? `add detectors: { ${detector}: boolean }${detectors.size > 0 ? `; known: ${[...detectors.keys()].join(', ')}` : ''}`
        : `did you mean "${nearest}"?`;
    return `found ${where}.${detector}, and detectors declares no "${detector}"; ${hint}`;
  }
  if (where !== 'action.detected' || found.on === 'arguments') return null;
  return `found ${where}.${detector}, which looks at results: a call that is proposed has none; read lastDetected.${detector}`;
}
