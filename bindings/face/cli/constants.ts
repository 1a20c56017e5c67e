import { InvalidArgumentError } from '../../base/errors.js';
import { Rational } from '../../base/rational.js';
import type { ConstantDeclaration, GivenConstants } from '../../languages/logic/index.js';
import { printPrismExpression } from '../../languages/logic/index.js';

/** Values of one constant, as text, in order. */
type Sweep = readonly [name: string, values: readonly string[]];

/** Limit that no intended experiment exceeds. */
const MAX_EXPERIMENTS = 10_000;

/**
 * The values of `--const`, as PRISM writes them: `N=16,p=0.1,b=true`, in one or several options. Ranges, `N=1:2:9` from 1 by 2 to 9 and
 * `N=1:9` by 1, request an experiment over all their values.
 *
 * @returns The values as text, to be parsed by the declared types of the constants: one set for each combination, with the last range
 * varying fastest
 * @throws InvalidArgumentError on anything else, and on a constant given twice
 */
export function parseConstants(given: readonly string[] = []): GivenConstants[] {
  const sweeps = new Map<string, Sweep[1]>();
  for (const pair of given.flatMap((text) => text.split(','))) {
    if (pair.trim() === '') continue;
    const [, name, value] = /^\s*([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    if (name === undefined || value === '') {
      throw new InvalidArgumentError(
        `--const is given "${pair}"; expected name=value, as in N=16,p=0.1,b=true, or name=first:step:last`,
      );
    }
    const before = sweeps.get(name);
    if (before !== undefined) {
      throw new InvalidArgumentError(
        `--const gives ${name} twice, as ${before.join(', ')} and as ${value}; expected one value, or a range ${name}=first:step:last`,
      );
    }
    sweeps.set(name, value.includes(':') ? valuesOfRange(name, value) : [value]);
  }
  return combinations([...sweeps]);
}

function valuesOfRange(name: string, text: string): string[] {
  const wrong = (what: string): InvalidArgumentError =>
    new InvalidArgumentError(
      `--const ${name}=${text} ${what}; expected first:last or first:step:last, as in ${name}=1:2:9`,
    );
  const parts = text.split(':').map(rational);
  const [first, step, last] = parts.length === 2 ? [parts[0], Rational.ONE, parts[1]] : parts;
  if (parts.length > 3 || !first || !step || !last) throw wrong('is not a range of numbers');
  if (step.compare(Rational.ZERO) <= 0 || first.compare(last) > 0) throw wrong('is an empty range');
  const count = Number(last.minus(first).dividedBy(step).floor()) + 1;
  if (count > MAX_EXPERIMENTS) throw wrong(`has ${count} values, which is more than ${MAX_EXPERIMENTS}`);
  const values: string[] = [];
  for (let value = first; values.length < count; value = value.plus(step)) values.push(decimal(value));
  return values;
}

/** The exact number of a decimal text. */
function rational(text: string): Rational | undefined {
  const [, minus, digits] = /^\s*(-?)(.*?)\s*$/.exec(text) ?? [];
  const size = Rational.parse(digits);
  return minus ? size?.negated() : size;
}

/** The shortest text that represents the number exactly. */
function decimal(value: Rational): string {
  const text = String(value.toNumber());
  return rational(text)?.compare(value) === 0 ? text : value.toString();
}

function combinations(sweeps: readonly Sweep[]): GivenConstants[] {
  return sweeps.reduce<GivenConstants[]>(
    (before, [name, values]) => {
      if (before.length * values.length > MAX_EXPERIMENTS) {
        throw new InvalidArgumentError(
          `the ranges of --const have more than ${MAX_EXPERIMENTS} combinations; run the command several times`,
        );
      }
      return before.flatMap((constants) => values.map((value) => ({ ...constants, [name]: value })));
    },
    [{}],
  );
}

/** A warning for each constant whose declared value is overridden. */
export function overridden(given: GivenConstants, declarations: readonly ConstantDeclaration[]): string[] {
  return declarations.flatMap(({ name, value }) =>
    value === null || !Object.hasOwn(given, name)
      ? []
      : [
          `constant ${name} is declared as ${printPrismExpression(value)}, and replaced by --const (which PRISM refuses)`,
        ],
  );
}

/** Values as `--const` takes them: `N=3,p=0.1`. */
export function assignments(given: GivenConstants): string {
  return Object.entries(given)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}

/** Those of the given constants that have one of the names. */
export function pick(given: GivenConstants, names: readonly string[]): GivenConstants {
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
}
