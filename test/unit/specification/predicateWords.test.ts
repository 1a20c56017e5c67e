import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import {
  createPruner,
  explainRule,
  explainStep,
  explainVerdict,
} from '../../../bindings/runtime/explanation/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';

const written = (predicates: string): string => `version: 1
predicates:
${predicates}
rules:
  watch: { formula: G (stoveOn -> inKitchen), strategy: block }
  soon: { formula: G (stoveOn -> F<=3 !stoveOn), strategy: block }
  calm: { formula: G speed < 2, strategy: block }
`;
const PLAIN = '  stoveOn: stove.on\n  inKitchen: room == "Kitchen"';
const SPOKEN =
  '  stoveOn: { when: stove.on, say: the stove is on, not: the stove is off }\n  inKitchen: { when: room == "Kitchen", say: the robot is in the kitchen }';
const plain = parseSpecification(written(PLAIN));
const spoken = parseSpecification(written(SPOKEN));
const valid = new Ajv({ allErrors: true }).compile(
  JSON.parse(readFileSync(new URL('../../../schema/specification.schema.json', import.meta.url), 'utf8')),
);

function problems(predicates: string): string {
  try {
    parseSpecification(written(predicates), { source: 's.yaml' });
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('predicates with words', () => {
  it('mean the same as without', () => {
    const names = ({ abstraction }: typeof plain): unknown => abstraction.predicates;
    expect(names(spoken)).toEqual(names(plain));
    expect(spoken.words).toEqual({
      stoveOn: { say: 'the stove is on', not: 'the stove is off' },
      inKitchen: { say: 'the robot is in the kitchen' },
    });
    expect(plain.words).toEqual({});
    expect(valid(parse(written(SPOKEN)))).toBe(true);
  });

  it('are kept in the guard file, with the English of the rules that read them; a file without words is as before', () => {
    const bare = compileRules(plain);
    const { words, ...file } = compileRules(spoken);
    expect(words).toEqual({
      stoveOn: { holds: 'the stove is on', not: 'the stove is off' },
      inKitchen: { holds: 'the robot is in the kitchen', not: 'the robot is not in the kitchen' },
    });
    expect(file.rules.map(({ english }) => english)).toEqual([
      'Whenever the stove is on, the robot is in the kitchen.',
      'Whenever the stove is on, the stove is off within 3 steps. What is still due when the run ends is not asked for.',
      undefined,
    ]);
    const rules = file.rules.map(({ english: _, ...rule }) => rule);
    expect({ ...file, rules, specificationHash: '' }).toEqual({ ...bare, specificationHash: '' });
    expect(Object.keys(bare)).not.toContain('words');
    expect(bare.rules.flatMap((rule) => Object.keys(rule))).not.toContain('english');
  });

  it('are spoken by refusals and explanations', () => {
    const said = (specification: typeof plain): readonly string[] => {
      const guard = createGuard(compileRules(specification));
      guard.step({ stove: { on: true }, room: 'Kitchen', speed: 1 });
      const due = explainRule(guard, 'soon')?.text ?? '';
      const step = guard.step({ stove: { on: true }, room: 'Hall', speed: 1 });
      return [guard.explain(step), explainStep(guard, step), due];
    };
    const [answer, reason, due] = said(spoken);
    expect(answer).toContain('breaks rule "watch" (Whenever the stove is on, the robot is in the kitchen).');
    expect(reason).toContain(
      'The rule is violated at step 1: at step 1 "the stove is on" held, and at step 1 "the robot is in the kitchen" did not hold.',
    );
    expect(due).toBe(
      'open after step 0: at step 0 "the stove is on" held, so "the stove is off" must come by step 3: 3 steps left',
    );
    const [bareAnswer, bareReason, bareDue] = said(plain);
    expect(bareAnswer).toContain('breaks rule "watch" (G (stoveOn -> inKitchen)).');
    expect(bareReason).toContain('at step 1 `stoveOn` held, and at step 1 `inKitchen` did not hold.');
    expect(bareDue).toBe(
      'open after step 0: at step 0 `stoveOn` held, so `!stoveOn` must come by step 3: 3 steps left',
    );
  });

  it('are spoken by explainVerdict and createPruner', () => {
    const words = { a: { say: 'the stove is on' } };
    expect(explainVerdict('G !a', [{ a: true }], { words }).text).toBe(
      'violated at step 0: at step 0 "the stove is on" held',
    );
    const pruner = createPruner({ rules: [{ name: 'never', formula: 'G (a -> b)' }], words });
    const { refused } = pruner.filterActions([{ action: 'x', valuation: { a: true, b: false } }]);
    expect(refused[0].explanation).toBe(
      '"never" would be violated at step 0: at step 0 "the stove is on" held, and at step 0 `b` did not hold',
    );
  });

  it.each([
    [
      '  stoveOn: { say: the stove is on }\n  inKitchen: room == "Kitchen"',
      's.yaml:3:12: predicate "stoveOn" has words, but no expression',
    ],
    ['  stoveOn: { when: stove.on, says: it is on }\n  inKitchen: room == "Kitchen"', 's.yaml:3:30: '],
    [
      '  stoveOn: { when: stove.on, say: [] }\n  inKitchen: room == "Kitchen"',
      'predicate "stoveOn": say must be text',
    ],
    [
      '  stoveOn: { when: stove.on, also: it burns }\n  inKitchen: room == "Kitchen"',
      'predicate "stoveOn": also must be a list',
    ],
    [
      '  stoveOn: { when: stove.on, say: "it (maybe) is on" }\n  inKitchen: room == "Kitchen"',
      's.yaml:3:12: predicate stoveOn is said as "it (maybe) is on", but it has a parenthesis',
    ],
    [
      '  stoveOn: { when: stove.on, say: it is so }\n  inKitchen: { when: room == "Kitchen", say: It is so }',
      'predicates stoveOn and inKitchen are both said as "It is so"',
    ],
    ['  stoveOn: { when: stove.on + , say: it is on }\n  inKitchen: room == "Kitchen"', 's.yaml:3:'],
  ])('%j is refused', (predicates, message) => {
    expect(problems(predicates)).toContain(message);
  });

  it.each([
    [{ nothing: { holds: 'x', not: 'y' } }, 'nothing'],
    [{ stoveOn: { holds: 'x' } }, 'words.stoveOn.not'],
    [{ stoveOn: { holds: 'x', not: 'y', maybe: 'z' } }, 'maybe'],
  ])('a guard file with the words %j is refused', (words, message) => {
    expect(() => createGuard({ ...compileRules(spoken), words } as never)).toThrow(message);
  });
});
