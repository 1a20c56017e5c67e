import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bindAutomaton, buildAutomaton, VIOLATED } from '../../../../bindings/languages/automaton/index.js';
import { deriveAbstraction, parseFormula } from '../../../../bindings/languages/logic/index.js';
import { Abstraction } from '../../../../bindings/observations/abstraction/index.js';
import { createDrive, drivingScenarios } from '../../../../worlds/src/index.js';
import { sharedData } from '../../../shared.js';
import { LawVerdict } from './lawVerdict.js';

const DRIVES = 400;

/** Shares of 400 drives, seeds 0 to 399, that break the law: bounds far from what is measured, and from 0 and 1. */
const shares: Record<string, readonly [number, number]> = {
  'yellow-light': [0.35, 0.6],
  'red-light': [0.12, 0.33],
  'left-turn': [0.08, 0.28],
  'red-queue': [0.15, 0.35],
  'red-light-in-snow': [0.12, 0.33],
  crosswalk: [0.07, 0.25],
  'traffic-jam': [0.35, 0.6],
  'fast-lane': [0.07, 0.25],
  'into-the-junction': [0.05, 0.2],
};

/** A comparison as numbers and names alone: 2 and 2.0, with spaces or without, are the same. */
const canonical = (expression: string): string => expression.replace(/\s|\.0(?!\d)/g, '');

/** The share of drives whose law is broken. */
function brokenShare(name: string, drives: number, hz: number): number {
  const scenario = drivingScenarios.find((one) => one.name === name)!;
  const law = new LawVerdict(scenario.formula, 1 / hz);
  let broken = 0;
  for (let seed = 0; seed < drives; seed++) {
    const drive = createDrive(scenario, { seed, hz });
    law.reset();
    do law.observe(drive.state);
    while (drive.step());
    if (law.broken) broken++;
  }
  return broken / drives;
}

describe('every scenario', () => {
  it('has a name of its own', () => {
    expect(Object.keys(shares).sort()).toEqual(drivingScenarios.map(({ name }) => name).sort());
  });

  it.each(Object.entries(shares))('%s breaks its law in a share of its drives', (name, [low, high]) => {
    const share = brokenShare(name, DRIVES, 10);
    expect(share).toBeGreaterThan(low);
    expect(share).toBeLessThan(high);
  });
});

describe('the laws', () => {
  sharedData('traffic-laws/laws.json', (path) => {
    it('are the recorded ones, whose windows count steps of 0.1 s', () => {
      const laws = JSON.parse(readFileSync(path, 'utf8'));
      const recorded = drivingScenarios.filter(({ law }) => law !== 'no collision');
      expect(recorded).toHaveLength(7);
      const automaton = (law: string) => {
        const { predicates, formulas } = deriveAbstraction([parseFormula(law)]);
        const built = buildAutomaton(formulas[0], { samplingPeriod: 0.1 });
        return { ...built, predicates: predicates.map(({ expression }) => canonical(expression)) };
      };
      for (const { law, formula } of recorded)
        expect(automaton(formula)).toEqual(automaton(laws[`rule${law}`]));
    });
  });

  it('are broken where their automata say so', () => {
    let broken = 0;
    for (const scenario of drivingScenarios) {
      const { predicates, formulas } = deriveAbstraction([parseFormula(scenario.formula)]);
      const abstraction = new Abstraction({ predicates });
      const automaton = buildAutomaton(formulas[0], { samplingPeriod: 1 / scenario.hz });
      const stepper = bindAutomaton(
        automaton,
        predicates.map(({ name }) => name),
      );
      const valuation = new Uint32Array(abstraction.words);
      const law = new LawVerdict(scenario.formula, 1 / scenario.hz);
      for (let seed = 0; seed < 10; seed++) {
        const drive = createDrive(scenario, { seed });
        law.reset();
        let state = automaton.initial;
        do {
          law.observe(drive.state);
          abstraction.encode(drive.state, {}, valuation);
          state = stepper.step(state, valuation);
        } while (drive.step());
        expect(law.broken, `${scenario.name}, seed ${seed}`).toBe(automaton.verdict[state] === VIOLATED);
        if (law.broken) broken++;
      }
    }
    expect(broken).toBeGreaterThan(8);
  });

  it('are broken about as often at 100 Hz', () => {
    for (const name of ['red-light', 'left-turn']) {
      const difference = brokenShare(name, 80, 100) - brokenShare(name, 80, 10);
      expect(Math.abs(difference), name).toBeLessThan(0.1);
    }
  });
});
