import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../bindings/base/random.js';
import {
  and,
  FRET_CONDITIONS,
  FRET_SCOPES,
  FRET_TIMINGS,
  type FretCell,
  fretFutureForm,
  fretPastForm,
  lastStep,
  predicate,
  unary,
} from '../../../bindings/languages/english/core/index.js';
import { type Formula, parseFormula } from '../../../bindings/languages/logic/index.js';
import { type FretStep, fretSatisfied } from '../../oracle/fret.js';
import { holds } from '../../oracle/ltlf.js';
import { build, difference, table } from './difference.js';

/** FRET_LONG=1 checks all durations and traces of up to 5 steps, about a minute; otherwise one duration and up to 3 steps. */
const long = process.env.FRET_LONG !== undefined;
const generator = new Random(20261125);
const random = (): number => generator.bits() / 2 ** 32;

const names = ['m', 'c', 's', 'p'] as const;
const [mode, trigger, stop, response] = names.map(predicate);

function cellOf(scope: string, condition: string, timing: string, duration: number): FretCell {
  return { scope, condition, timing, duration, mode, trigger, stop, response } as FretCell;
}

const atLast = (formula: Formula): Formula => unary('F', and(lastStep(), formula));
/** The same on 400 random traces of up to 40 steps, for durations whose automata have too many states. */
function sampledDifference(f: Formula, g: Formula): unknown {
  for (let k = 0; k < 400; k++) {
    const length = 1 + Math.floor(random() * 40);
    const [rare, often] = [random(), random()];
    const trace = Array.from({ length }, () =>
      names.reduce((bits, _, i) => bits | (random() < (i % 2 === 0 ? rare : often) ? 1 << i : 0), 0),
    );
    const positions = trace.map((bits) =>
      Object.fromEntries(names.map((name, i) => [name, ((bits >> i) & 1) !== 0])),
    );
    if (holds(f, positions) !== holds(g, positions)) return trace;
  }
  return null;
}

interface Template {
  readonly id: string;
  readonly scope: string;
  readonly condition: string;
  readonly timing: string;
  readonly rule: string;
  readonly pastRule: string;
}

const file = new URL('../../../../shared/data/language/fret-templates.json', import.meta.url);
const templates = (JSON.parse(readFileSync(file, 'utf8')) as { records: Template[] }).records;

/** The templates are written with duration 3. */
const withDuration = (rule: string, n: number): Formula =>
  parseFormula(rule.replace(/(<=|<|=)([34])(?!\d)/g, (_, sign, k) => `${sign}${k === '3' ? n : n + 1}`));

describe("FRET's templates", () => {
  it('all 143 are there', () => expect(templates.length).toBe(143));

  it.each(long ? [1, 3, 10] : [1])('mean the same at duration %i', (n) => {
    const different: string[] = [];
    for (const { id, scope, condition, timing, rule, pastRule } of templates) {
      const timed = ['within', 'for', 'after'].includes(timing);
      if (!timed && n !== 1) continue;
      const cell = cellOf(scope, condition, timing, n);
      const future = fretFutureForm(cell);
      const past = atLast(fretPastForm(cell));
      const pairs: [string, Formula, Formula][] = [
        ['future', future, withDuration(rule, n)],
        ['past', past, atLast(withDuration(pastRule, n))],
        ...(long ? [['both', future, past] as [string, Formula, Formula]] : []),
      ];
      for (const [form, f, g] of pairs) {
        const trace = n === 10 ? sampledDifference(f, g) : difference(f, g);
        if (trace !== null) different.push(`${id} ${form} ${JSON.stringify(trace)}`);
      }
    }
    expect(different).toEqual([]);
  });
});

describe('all 288 cells against the words of the descriptions', () => {
  const depth = long ? 5 : 3;
  const steps: readonly FretStep[] = Array.from({ length: 16 }, (_, bits) => ({
    m: (bits & 1) !== 0,
    c: (bits & 2) !== 0,
    s: (bits & 4) !== 0,
    p: (bits & 8) !== 0,
  }));

  it.each([...FRET_SCOPES])('scope %s', (scope) => {
    const different: string[] = [];
    for (const condition of FRET_CONDITIONS) {
      for (const timing of FRET_TIMINGS) {
        const durations = ['within', 'for', 'after'].includes(timing) ? (long ? [0, 1, 2] : [1]) : [0];
        for (const duration of durations) {
          const cell = cellOf(scope, condition, timing, duration);
          const automata = [build(fretFutureForm(cell)), build(atLast(fretPastForm(cell)))];
          const next = automata.map((automaton) => table(automaton, names));
          const idle =
            (scope === 'null' ? 1 : 0) |
            (condition === 'null' ? 2 : 0) |
            (timing === 'until' || timing === 'before' ? 0 : 4);
          const run: FretStep[] = [];
          const walk = (states: readonly number[]): void => {
            for (let bits = 0; bits < 16; bits++) {
              if ((bits & idle) !== 0) continue;
              const after = states.map((q, i) => next[i](q, bits));
              run.push(steps[bits]);
              const expected = fretSatisfied(cell, duration, run) ? 1 : 0;
              after.forEach((q, i) => {
                if (automata[i].accepting[q] === expected) return;
                const form = i === 0 ? 'future' : 'past';
                if (different.length < 20) {
                  different.push(`${condition},${timing},${duration} ${form}: ${JSON.stringify(run)}`);
                }
              });
              if (run.length < depth) walk(after);
              run.pop();
            }
          };
          walk(automata.map((automaton) => automaton.initial));
        }
      }
    }
    expect(different).toEqual([]);
  });
});
