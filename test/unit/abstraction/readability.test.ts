import { describe, expect, it } from 'vitest';
import { Readability } from '../../../bindings/observations/abstraction/index.js';
import type { Step } from '../../../bindings/observations/trace/index.js';

const step: Step = {
  state: {
    ego: { sped: 5 },
    npc: { lane: 1 },
    people: { ann: { name: 'Ann' } },
    objects: [{ isOpen: true, parts: [{ name: 'lid' }] }],
  },
  action: { name: 'open' },
};

/** The field of `notRecorded` for which a predicate cannot be read. */
const unread = (expression: string, ...fields: string[]) =>
  new Readability([{ name: 'p', expression }])
    .unread({
      id: 'a',
      notRecorded: Object.fromEntries(fields.map((field) => [field, 'no sensor'])),
      steps: [step],
    })
    .get('p')?.field;

describe('Readability', () => {
  it.each([
    ['speed > 3', 'speed'],
    ['npc.speed > 3', 'npc.speed'],
    ['people["ann"].age > 3', 'people.ann.age'],
    ['objects.exists(o, o.isUsedUp)', 'objects.isUsedUp'],
    ['objects[0].isUsedUp', 'objects.isUsedUp'],
    ['objects.filter(o, o.isOpen)[0].isUsedUp', 'objects.isUsedUp'],
    ['objects.all(o, o.parts.all(p, p.weight > 1))', 'objects.parts.weight'],
    ['action.arguments.city == "Bonn"', 'action.arguments'],
  ])('finds that %s reads %s, which is not recorded', (expression, field) => {
    expect(unread(expression, 'other', field)).toBe(field);
  });

  it('takes a field for not recorded whose path begins with one that is', () => {
    expect(unread('npc.speed > 3', 'npc')).toBe('npc');
    expect(unread('objects.exists(o, o.isUsedUp)', 'objects')).toBe('objects');
    expect(unread('npc.speed > 3', 'np')).toBeUndefined();
  });

  it.each([
    ['ego.speed > 3', 'npc.speed'],
    ['ego.speed > 3', 'speed'],
    ['speed > 3', 'npc.speed'],
    ['objects.exists(speed, speed.isUsedUp)', 'isUsedUp'],
    ['objects.exists(npc, npc.speed > 3)', 'npc.speed'],
    ['[npc][0].speed > 3', 'npc.speed'],
  ])('does not excuse %s by %s', (expression, field) => {
    expect(unread(expression, field)).toBeUndefined();
  });
});
