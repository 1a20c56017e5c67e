import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Formula, parseFormula, printFormula } from '../../bindings/languages/logic/index.js';
import { checkRules } from '../../bindings/rules/ruleSet/index.js';
import { holds, type Position } from '../oracle/ltlf.js';

/** The environment chooses e, then the agent chooses g. */
const valuations = [false, true].flatMap((e) => [false, true].map((g): Position => ({ e, g })));
const boolean = fc.constantFrom('e', 'g', '!e', '!g', 'e & g', 'e | g', 'e & !g', 'g & !e', 'e <-> g');
/** Rules whose violation shows within two further steps at most. */
const rule = fc
  .tuple(
    fc.constantFrom(
      'G (P)',
      'G ((P) -> X (Q))',
      'G ((P) -> WX (Q))',
      'G ((P) -> F<=1 (Q))',
      'G ((P) -> O (Q))',
      'G ((P) -> Y (Q))',
      '(P) W (Q)',
      'G ((P) -> X (X (Q)))',
      'G (WX (WX ((P) | (Q))))',
      'G count(P) <= 2',
    ),
    boolean,
    boolean,
  )
  .map(([form, p, q]) => form.replaceAll('P', p).replaceAll('Q', q));

/** All lists of up to two more steps. */
const further: readonly (readonly Position[])[] = [
  [],
  ...valuations.map((one) => [one]),
  ...valuations.flatMap((one) => valuations.map((other) => [one, other])),
];
const LONGEST = 4;

/** Plays by brute force, with the verdict of each list of steps remembered. */
class Plays {
  readonly #formulas: readonly Formula[];
  readonly #violated = new Map<string, boolean>();

  constructor(formulas: readonly Formula[]) {
    this.#formulas = formulas;
  }

  isViolated(i: number, steps: readonly Position[]): boolean {
    const key = `${i}:${steps.map(({ e, g }) => Number(e) * 2 + Number(g)).join('')}`;
    let known = this.#violated.get(key);
    if (known === undefined) {
      const more = steps.length === 0 ? further.slice(1) : further;
      known = !more.some((then) => holds(this.#formulas[i], [...steps, ...then]));
      this.#violated.set(key, known);
    }
    return known;
  }

  isFine(steps: readonly Position[]): boolean {
    return this.#formulas.every((_, i) => !this.isViolated(i, steps));
  }

  /** Whether, once e is chosen, each choice breaks a rule; rule i, if it is given. */
  isLost(steps: readonly Position[], e: boolean, i: number | null): boolean {
    return [false, true].every((g) => {
      const then = [...steps, { e, g }];
      return i === null ? !this.isFine(then) : this.isViolated(i, then);
    });
  }

  /** Number of steps of the shortest lost play, up to the bound. */
  shortest(i: number): number | null {
    let layer: (readonly Position[])[] = [[]];
    for (let length = 1; length <= LONGEST; length++) {
      if (layer.some((steps) => [false, true].some((e) => this.isLost(steps, e, i)))) return length;
      layer = layer
        .flatMap((steps) => valuations.map((step) => [...steps, step]))
        .filter((steps) => this.isFine(steps));
    }
    return null;
  }

  /** Whether the environment can bring about a lost step within the bound, whatever the agent chooses. */
  wins(steps: readonly Position[], i: number): boolean {
    if (steps.length >= LONGEST) return false;
    return [false, true].some((e) => {
      if (this.isLost(steps, e, i)) return true;
      const next = [false, true].map((g) => [...steps, { e, g }]).filter((then) => this.isFine(then));
      return next.length > 0 && next.every((then) => this.wins(then, i));
    });
  }
}

describe('the game about rules', () => {
  it('is lost where trying all plays loses it, in as many steps, and won where another choice is said to win it', () => {
    const seen = { lost: 0, avoidable: 0, together: 0 };
    fc.assert(
      fc.property(fc.array(rule, { minLength: 1, maxLength: 2 }), (texts) => {
        const rules = texts.map((text, i) => ({ name: `r${i}`, formula: parseFormula(text) }));
        const { findings } = checkRules(rules, { agent: ['g'] });
        // Rules that are found odd before are not played about, nor are those that the agent has no part in.
        const left = ['unsatisfiable', 'tautology', 'conflict'];
        const odd = findings.filter(({ kind }) => left.includes(kind)).flatMap((finding) => finding.rules);
        fc.pre(odd.length === 0 && texts.every((text) => text.includes('g')));
        const plays = new Plays(rules.map(({ formula }) => formula));
        const games = findings.filter(({ kind }) => kind === 'unenforceable');
        for (const [i, { name, formula }] of rules.entries()) {
          const found = games.find((game) => game.rules.length === 1 && game.rules[0] === name);
          const what = `${printFormula(formula)} of ${texts.join(', ')}`;
          if (found?.trace == null) {
            expect(plays.shortest(i), what).toBeNull();
            continue;
          }
          seen.lost++;
          const steps = found.trace.map(({ e = false, g = false }) => ({ e, g }));
          expect(plays.shortest(i) ?? LONGEST + 1, what).toBe(Math.min(steps.length, LONGEST + 1));
          const before = steps.slice(0, -1);
          for (let n = 1; n <= before.length; n++) expect(plays.isFine(before.slice(0, n)), what).toBe(true);
          expect(plays.isLost(before, steps[before.length].e, i), what).toBe(true);
          if (found.otherwise === null) {
            // Within two steps, the bound is large enough for the environment to win.
            if (steps.length <= 2) expect(plays.wins([], i), what).toBe(true);
            continue;
          }
          const { step, agent } = found.otherwise;
          seen.avoidable++;
          expect(plays.wins([], i), what).toBe(false);
          const other = [...steps.slice(0, step), { e: steps[step].e, g: agent.includes('g') }];
          expect(plays.isFine(other) && !plays.wins(other, i), what).toBe(true);
        }
        const together = games.filter((game) => game.rules.length > 1);
        for (const { trace } of together) {
          seen.together++;
          const steps = (trace ?? []).map(({ e = false, g = false }) => ({ e, g }));
          expect(plays.isLost(steps.slice(0, -1), steps[steps.length - 1].e, null)).toBe(true);
        }
      }),
      { numRuns: Number(process.env.RULE_SET_RUNS ?? 40) },
    );
    expect(seen.lost).toBeGreaterThan(0);
    expect(seen.avoidable).toBeGreaterThan(0);
    if (process.env.RULE_SET_RUNS) console.log(seen);
  });
});
