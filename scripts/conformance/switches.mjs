/** PRISM's switches, as far as they change an answer: everything about engines and iteration does not. */
import { parseFraction } from './expectation.mjs';

const WITH_VALUE =
  /^-(const|epsilon|e|maxiters|prop(erty)?|convprog|ptamethod|export.*|import.*|transientmethod|gridresolution|cuddepsilon|cuddmaxmem|paretoepsilon|tr(ansient)?|param|sim(samples|conf|width|approx|pathlen|method)|javamaxmem|javastack|timeout|exportmodelprecision)$/;
const WITHOUT_VALUE_AFTER_ALL = /^-(exportprism)$/;

/** What is asked for that no setting here gives. */
const UNSUPPORTED = [
  [/^-param$/, 'parametric'],
  [/^-sim$/, 'statistical model checking'],
  [/^-fair$/, 'fairness'],
  [/^-(tr|transient|ss|steadystate)$/, 'distributions over states as an output'],
  [/^-ctmc$/, 'CTMC'],
  [/^-noprobchecks$/, 'probabilities that do not sum to 1'],
];

/**
 * The runs that one line of switches asks for: one for each combination of constants, as `N=2:4` means three.
 *
 * @returns [{ constants, exact, type, property, files, imports, exports, unsupported }]
 */
export function parseSwitches(line) {
  const words = line.trim().split(/\s+/).filter(Boolean);
  const run = { exact: false, files: [], imports: [], exports: [] };
  const constants = [];
  for (let i = 0; i < words.length; i++) {
    if (!words[i].startsWith('-')) {
      run.files.push(words[i]);
      continue;
    }
    const name = words[i].replace(/^--/, '-');
    const value = WITH_VALUE.test(name) && !WITHOUT_VALUE_AFTER_ALL.test(name) ? words[++i] : undefined;
    const unsupported = UNSUPPORTED.find(([pattern]) => pattern.test(name));
    if (unsupported) run.unsupported ??= unsupported[1];
    if (name === '-const') constants.push(...(value ?? '').split(',').filter(Boolean));
    else if (name === '-exact') run.exact = true;
    else if (name === '-mdp' || name === '-dtmc') run.type = name.slice(1);
    else if (name === '-prop' || name === '-property') run.property = value;
    else if (name.startsWith('-import')) run.imports.push([name.slice('-import'.length), value]);
    else if (name.startsWith('-export') && name !== '-exportmodelprecision')
      run.exports.push([name.slice('-export'.length), value]);
  }
  return constantChoices(constants).map((chosen) => ({ ...run, constants: chosen }));
}

/** All combinations of values of `name=value`, `name=low:high` and `name=low:step:high`, as [{ name: text }]. */
export function constantChoices(definitions) {
  return definitions.reduce(
    (choices, definition) => {
      const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(definition) ?? [];
      if (name === undefined) throw new Error(`-const ${definition}: expected name=value`);
      return choices.flatMap((choice) => valuesOf(value).map((text) => ({ ...choice, [name]: text })));
    },
    [{}],
  );
}

function valuesOf(value) {
  const parts = value.split(':');
  if (parts.length === 1) return parts;
  const [low, step, high] = (parts.length === 2 ? [parts[0], '1', parts[1]] : parts).map(parseFraction);
  if (!(low && step && high && step.numerator > 0n))
    throw new Error(`-const …=${value}: no range of numbers`);
  const denominator = low.denominator * step.denominator * high.denominator;
  const scaled = ({ numerator, denominator: own }) => numerator * (denominator / own);
  const texts = [];
  for (let at = scaled(low); at <= scaled(high); at += scaled(step)) {
    const shared = greatestCommonDivisor(at, denominator);
    texts.push(shared === denominator ? String(at / shared) : `${at / shared}/${denominator / shared}`);
  }
  return texts;
}

function greatestCommonDivisor(a, b) {
  return b === 0n ? (a < 0n ? -a : a) : greatestCommonDivisor(b, a % b);
}
