import type { ArithmeticOperator, RelationalOperator } from './expression.js';
import { compareEqual, compareText, equal, hasField, isForeign, isMap } from './values.js';

/** The implementation of an operator or function for two values of its types; undefined for values of other types. */
export interface Operation {
  readonly apply: (left: unknown, right: unknown) => unknown;
  readonly expected: string;
}

function arithmetic(compute: (left: number, right: number) => number): Operation {
  return {
    apply: (l, r) => (typeof l === 'number' && typeof r === 'number' ? compute(l, r) : undefined),
    expected: 'two numbers',
  };
}

function relation(holds: (order: number) => boolean): Operation {
  return {
    apply: (l, r) => {
      if (typeof l === 'string' && typeof r === 'string') return holds(compareText(l, r));
      const comparable = typeof l === typeof r && (typeof l === 'number' || typeof l === 'boolean');
      if (!comparable) return undefined;
      const a = Number(l);
      const b = Number(r);
      return Number.isNaN(a) || Number.isNaN(b) ? undefined : holds(a === b ? 0 : a < b ? -1 : 1);
    },
    expected: 'two numbers, two strings or two Booleans',
  };
}

function equality(whenEqual: boolean): Operation {
  return {
    apply: (l, r) => {
      const found = compareEqual(l, r);
      return found === undefined ? undefined : found === whenEqual;
    },
    expected: 'two values of one kind (null goes with any), neither of them NaN',
  };
}

/**
 * CEL's operators on two values, with doubles for numbers: division follows IEEE 754 (1 / 0 is infinite). Unlike in CEL, comparing NaN is
 * an error: with any answer, a sensor without a measurement would make some predicate silently false. `==` between values of different
 * kinds, which are unequal in CEL, is an error too; null, the absent value, compares with all values.
 */
export const binaryOperations: Readonly<Record<ArithmeticOperator | RelationalOperator, Operation>> = {
  '+': {
    apply: (l, r) => {
      if (typeof l === 'number' && typeof r === 'number') return l + r;
      if (typeof l === 'string' && typeof r === 'string') return l + r;
      return Array.isArray(l) && Array.isArray(r) ? [...l, ...r] : undefined;
    },
    expected: 'two numbers, two strings or two lists',
  },
  '-': arithmetic((l, r) => l - r),
  '*': arithmetic((l, r) => l * r),
  '/': arithmetic((l, r) => l / r),
  '%': {
    // The `+ 0` removes negative zero, which integers do not have.
    apply: (l, r) =>
      Number.isInteger(l) && Number.isInteger(r) && r !== 0 ? ((l as number) % (r as number)) + 0 : undefined,
    expected: 'two integral numbers, the second not 0',
  },
  '==': equality(true),
  '!=': equality(false),
  '<': relation((order) => order < 0),
  '<=': relation((order) => order <= 0),
  '>': relation((order) => order > 0),
  '>=': relation((order) => order >= 0),
  in: {
    apply: (l, r) => {
      if (Number.isNaN(l)) return undefined;
      if (Array.isArray(r)) return holdsElement(r, l);
      if (typeof l === 'string' && hasField(r, l)) return true;
      if (!isMap(r)) return undefined;
      if (typeof l === 'string') return false;
      return typeof l === 'number' || typeof l === 'boolean' ? false : undefined;
    },
    expected: 'a value and a list, or a string and a map',
  },
};

/** Whether a list holds a value; undefined if no element is certainly equal, but some may be. */
function holdsElement(list: readonly unknown[], value: unknown): boolean | undefined {
  if (typeof value === 'string')
    return list.includes(value) ? true : list.some(isForeign) ? undefined : false;
  let result: boolean | undefined = false;
  for (const candidate of list) {
    const same = equal(candidate, value);
    if (same === true) return true;
    if (same === undefined) result = undefined;
  }
  return result;
}

/** The value of `container[key]`; undefined if there is no such element, or for values of other types. */
export function element(container: unknown, key: unknown): unknown {
  if (Array.isArray(container)) {
    return Number.isInteger(key) && (key as number) >= 0 && (key as number) < container.length
      ? container[key as number]
      : undefined;
  }
  return typeof key === 'string' && hasField(container, key) ? container[key] : undefined;
}
