import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Formula, parseFormula } from '../../bindings/languages/logic/index.js';
import { type Ask, createAsk } from '../../bindings/rules/questions/index.js';
import { compileRules, parseSpecification } from '../../bindings/rules/specification/index.js';
import { createGuard } from '../../bindings/runtime/guard/index.js';
import { holds, type Position } from '../oracle/ltlf.js';

const RUNS = Number(process.env.QUESTION_RUNS ?? 40);

/** Rules over the states a and b and the call c whose fate is decided within three further steps. */
const RULES = [
  'G !(a & b)',
  '!a W b',
  'G (a -> F<=2 b)',
  'F a',
  'G (a -> X b)',
  'G (c -> O a)',
  'G (c -> a)',
  'a U b',
  'G !(c & b)',
  'G (c -> WX !a)',
  'G (count(a) <= 2)',
  'G (b -> WX (b | c))',
  'F (c & a)',
];
const NAMES = ['a', 'b', 'c'];
const letters: Position[] = Array.from({ length: 8 }, (_, bits) =>
  Object.fromEntries(NAMES.map((name, i) => [name, ((bits >> i) & 1) === 1])),
);

function specificationOf(rules: readonly string[], atEnd = 'strong') {
  return parseSpecification(
    JSON.stringify({
      version: 1,
      predicates: { a: 'x', b: 'y', c: 'action.name == "go"' },
      rules: Object.fromEntries(rules.map((formula, i) => [`r${i}`, { formula, strategy: 'block', atEnd }])),
    }),
  );
}

const stateOf = ({ a, b }: Position) => ({ x: a, y: b });
const callOf = ({ c }: Position) => ({ name: c ? 'go' : 'stay', arguments: {} });

/** Whether some continuation of up to so many steps satisfies the formula. */
function isAlive(formula: Formula, trace: readonly Position[], steps = 3): boolean {
  if (holds(formula, trace)) return true;
  return steps > 0 && letters.some((letter) => isAlive(formula, [...trace, letter], steps - 1));
}

/** Whether some continuation of up to so many steps satisfies all of the formulas at once. */
function areAlive(formulas: readonly Formula[], trace: readonly Position[], steps = 3): boolean {
  if (formulas.every((formula) => holds(formula, trace))) return true;
  return steps > 0 && letters.some((letter) => areAlive(formulas, [...trace, letter], steps - 1));
}

/** Those that the past lets be kept, each and, unless that was lost before, all together: on runs that go on from it. */
function keptBy(texts: readonly string[], past: readonly Position[]) {
  const formulas = texts.map((text) => parseFormula(text)).filter((formula) => isAlive(formula, past));
  const wasApart = past.length > 0 && !areAlive(formulas, past);
  return (run: readonly Position[]): boolean =>
    formulas.every((formula) => isAlive(formula, run)) && (wasApart || areAlive(formulas, run));
}

/** Rules that each can be kept where both cannot. */
const CLASHING = [
  ['G (a -> X b)', 'G (c -> X !b)'],
  ['G (a -> F<=2 b)', 'G (a -> G !b)'],
  ['F a', 'G (b -> G !a)'],
];
const rulesDrawn = fc.oneof(
  { weight: 5, arbitrary: fc.uniqueArray(fc.constantFrom(...RULES), { minLength: 1, maxLength: 2 }) },
  { weight: 1, arbitrary: fc.constantFrom(...CLASHING) },
);
const letter = fc.constantFrom(...letters);
const situations = fc.tuple(rulesDrawn, fc.array(letter, { maxLength: 2 }), letter);

/** What answers at the last position of a run, whose call is still to be made; null if the steps before it break a rule. */
function askAt(rules: readonly string[], past: readonly Position[], now: Position, atEnd?: string): Ask {
  const ask = createAsk({ specification: specificationOf(rules, atEnd) });
  for (const step of past) ask.observe({ state: stateOf(step), action: callOf(step) });
  ask.observe({ state: stateOf(now) });
  return ask;
}

describe('questions', () => {
  it('allow a call exactly if every rule that is not broken can still be kept after it, and after what it brings about', () => {
    let [refused, broken, apart] = [0, 0, 0];
    fc.assert(
      fc.property(situations, fc.option(letter), ([rules, past, now], after) => {
        const formulas = rules.map((text) => parseFormula(text));
        const counted = formulas.flatMap((formula, i) => (isAlive(formula, past) ? [i] : []));
        broken += formulas.length - counted.length;
        const trace = [...past, now];
        const alive = (run: readonly Position[]) => counted.filter((i) => isAlive(formulas[i], run));
        const isKept = keptBy(rules, past);
        const expected =
          isKept(trace) && (after === null || [true, false].some((c) => isKept([...trace, { ...after, c }])));
        const outcome = after === null ? {} : { outcome: { a: after.a, b: after.b } };
        const {
          answer,
          rules: against,
          broken: before,
          together,
        } = askAt(rules, past, now).may(callOf(now), outcome);
        const text = `${rules} on ${JSON.stringify([past, now, after])}`;
        expect(answer, text).toBe(expected ? 'yes' : 'no');
        expect(before, text).toEqual(formulas.flatMap((_, i) => (counted.includes(i) ? [] : [`r${i}`])));
        const dead = counted.filter((i) => !alive(trace).includes(i)).map((i) => `r${i}`);
        if (after === null && !together) expect(against, text).toEqual(dead);
        if (after === null && together) {
          // Each is alive alone, and of two rules both are named.
          expect(dead, text).toEqual([]);
          expect(against, text).toEqual(['r0', 'r1']);
        }
        if (together) apart++;
        if (!expected) refused++;
      }),
      { numRuns: 4 * RUNS },
    );
    expect(refused).toBeGreaterThan(RUNS / 4);
    expect(apart).toBeGreaterThan(0);
    expect(broken).toBeGreaterThan(0);
  });

  it('name the least changes of the state under which a call would be allowed', () => {
    let changed = 0;
    fc.assert(
      fc.property(situations, ([rules, past, now]) => {
        const isKept = keptBy(rules, past);
        const isAllowed = (state: Position) => isKept([...past, { ...now, ...state }]);
        if (isAllowed(now)) return;
        const others = [true, false]
          .flatMap((a) => [true, false].map((b) => ({ a, b })))
          .filter(isAllowed)
          .map((state) =>
            (['a', 'b'] as const)
              .filter((name) => state[name] !== now[name])
              .map((name) => `${name}=${state[name]}`),
          );
        const least = Math.min(...others.map(({ length }) => length));
        const expected = others.filter(({ length }) => length === least).map(String);
        const { changes } = askAt(rules, past, now).whyNot(callOf(now));
        const found = (changes ?? []).map((one) =>
          String(one.map(({ predicate, holds: to }) => `${predicate}=${to}`)),
        );
        expect(found.sort(), `${rules} on ${JSON.stringify([past, now])}`).toEqual(expected.sort());
        changed += found.length;
      }),
      { numRuns: 4 * RUNS },
    );
    expect(changed).toBeGreaterThan(RUNS / 10);
  });

  it('say of what may come whether all, none or some runs that keep the rules do it, with a shortest run', () => {
    const seen = new Set<string>();
    const asked = fc.constantFrom('F a', 'G !b', '!b U a', 'F (a & b)', 'F c', 'G (a -> F b)');
    fc.assert(
      fc.property(situations, asked, fc.constantFrom('strong', 'weak'), ([rules, past, now], wish, atEnd) => {
        const formulas = rules.map((text) => parseFormula(text)).filter((formula) => isAlive(formula, past));
        const wished = parseFormula(wish);
        const mayEnd =
          atEnd === 'strong' ? holds : (formula: Formula, run: readonly Position[]) => isAlive(formula, run);
        /** Length of a shortest continuation from the state at hand on, up to 3 steps; null if there is none so short. */
        const shortest = (does: boolean): number | null => {
          let layer: Position[][] = letters
            .filter(({ a, b }) => a === now.a && b === now.b)
            .map((one) => [one]);
          for (let length = 1; length <= 3; length++) {
            const found = layer.some(
              (run) =>
                formulas.every((formula) => mayEnd(formula, [...past, ...run])) &&
                holds(wished, [...past, ...run]) === does,
            );
            if (found) return length;
            layer = length === 3 ? [] : layer.flatMap((run) => letters.map((next) => [...run, next]));
          }
          return null;
        };
        const found = askAt(rules, past, now, atEnd).will(wish);
        const text = `${wish} under ${rules}, ${atEnd}, on ${JSON.stringify([past, now])}`;
        for (const [does, run] of [
          [true, found.with],
          [false, found.without],
        ] as const) {
          const expected = shortest(does);
          if (run === null || run.length > 3) expect(expected, text).toBeNull();
          else expect(run.length, text).toBe(expected);
        }
        const answer =
          found.with === null
            ? found.without === null
              ? 'no-run'
              : 'never'
            : found.without === null
              ? 'always'
              : 'open';
        expect(found.answer, text).toBe(answer);
        seen.add(answer);
      }),
      { numRuns: RUNS / 2 },
    );
    expect([...seen].sort()).toEqual(expect.arrayContaining(['always', 'never', 'open']));
  });

  it('name the fewest steps before a call is allowed, and what is so on every way', () => {
    let later = 0;
    fc.assert(
      fc.property(situations, ([rules, past, now]) => {
        const isAllowed = keptBy(rules, past);
        /** All shortest ways of up to 2 steps. */
        let ways: Position[][] = [];
        let layer: Position[][] = [[]];
        for (let steps = 0; steps <= 2 && ways.length === 0; steps++) {
          const firsts = (run: readonly Position[]) =>
            run.length === 0 ? letters.filter(({ a, b }) => a === now.a && b === now.b) : letters;
          ways = layer.filter((run) =>
            firsts(run).some((state) => state.c && isAllowed([...past, ...run, state])),
          );
          layer = layer
            .flatMap((run) => firsts(run).map((next) => [...run, next]))
            .filter((run) => isAllowed([...past, ...run]));
        }
        const { answer, steps, landmarks } = askAt(rules, past, now).before({ name: 'go' });
        const text = `${rules} on ${JSON.stringify([past, now])}`;
        if (ways.length === 0) {
          expect(steps === null || steps > 2, text).toBe(true);
          return;
        }
        expect(steps, text).toBe(ways[0].length);
        expect(answer, text).toBe(ways[0].length === 0 ? 'now' : 'later');
        for (const { predicate } of landmarks)
          expect(
            ways.every((way) => way.some((step) => step[predicate])),
            text,
          ).toBe(true);
        if (answer === 'later') later++;
      }),
      { numRuns: 2 * RUNS },
    );
    expect(later).toBeGreaterThan(0);
  });

  it('plan by declared calls as a search through all of their sequences does', () => {
    const names = ['a', 'b', 'd'] as const;
    type State = Readonly<Record<(typeof names)[number], boolean>>;
    interface Declared {
      readonly needs: readonly [(typeof names)[number], boolean] | null;
      readonly sets: (typeof names)[number] | null;
      readonly clears: (typeof names)[number] | null;
    }
    const name = fc.constantFrom(...names);
    const action: fc.Arbitrary<Declared> = fc
      .record({
        needs: fc.option(fc.tuple(name, fc.boolean())),
        sets: fc.option(name),
        clears: fc.option(name),
      })
      .filter(({ sets, clears }) => sets === null || sets !== clears);
    const rules = fc.uniqueArray(
      fc.constantFrom('G !(a & b)', '!a W b', 'G (a -> X b)', 'G (d -> O a)', 'G (b -> WX !d)'),
      {
        minLength: 1,
        maxLength: 2,
      },
    );
    const state: fc.Arbitrary<State> = fc.record({ a: fc.boolean(), b: fc.boolean(), d: fc.boolean() });
    const states = letters.map(({ a, b, c }) => ({ a, b, d: c }));
    const alive = (formula: Formula, run: readonly State[], steps = 2): boolean =>
      holds(formula, run) || (steps > 0 && states.some((next) => alive(formula, [...run, next], steps - 1)));
    let [planned, unplanned] = [0, 0];
    fc.assert(
      fc.property(rules, fc.array(action, { minLength: 2, maxLength: 3 }), state, (texts, actions, begin) => {
        const formulas = texts.map((text) => parseFormula(text));
        const together = (run: readonly State[], steps = 2): boolean =>
          formulas.every((formula) => holds(formula, run)) ||
          (steps > 0 && states.some((next) => together([...run, next], steps - 1)));
        const isKept = (run: readonly State[]) =>
          formulas.every((formula) => alive(formula, run)) && together(run);
        const moved = (run: readonly State[], { needs, sets, clears }: Declared): State[] | null => {
          const now = run[run.length - 1];
          if (needs !== null && now[needs[0]] !== needs[1]) return null;
          const next = {
            ...now,
            ...(clears !== null && { [clears]: false }),
            ...(sets !== null && { [sets]: true }),
          };
          return isKept(run) && isKept([...run, next]) ? [...run, next] : null;
        };
        let expected: number | null = null;
        let layer: State[][] = [[begin]];
        for (let steps = 0; steps <= 3 && expected === null; steps++) {
          if (layer.some((run) => moved(run, actions[0]) !== null)) expected = steps;
          layer = layer.flatMap((run) =>
            actions.flatMap((one) => {
              const next = moved(run, one);
              return next === null ? [] : [next];
            }),
          );
        }
        const declared = Object.fromEntries(
          actions.map(({ needs, sets, clears }, i) => [
            `do${i}`,
            {
              ...(needs !== null && { requires: `${needs[1] ? '' : '!'}${needs[0]}` }),
              ...(sets !== null && { sets }),
              ...(clears !== null && { clears }),
            },
          ]),
        );
        const specification = parseSpecification(
          JSON.stringify({
            version: 1,
            predicates: { a: 'x', b: 'y', d: 'z' },
            actions: declared,
            rules: Object.fromEntries(texts.map((formula, i) => [`r${i}`, { formula, strategy: 'block' }])),
          }),
        );
        const ask = createAsk({ specification });
        ask.observe({ state: { x: begin.a, y: begin.b, z: begin.d } });
        const found = ask.before({ name: 'do0' });
        const text = JSON.stringify([texts, declared, begin]);
        if (expected === null) {
          expect(found.steps === null || found.steps > 3, text).toBe(true);
          unplanned++;
          return;
        }
        expect(found.steps, text).toBe(expected);
        planned += Number(expected > 0);
        const ranked = ask.instead({ name: 'do0' }).options;
        for (const { call, steps } of ranked) {
          const next = moved([begin], actions[Number(call.name.slice(2))]);
          expect(next, text).not.toBeNull();
          if (steps === 0) expect(moved(next as State[], actions[0]), text).not.toBeNull();
        }
      }),
      { numRuns: 2 * RUNS },
    );
    expect(Math.min(planned, unplanned)).toBeGreaterThan(0);
  });

  it('change nothing: neither the run that is followed, nor a guard', () => {
    const question = fc.constantFrom(
      (ask: Ask) => ask.may({ name: 'go' }),
      (ask: Ask) => ask.may({ name: 'stay' }, { outcome: { a: true } }),
      (ask: Ask) => ask.whyNot({ name: 'go' }),
      (ask: Ask) => ask.before({ name: 'go' }),
      (ask: Ask) => ask.owed(),
      (ask: Ask) => ask.instead({ name: 'go' }, [{ name: 'stay' }]),
      (ask: Ask) => ask.question('will a ever hold?'),
    );
    const event = fc.oneof(
      { weight: 2, arbitrary: letter.map((step) => ({ step })) },
      { weight: 3, arbitrary: question.map((put) => ({ put })) },
    );
    fc.assert(
      fc.property(rulesDrawn, fc.array(event, { maxLength: 10 }), (rules, events) => {
        const specification = specificationOf(rules);
        const guard = createGuard(compileRules(specification));
        const asked = createAsk({ specification, guard });
        const silent = createAsk({ specification, guard: createGuard(compileRules(specification)) });
        const stand = () =>
          JSON.stringify([
            guard.rules,
            guard.counters,
            guard.history.length,
            [...guard.observation.valuation],
          ]);
        for (const one of events) {
          if ('step' in one) {
            const { step } = one;
            for (const ask of [asked, silent]) ask.observe({ state: stateOf(step), action: callOf(step) });
            guard.step(stateOf(step), { action: callOf(step) });
          } else {
            const before = stand();
            one.put(asked);
            expect(stand()).toBe(before);
          }
        }
        for (const ask of [asked, silent]) ask.observe({ state: { x: true, y: false } });
        const answers = (ask: Ask) => [
          ask.step,
          ask.may({ name: 'go' }),
          ask.owed(),
          ask.before({ name: 'go' }),
        ];
        expect(answers(asked)).toEqual(answers(silent));
      }),
      { numRuns: RUNS },
    );
  });
});
