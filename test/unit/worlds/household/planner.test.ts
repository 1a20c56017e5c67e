import { describe, expect, it } from 'vitest';
import {
  applyAction,
  createScene,
  firstAction,
  holds,
  householdTasks,
  Random,
  type Subgoal,
} from '../../../../worlds/src/index.js';

/** Every subgoal in order, precautions included, with every action carried out as meant. */
function follow(plan: readonly Subgoal[], scene: Parameters<typeof createScene>[0], seed: number) {
  let state = createScene(scene, new Random(seed));
  const states = [state];
  for (const { reach } of plan) {
    for (let steps = 0; !holds(reach, state); steps++) {
      expect(steps).toBeLessThan(25);
      const action = firstAction(state, reach.find((literal) => !holds([literal], state))!);
      expect(action, JSON.stringify(reach)).toBeDefined();
      const result = applyAction(state, action!);
      expect(result.reason, JSON.stringify(action)).toBe('');
      states.push((state = result.state));
    }
  }
  return states;
}

describe('planning by regression', () => {
  it.each(householdTasks)('reaches the goal of $name with actions that all succeed, and safely', (task) => {
    for (let seed = 0; seed < 8; seed++) {
      const states = follow(task.plan, task.scene, seed);
      expect(states.some((state) => holds(task.goal, state))).toBe(true);
      expect(states.every((state) => !holds(task.unsafe, state))).toBe(true);
    }
  });

  it('carries out every shortcut', () => {
    const shortcuts = householdTasks.flatMap((task) =>
      task.plan.flatMap(({ instead }, index) => (instead ? [{ task, index, instead }] : [])),
    );
    expect(shortcuts.length).toBeGreaterThanOrEqual(4);
    for (const { task, index, instead } of shortcuts) {
      const careless = task.plan.slice(0, index).filter(({ skip }) => skip === undefined);
      follow([...careless, ...instead.plan], task.scene, 1);
    }
  });

  it('finds nothing for what no action brings about', () => {
    const state = createScene(householdTasks[0].scene, new Random(1));
    expect(
      firstAction(state, { kind: 'field', object: 'Potato', field: 'isCooked', value: false }),
    ).toBeUndefined();
    expect(firstAction(state, { kind: 'room', room: 'Bedroom', value: true })).toBeUndefined();
  });
});
