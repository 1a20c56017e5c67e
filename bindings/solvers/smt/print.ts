import { LAST_UNIT, type RegLan } from './regLan.js';
import type { Operator, Sort, Term } from './term.js';

const SORTS: Readonly<Record<Sort, string>> = {
  Bool: 'Bool',
  Int: 'Int',
  Float: '(_ FloatingPoint 11 53)',
  Text: 'String',
};

/** Operators that take a mode of rounding first. */
const ROUNDED: ReadonlySet<Operator> = new Set([
  'fp.add',
  'fp.sub',
  'fp.mul',
  'fp.div',
  'fp.roundToIntegral',
]);

/**
 * A script in SMT-LIB 2.6 that asks whether all assertions can hold, and for the values of all variables if so. Terms that occur more than once are defined first.
 */
export function printScript(assertions: readonly Term[]): string {
  const uses = new Map<Term, number>();
  const order: Term[] = [];
  const count = (term: Term): void => {
    const seen = uses.get(term) ?? 0;
    uses.set(term, seen + 1);
    if (seen > 0) return;
    if (term.kind === 'apply') for (const part of term.arguments) count(part);
    order.push(term);
  };
  for (const assertion of assertions) count(assertion);
  const variables = order.filter((term) => term.kind === 'variable');
  const defined = new Map<Term, string>();
  const print = (term: Term): string => defined.get(term) ?? printTerm(term, print);
  const definitions = order
    .filter((term) => term.kind === 'apply' && uses.get(term)! > 1)
    .map((term, i) => {
      const line = `(define-fun t${i} () ${SORTS[term.sort]} ${print(term)})`;
      defined.set(term, `t${i}`);
      return line;
    });
  return [
    '(set-option :produce-models true)',
    '(set-logic ALL)',
    ...variables.map((term) => `(declare-const ${print(term)} ${SORTS[term.sort]})`),
    ...definitions,
    ...assertions.map((term) => `(assert ${print(term)})`),
    '(check-sat)',
    ...(variables.length > 0 ? [`(get-value (${variables.map(print).join(' ')}))`] : []),
    '',
  ].join('\n');
}

function printTerm(term: Term, print: (part: Term) => string): string {
  if (term.kind === 'variable') return `|${term.name}|`;
  if (term.kind === 'constant') return printConstant(term);
  const parts = term.arguments.map(print);
  if (ROUNDED.has(term.operator)) parts.unshift('RNE');
  if (term.set !== undefined) parts.push(printRegLan(term.set));
  return `(${term.operator} ${parts.join(' ')})`;
}

function printConstant({ value }: Extract<Term, { kind: 'constant' }>): string {
  if (typeof value === 'string') return printText(value);
  if (typeof value === 'bigint') return value < 0n ? `(- ${-value})` : String(value);
  return typeof value === 'number' ? printDouble(value) : String(value);
}

/** A double by its bits, so that nothing is rounded. */
function printDouble(value: number): string {
  if (Number.isNaN(value)) return '(_ NaN 11 53)';
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, value);
  const bits = bytes.getBigUint64(0).toString(2).padStart(64, '0');
  return `(fp #b${bits[0]} #b${bits.slice(1, 12)} #b${bits.slice(12)})`;
}

/** A text by its code units: what is not plain ASCII, and every backslash, as an escape. */
export function printText(text: string): string {
  const escaped = text.replace(/[^ -[\]-~]/g, (unit) => `\\u{${unit.charCodeAt(0).toString(16)}}`);
  return `"${escaped.replaceAll('"', '""')}"`;
}

function printRegLan(set: RegLan): string {
  switch (set.kind) {
    case 'units': {
      const parts = set.ranges.map(([first, last]) => {
        if (first === 0 && last === LAST_UNIT) return 're.allchar';
        const [from, to] = [first, last].map((unit) => printText(String.fromCharCode(unit)));
        return first === last ? `(str.to_re ${from})` : `(re.range ${from} ${to})`;
      });
      return union(parts);
    }
    case 'text':
      return `(str.to_re ${printText(set.text)})`;
    case 'sequence':
      if (set.parts.length < 2) return set.parts.length === 0 ? '(str.to_re "")' : printRegLan(set.parts[0]);
      return `(re.++ ${set.parts.map(printRegLan).join(' ')})`;
    case 'choice':
      return union(set.parts.map(printRegLan));
    case 'repeat': {
      const part = printRegLan(set.part);
      const { least, most } = set;
      if (most !== null) return `((_ re.loop ${least} ${most}) ${part})`;
      if (least === 0) return part === 're.allchar' ? 're.all' : `(re.* ${part})`;
      return least === 1 ? `(re.+ ${part})` : `(re.++ ((_ re.^ ${least}) ${part}) (re.* ${part}))`;
    }
  }
}

function union(parts: readonly string[]): string {
  if (parts.length === 0) return 're.none';
  return parts.length === 1 ? parts[0] : `(re.union ${parts.join(' ')})`;
}
