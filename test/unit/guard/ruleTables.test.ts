import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Automaton, SATISFIED, VIOLATED } from '../../../bindings/languages/automaton/index.js';
import { openTables, packTables } from '../../../bindings/runtime/guard/index.js';
import { justBelow, ruleOf } from './guardFiles.js';

const worlds = fc.integer({ min: 1, max: 12 }).chain((columns) =>
  fc.record({
    verdict: fc.array(fc.constantFrom(0, 0, 0, 1, 2), { minLength: columns, maxLength: columns }),
    // Rows of few kinds, as automata have.
    kinds: fc.array(fc.array(fc.boolean(), { minLength: columns, maxLength: columns }), {
      minLength: 1,
      maxLength: 3,
    }),
    kindOf: fc.array(fc.nat({ max: 2 }), { maxLength: 9 }),
  }),
);

it('tables have the bounds of every entry that is reached, and the widest of all others', () => {
  fc.assert(
    fc.property(worlds, ({ verdict, kinds, kindOf }) => {
      const columns = verdict.length;
      const automaton: Automaton = {
        predicates: [],
        states: columns,
        initial: 0,
        verdict,
        accepting: verdict.map(() => 0),
        roots: verdict.map((_, q) => -1 - q),
        nodes: [],
      };
      const isReached = (entry: number): boolean =>
        kinds[kindOf[Math.floor(entry / columns)] % kinds.length][entry % columns];
      // Each entry has bounds of its own, which six digits can hold.
      const upper = Array.from({ length: kindOf.length * columns }, (_, i) => (2 + i) / 1000);
      const lower = upper.map(justBelow);
      const half = upper.map((risk) => risk / 2);
      const tables = packTables(automaton, kindOf.length, isReached, {
        lower,
        upper,
        least: { lower: half, upper: half },
        most: { lower: half, upper },
        horizons: { 5: { lower: half, upper: half, confidenceUpper: upper } },
      });
      expect(tables.groups.length).toBeLessThanOrEqual(kinds.length);
      const rule = { ...ruleOf(automaton, [0]), tables };
      const { risk, confidence, least, most, horizons, entries } = openTables(rule);
      expect(confidence).toBeNull();
      let kept = 0;
      upper.forEach((bound, entry) => {
        const at = [Math.floor(entry / columns), entry % columns] as const;
        const decided = verdict[entry % columns];
        const isKept = decided === 0 && isReached(entry);
        kept += Number(isKept);
        const expected = isKept
          ? [lower[entry], bound]
          : [Number(decided === VIOLATED), Number(decided !== SATISFIED)];
        expect([risk.lower(...at), risk.upper(...at)]).toEqual(expected);
        if (!isKept) return;
        expect(least!.upper(...at)).toBe(half[entry]);
        expect(least!.lower(...at)).toBeLessThanOrEqual(half[entry]);
        expect(most!.upper(...at)).toBe(bound);
        const horizon = horizons.get('5')!;
        expect(horizon.risk.lower(...at)).toBeLessThanOrEqual(half[entry]);
        expect(horizon.confidence!.upper(...at)).toBe(bound);
      });
      expect(entries).toBe(kept);
    }),
  );
});
