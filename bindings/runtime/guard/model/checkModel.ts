import { checkWords } from '../checkFile.js';
import { checkRows } from '../checkRows.js';
import { type Fields, fail, fields, index, list, listOf, number, oneOf, type Path, text } from '../checks.js';
import { readTables } from '../ruleTables.js';

/** Checks the number of predicates that the states of a model are made of, all by default, and returns it. */
export function checkLearnt(learnt: unknown, predicates: number): number {
  if (learnt === undefined) return predicates;
  const found = index(learnt, 'learntPredicates', predicates + 1);
  if (found === 0) fail('learntPredicates', learnt, 'at least 1: without any, a model has no states');
  return found;
}

/** Checks the states of a model and the steps between them; returns the number of states. @param predicates how many of them the states are made of */
export function checkStates(states: Fields, seen: Fields, predicates: number): number {
  const words = checkWords(states, predicates);
  const draws = list(states.draws, 'states.draws');
  draws.forEach((draw, i) => {
    if (!(number(draw, `states.draws[${i}]`) >= 0)) fail(`states.draws[${i}]`, draw, 'a count from 0 up');
  });
  const valuations = listOf(
    states.valuations,
    'states.valuations',
    draws.length * words,
    `${words} for each of ${draws.length} states`,
  );
  const known = new Set<string>();
  for (let s = 0; s < draws.length; s++) {
    for (let w = 0; w < words; w++) {
      const bits = Math.min(32, predicates - 32 * w);
      index(valuations[s * words + w], 'states.valuations', 2 ** bits, s * words + w);
    }
    const valuation = valuations.slice(s * words, (s + 1) * words).join();
    if (known.has(valuation))
      fail(`states.valuations[${s * words}]`, valuation, 'a valuation that no other state has');
    known.add(valuation);
  }
  checkSeen(seen, draws.length);
  return draws.length;
}

function checkSeen(seen: Fields, states: number): void {
  const columns = list(seen.columns, 'seen.columns');
  checkRows(seen.rowStart, 'seen.rowStart', states, columns.length, (start, end) => {
    for (let i = start; i < end; i++) {
      index(columns[i], 'seen.columns', states, i);
      if (i > start && (columns[i] as number) <= (columns[i - 1] as number)) {
        fail(`seen.columns[${i}]`, columns[i], `more than ${columns[i - 1]}: columns ascend within a row`);
      }
    }
  });
}

/** Checks the tables of a rule over `states` states. */
export function checkTables(
  tables: unknown,
  path: Path,
  states: number,
  verdict: readonly number[],
  confident: boolean,
): void {
  const { confidence, horizons } = readTables(tables, path, states, verdict);
  if (!confident) return;
  const expected = 'text, for the guard decides on it';
  if (confidence === null) fail(`${path}.confidenceUpper`, undefined, expected);
  for (const [steps, horizon] of horizons)
    if (horizon.confidence === null) fail(`${path}.horizons.${steps}.confidenceUpper`, undefined, expected);
}

/** Checks what else only the file of a guard of a model has, but for actions and drift. */
export function checkModel(file: Fields): void {
  if (file.durations !== undefined) {
    for (const [duration, steps] of Object.entries(fields(file.durations, 'durations')))
      index(steps, `durations.${duration}`, Number.MAX_SAFE_INTEGER);
  }
  if (file.onIdle !== undefined) {
    const { kind, action } = fields(file.onIdle, 'onIdle');
    if (oneOf(kind, 'onIdle.kind', ['stop', 'inspect', 'replace']) === 'replace')
      text(action, 'onIdle.action');
  }
  if (file.decideOn === 'confidenceUpper') {
    const { delta } = fields(file.confidence, 'confidence');
    if (!(number(delta, 'confidence.delta') > 0 && (delta as number) < 1))
      fail('confidence.delta', delta, 'a probability above 0 and below 1');
  }
}
