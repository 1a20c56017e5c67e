/**
 * One published chain: what is imported is held against the fractions in the other file, and each answer against exact elimination
 * of those; with PRISM, its answers against ours.
 */
import { readFileSync } from 'node:fs';
import { exactReach } from './exactReach.mjs';
import { brackets } from './expectation.mjs';
import { askPrism } from './prism.mjs';
import { readPublishedChain } from './pro2guard.mjs';

const IMPORT = 'import';
const PRISM = 'PRISM';

export function runChain(api, { model: path, directory, prism, rounds = 5 }, emit) {
  const { rows, targets } = readPublishedChain(directory);
  const source = readFileSync(path, 'utf8');
  const queries = targets.map(({ name, state }) => ({
    name: `P=? [ F s=${state} ], ${name}`,
    text: `P=? [ F s=${state} ]`,
    exact: exactReach(rows, state),
  }));
  emit({ plan: [IMPORT, ...queries.map(({ name }) => name), ...(prism ? [PRISM] : [])] });

  const published = api.build(api.parseModel(source));
  const everywhere = api.build(api.parseModel(`${source}\ninit true endinit`), { exact: true });
  const numbers = numbersOf(api, everywhere);
  const [start] = published.model.initial.map((state) => numbersOf(api, published)[state]);
  emit({ name: IMPORT, ...judgeImport(everywhere, numbers, rows), ...findings(published, rows, start) });

  const answers = queries.map((query) => {
    const { lower, upper, milliseconds } = fastest(rounds, () =>
      api.check(api.build(api.parseModel(source)), query.text),
    );
    const everyState = api.check(everywhere, `filter(print, ${query.text})`);
    const { exact } = api.check(everywhere, `filter(state, ${query.text}, s=${start})`, { exact: true });
    const outside = numbers.filter(
      (number, state) => !brackets(everyState.lower[state], everyState.upper[state], query.exact[number]),
    );
    const problem = !brackets(lower, upper, query.exact[start])
      ? `[${lower}, ${upper}] is beside ${text(query.exact[start])}`
      : outside.length > 0
        ? `from s=${outside.join(', ')} the bounds are beside the exact numbers`
        : !equal(exact, query.exact[start]) &&
          `exact arithmetic gives ${text(exact)}, not ${text(query.exact[start])}`;
    emit({
      name: query.name,
      outcome: problem ? 'failed' : 'passed',
      detail: problem || `[${lower}, ${upper}]`,
      counts: { queries: 1, 'bounds from all states': rows.length },
      times: { 'ms a query': milliseconds },
    });
    return { lower, upper };
  });
  if (prism) compareWithPrism(prism, path, queries, answers, emit);
}

/** Runs work a few times, for the first runs are slow until it is compiled: its result, and the time of the fastest. */
function fastest(rounds, work) {
  const runs = Array.from({ length: rounds }, () => {
    const started = performance.now();
    const result = work();
    return { ...result, milliseconds: performance.now() - started };
  });
  return runs.reduce((best, run) => (run.milliseconds < best.milliseconds ? run : best));
}

/** The value of the chain's only variable in each state of a model. */
function numbersOf(api, { variables, model }) {
  return [...api.valuationsOf(variables, model.states).values[0]];
}

/** A state without a command stays where it is: its row is empty in the other file. */
function judgeImport({ model, exactValues }, numbers, rows) {
  const { states, rowStart, columns } = model;
  if (states !== rows.length)
    return { outcome: 'failed', detail: `expected ${rows.length} states, found ${states}` };
  for (const [state, number] of numbers.entries()) {
    const row = rows[number];
    const isDeadlock = model.labels.get('deadlock').has(state);
    const isSame =
      isDeadlock === (row.size === 0) &&
      (isDeadlock || rowStart[state + 1] - rowStart[state] === row.size) &&
      columns
        .slice(rowStart[state], rowStart[state + 1])
        .every((t, i) => isDeadlock || equal(exactValues[rowStart[state] + i], row.get(numbers[t])));
    if (!isSame) return { outcome: 'failed', detail: `the row of s=${number} is not as published` };
  }
  return { outcome: 'passed', detail: 'the same fractions' };
}

/** What is odd about the chain itself, as counts and in words. */
function findings({ model }, rows, start) {
  const found = rows.map((row, state) => {
    const probabilities = [...row.values()];
    return {
      state,
      hasNoCommand: row.size === 0,
      sumsToOne: row.size === 0 || equal(probabilities.reduce(plus), { numerator: 1n, denominator: 1n }),
      isSmoothingAlone: row.size > 1 && probabilities.every((p) => equal(p, probabilities[0])),
    };
  });
  const numbersWhere = (test) => found.filter(test).map(({ state }) => state);
  const deadlocks = numbersWhere(({ hasNoCommand }) => hasNoCommand);
  const unequal = numbersWhere(({ sumsToOne }) => !sumsToOne);
  const unreached = rows.length - model.states;
  const notes = [
    deadlocks.length > 0 && `no command for s=${deadlocks.join(', ')}`,
    unequal.length > 0 && `the rows of s=${unequal.join(', ')} do not sum to 1`,
    unreached > 0 && `${unreached} of ${rows.length} states are not reached from s=${start}`,
  ].filter(Boolean);
  return {
    counts: {
      chains: 1,
      states: rows.length,
      'without a command': deadlocks.length,
      'not reached': unreached,
      'not summing to 1': unequal.length,
      'all successors alike': numbersWhere(({ isSmoothingAlone }) => isSmoothingAlone).length,
    },
    ...(notes.length > 0 && { note: notes.join('; ') }),
  };
}

/**
 * The same queries by PRISM, together for their values and the first alone for its time. That is no test: where the two differ, exact
 * elimination has said who is right.
 */
function compareWithPrism(prism, path, queries, answers, emit) {
  const { values } = askPrism(
    prism,
    path,
    queries.map(({ text }) => text),
  );
  const { milliseconds } = askPrism(prism, path, [queries[0].text]);
  const distances = values.map((value, i) => {
    const { lower, upper } = answers[i];
    return Math.max(0, lower - value, value - upper) / value || 0;
  });
  const farOff = distances.filter((distance) => distance > PRISM_EPSILON).length;
  emit({
    name: PRISM,
    counts: { 'PRISM within 1e-6': values.length - farOff, 'PRISM further off': farOff },
    times: { 'PRISM, ms': milliseconds },
    ...(farOff > 0 && { note: `PRISM is off by ${Math.max(...distances).toExponential(1)} relatively` }),
  });
}

/** What PRISM iterates to by default: values change by no more than this, relatively. */
const PRISM_EPSILON = 1e-6;

function equal(a, b) {
  return a !== undefined && b !== undefined && a.numerator * b.denominator === b.numerator * a.denominator;
}

function plus(a, b) {
  return {
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  };
}

function text({ numerator, denominator }) {
  return `${numerator}/${denominator}`;
}
