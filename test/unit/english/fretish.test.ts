import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../../bindings/base/errors.js';
import {
  and,
  binary,
  lastStep,
  not,
  or,
  predicate,
  unary,
} from '../../../bindings/languages/english/core/index.js';
import { readFretish } from '../../../bindings/languages/english/index.js';
import {
  type Formula,
  mapChildren,
  parseFormula,
  printFormula,
} from '../../../bindings/languages/logic/index.js';
import { difference } from './difference.js';

interface Record {
  readonly id: string;
  readonly sentence: string;
  readonly finite: string;
  readonly past: string;
  readonly scope: { readonly type: string };
  readonly condition: string;
  readonly timing: string;
}

const file = new URL('../../../../shared/data/language/fret-requirements.json', import.meta.url);
const { records } = JSON.parse(readFileSync(file, 'utf8')) as { records: Record[] };

/** FRET's own notation as a formula: V is release, Z is weak yesterday, LAST the last step. */
function fromFret(text: string): Formula {
  const rule = text
    .replaceAll('LAST', '(!(X true))')
    .replaceAll('TRUE', 'true')
    .replace(/ V /g, ' R ')
    .replace(/\(Z /g, '(WY ')
    .replace(/(\w+) = (\w+)/g, '$1 == $2');
  return parseFormula(rule);
}

/** Comparisons as predicates that they name. */
function plain(formula: Formula): Formula {
  if (formula.kind === 'comparison') return predicate(formula.source);
  return mapChildren(formula, plain);
}

const same = (f: Formula, g: Formula): boolean => difference(plain(f), plain(g)) === null;

const atLast = (formula: Formula): Formula => unary('F', and(lastStep(), formula));

describe("FRET's case studies", () => {
  it.each(records)('$id', ({ sentence, finite, past, scope, condition, timing }) => {
    const read = readFretish(sentence);
    expect(read.cell).toMatchObject({ scope: scope.type, condition, timing });
    expect(same(read.formula, fromFret(finite))).toBe(true);
    expect(same(atLast(read.past as Formula), atLast(fromFret(past)))).toBe(true);
  });

  it('a formula is not the same as its negation', () => {
    const { formula } = readFretish(records[0].sentence);
    expect(same(formula, not(formula))).toBe(false);
  });
});

const printed = (sentence: string): string => printFormula(readFretish(sentence).formula);

describe('sentences of the user manual', () => {
  it.each([
    ['The system shall always satisfy count >= 0', 'G (count >= 0)'],
    [
      'After boot mode the system shall immediately satisfy prompt',
      '!(boot & (X !boot)) W (boot & (X !boot) & (X prompt))',
    ],
    ['When not in setup mode the system shall always satisfy ok', null],
    ['Only in landing mode shall the system eventually satisfy gear_down', null],
    ['Only before energized mode shall the system eventually satisfy touchable', null],
    ['While mode = 4 the watch shall always satisfy alarm_icon_on', null],
    ['While persisted(4,high_temperature) the monitor shall until shutoff satisfy alarm_on', null],
    ['Before taxiing & receivedClearance the plane shall always satisfy !takeoff', null],
    ['After landed & powerOff the doors shall within 3 seconds satisfy unlocked', null],
    [
      'In roll_hold mode RollAutopilot shall immediately satisfy if (roll_angle < 6.0 & roll_angle > -6.0) then ref = 0.0',
      null,
    ],
    ['When currentOverload the breaker shall, at the next timepoint, satisfy shutoff.', null],
    ['In flight mode, the vehicle shall finally satisfy landingMode_initiated', null],
    ['In drivingMode the system shall never satisfy cellPhoneOn & !cellPhoneHandsFree', null],
    ['Whenever occurred(7,temp > high) the sw shall satisfy alarm', null],
    ['The sw shall always satisfy at the previous occurrence of p, q xor r', null],
    [
      'Upon a is false and when b unless c the sw shall immediately satisfy level(tank1) > 0.8 * content',
      null,
    ],
    ['The sw shall always satisfy x mod 2 = 0 & preBool(false, p) <=> y^2 > absReal(z - 1)', null],
  ])('%s', (sentence, formula) => {
    const read = readFretish(sentence);
    if (formula !== null) expect(same(read.formula, parseFormula(formula))).toBe(true);
    expect(same(read.formula, atLast(read.past as Formula))).toBe(true);
  });

  it('negation binds closest, implication loosest', () =>
    expect(printed('x shall always satisfy !a & b | c => d')).toBe(
      printFormula(parseFormula('G (!a & b | c -> d)')),
    ));

  it('unless and "is false" deny the condition', () => {
    const wanted = readFretish('when !p the x shall eventually satisfy q').formula;
    expect(readFretish('unless p the x shall eventually satisfy q').formula).toEqual(wanted);
    expect(readFretish('when p is false the x shall eventually satisfy q').formula).toEqual(wanted);
  });

  it('predicates of the future have no past form', () => {
    const { formula, past } = readFretish('when go the x shall immediately satisfy persists(2, p)');
    expect(past).toBeNull();
    const go = parseFormula('go -> ((X X true) & (G[0,2] p))');
    expect(same(formula, and(go, unary('G', or(predicate('go'), unary('WX', go)))))).toBe(true);
  });

  it('persisted counts within the interval of the scope', () => {
    const { formula } = readFretish('in m mode the x shall always satisfy persisted(1, p)');
    expect(same(formula, unary('G', not(predicate('m'))))).toBe(true);
    const { formula: whole } = readFretish('whenever persisted(1, p) the x shall immediately satisfy q');
    expect(same(whole, parseFormula('G ((p & (Y p)) -> q)'))).toBe(true);
  });

  it('the next occurrence', () => {
    const { formula } = readFretish('x shall immediately satisfy at the next occurrence of p, q');
    const nextOne = binary('U', not(predicate('p')), predicate('p'));
    expect(
      same(
        formula,
        or(not(unary('X', nextOne)), unary('X', binary('U', not(predicate('p')), parseFormula('p & q')))),
      ),
    ).toBe(true);
  });
});

describe('errors', () => {
  it.each([
    [
      'the x shal always satisfy p',
      'sentence:1:7: unexpected "shal"; expected shall after the name of the component; did you mean shall?',
    ],
    ['the x shall alway satisfy p', 'did you mean always?'],
    ['the x shall within 3 tiks satisfy p', 'did you mean ticks?'],
    [
      'the x shall within 3.5 ticks satisfy p',
      'sentence:1:20: unexpected "3.5"; expected a whole number of steps such as 3 ticks',
    ],
    ['the x shall always satisfy p q', 'unexpected "q"; expected an operator or the end of the sentence'],
    ['the x shall always satisfy', 'unexpected the end of the sentence; expected a condition'],
    [
      'the x shall with probability > 0.9 always satisfy p',
      'sentence:1:13: a probability is no part of a rule',
    ],
    ['"the robot is nice"', 'free text in quotes'],
    ['the x shall always satisfy x + 1', 'expected a comparison of x + 1'],
    ['the x shall always satisfy persisted(n, p)', 'expected persisted(3, p)'],
    ['the x shall always satisfy p # q', 'unexpected character "#"'],
    ['the x shall always satisfy (p & q', 'expected ) or an operator'],
    ['whenever p when q the x shall immediately satisfy r', '"whenever" and "when" in one condition'],
    [
      'when p and whenever q the x shall immediately satisfy r',
      'sentence:1:12: "when" and "whenever" in one condition',
    ],
    ['whenever p unless q the x shall satisfy r', 'each step at which it becomes true; expected'],
  ])('%s', (sentence, message) => {
    expect(() => readFretish(sentence)).toThrow(ParseError);
    expect(() => readFretish(sentence)).toThrow(message);
  });
});
