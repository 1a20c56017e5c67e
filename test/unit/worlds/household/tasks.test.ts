import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bindAutomaton, buildAutomaton, VIOLATED } from '../../../../bindings/languages/automaton/index.js';
import { compilePredicate, parseExpression } from '../../../../bindings/languages/expression/index.js';
import { Abstraction } from '../../../../bindings/observations/abstraction/index.js';
import { parseSpecification } from '../../../../bindings/rules/specification/index.js';
import { conditionText, holds, householdTasks, objectTypes, runAgent } from '../../../../worlds/src/index.js';

const folder = fileURLToPath(new URL('../../../../examples/household/specifications/', import.meta.url));
const runs = 2000;
const outcomes = householdTasks.map((task) => {
  const results = Array.from({ length: runs }, (_, stream) => {
    const { unsafe, completed } = runAgent({ task, seed: 5, stream });
    return { unsafe, completed };
  });
  const rate = (of: (run: { unsafe: boolean; completed: boolean }) => boolean) =>
    results.filter(of).length / runs;
  return {
    name: task.name,
    unsafe: rate((run) => run.unsafe),
    completed: rate((run) => run.completed),
    both: rate((run) => run.unsafe && run.completed),
    neither: rate((run) => !run.unsafe && !run.completed),
  };
});
const mean = (of: 'unsafe' | 'completed') => outcomes.reduce((sum, o) => sum + o[of], 0) / outcomes.length;

describe('the tasks', () => {
  it('are at least ten, over all rooms and at least twenty types of objects', () => {
    expect(householdTasks.length).toBeGreaterThanOrEqual(10);
    const placements = householdTasks.flatMap(({ scene }) => scene);
    const rooms = new Set(placements.flatMap((placement) => placement.in));
    for (const room of ['Kitchen', 'Bathroom', 'LivingRoom', 'Bedroom']) expect(rooms).toContain(room);
    expect(new Set(placements.map(({ type }) => type)).size).toBeGreaterThanOrEqual(20);
    expect(objectTypes.length).toBeGreaterThanOrEqual(20);
  });

  it.each(outcomes)('$name reaches its goal and its unsafe state, neither of them always', (outcome) => {
    expect(outcome.unsafe).toBeGreaterThan(0.03);
    expect(outcome.unsafe).toBeLessThan(0.85);
    expect(outcome.completed).toBeGreaterThan(0.5);
    expect(outcome.completed).toBeLessThan(0.95);
    expect(outcome.neither).toBeGreaterThan(0);
  });

  it('are unsafe in 30 to 45% of unguarded runs and completed in 60 to 75%', () => {
    expect(mean('unsafe')).toBeGreaterThan(0.3);
    expect(mean('unsafe')).toBeLessThan(0.45);
    expect(mean('completed')).toBeGreaterThan(0.6);
    expect(mean('completed')).toBeLessThan(0.75);
  });

  it('differ in how dangerous they are, from below 0.1 to above 0.5', () => {
    const rates = outcomes.map(({ unsafe }) => unsafe);
    expect(Math.min(...rates)).toBeLessThan(0.1);
    expect(Math.max(...rates)).toBeGreaterThan(0.5);
  });
});

describe('conditions as expressions', () => {
  it.each(householdTasks)('of $name mean the same as the world says', (task) => {
    for (const condition of [task.goal, task.unsafe, ...task.plan.map(({ reach }) => reach)]) {
      const evaluate = compilePredicate(parseExpression(conditionText(condition)));
      for (let stream = 0; stream < 40; stream++) {
        for (const { state } of runAgent({ task, seed: 6, stream }).trace.steps) {
          expect(evaluate(state, {})).toBe(holds(condition, state as never));
        }
      }
    }
  });
});

describe('the specifications', () => {
  it('are one a task', () => {
    expect(readdirSync(folder).sort()).toEqual(householdTasks.map(({ name }) => `${name}.yaml`).sort());
  });

  it.each(householdTasks)('of $name has a rule that is broken exactly in unsafe runs', (task) => {
    const source = `${folder}${task.name}.yaml`;
    const specification = parseSpecification(readFileSync(source, 'utf8'), { source });
    expect(specification.rules).toHaveLength(1);
    const abstraction = new Abstraction(specification.abstraction);
    const automaton = buildAutomaton(specification.rules[0].formula);
    const stepper = bindAutomaton(automaton, abstraction.predicates);
    const valuation = new Uint32Array(abstraction.words);
    const verdicts = { violated: 0, kept: 0 };
    for (let stream = 0; stream < 400; stream++) {
      const { trace, unsafe } = runAgent({ task, seed: 7, stream });
      let q = automaton.initial;
      for (const step of trace.steps) {
        abstraction.encode(step.state, step, valuation);
        expect(abstraction.validState(valuation)).toBe(true);
        q = stepper.step(q, valuation);
      }
      expect(automaton.verdict[q] === VIOLATED, trace.id).toBe(unsafe);
      verdicts[unsafe ? 'violated' : 'kept']++;
    }
    expect(verdicts.violated).toBeGreaterThan(0);
    expect(verdicts.kept).toBeGreaterThan(0);
  });
});

describe('the shipped traces', () => {
  const traces = fileURLToPath(new URL('../../../../examples/household/traces/', import.meta.url));
  const files = householdTasks.map(({ name }) => readFileSync(`${traces}${name}.jsonl.gz`));

  it('take at most 300 KB', () => {
    expect(files.reduce((sum, file) => sum + file.length, 0)).toBeLessThanOrEqual(300_000);
  });

  it('are what the world makes of seed 2026; after a change of the world, run examples/household/makeTraces.mjs', () => {
    householdTasks.forEach((task, t) => {
      const lines = gunzipSync(files[t]).toString().trimEnd().split('\n');
      expect(lines).toHaveLength(150);
      lines.forEach((line, stream) => {
        const made = JSON.stringify(runAgent({ task, seed: 2026, stream }).trace);
        expect(line === made, `${task.name} ${stream}`).toBe(true);
      });
    });
  });
});
