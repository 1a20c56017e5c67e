import type { Term } from './terms.js';
import { fieldType, type SymbolTypes, typeOfTerm } from './termTypes.js';

/** What is asked of a term beside its types. */
export interface Totality {
  readonly types: SymbolTypes;
  /** Whether a list has an element of this number for certain. */
  readonly isThere: (list: Term, index: number) => boolean;
}

/** Functions that have a value of all texts. */
const OF_TEXTS = new Set(['startsWith', 'endsWith', 'contains', 'trim', 'lowerAscii']);

/** Whether a term has a value whatever values of their types its symbols have. False where that is not looked for. */
export function isTotal(term: Term, of: Totality): boolean {
  const total = (part: Term) => isTotal(part, of);
  const kind = (part: Term) => typeOfTerm(part, of.types).kind;
  switch (term.kind) {
    case 'literal':
    case 'name':
      return true;
    case 'field':
      return total(term.object) && hasField(term.object, term.field, of);
    case 'has':
      return total(term.object) && kind(term.object) === 'record';
    case 'index': {
      const at = term.index.kind === 'literal' ? term.index.value : null;
      return (
        total(term.object) &&
        typeof at === 'number' &&
        kind(term.object) === 'list' &&
        of.isThere(term.object, at)
      );
    }
    case 'list':
      return term.elements.every(total);
    case 'map':
      return term.keys.every((key) => key.kind === 'literal') && term.values.every(total);
    case 'unary':
      return term.operator === '!' && kind(term.operand) === 'boolean' && total(term.operand);
    case 'binary':
      return total(term.left) && total(term.right) && isComparable(term, of);
    case 'logical':
      return term.operands.every((one) => kind(one) === 'boolean' && total(one));
    case 'conditional':
      return (
        kind(term.condition) === 'boolean' && [term.condition, term.whenTrue, term.whenFalse].every(total)
      );
    case 'call': {
      const isSize = term.function === 'size' && ['list', 'text'].includes(kind(term.arguments[0]));
      const isOfTexts = OF_TEXTS.has(term.function) && term.arguments.every((one) => kind(one) === 'text');
      return (isSize || isOfTexts) && term.arguments.every(total);
    }
    case 'macro':
      return false;
  }
}

/** Whether a record has a field for certain. */
export function hasField(object: Term, field: string, { types }: Pick<Totality, 'types'>): boolean {
  return fieldType(typeOfTerm(object, types), field)?.optional === false;
}

/** Whether two values are of kinds that compare, or join. Sums of numbers may be too large to be numbers. */
function isComparable({ operator, left, right }: Extract<Term, { kind: 'binary' }>, of: Totality): boolean {
  const kinds = [left, right].map((part) => {
    const { kind } = typeOfTerm(part, of.types);
    return kind === 'integer' ? 'number' : kind;
  });
  const [one, other] = kinds;
  if (operator === 'in') return other === 'list';
  if (kinds.some((kind) => kind === 'any' || kind === 'either') || one !== other) return false;
  if (operator === '==' || operator === '!=') return true;
  if (operator === '+') return one === 'text';
  return ['<', '<=', '>', '>='].includes(operator) && (one === 'number' || one === 'text');
}
