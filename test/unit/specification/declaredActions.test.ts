import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';

const head = `version: 1
predicates: { inKitchen: 'room == "kitchen"', inBath: 'room == "bath"', doorOpen: door.open }
rules: { order: { formula: '!inBath W inKitchen', strategy: block } }
`;
const valid = new Ajv({ allErrors: true }).compile(
  JSON.parse(readFileSync(new URL('../../../schema/specification.schema.json', import.meta.url), 'utf8')),
);
const written = (actions: string, rest = ''): string => `${head}actions:\n${actions}\n${rest}`;
const specified = (actions: string, rest = '') =>
  parseSpecification(written(actions, rest), { source: 's.yaml' });

function problems(actions: string, rest = ''): string {
  try {
    specified(actions, rest);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('declared actions of a specification', () => {
  const house = `  walk: { arguments: { to: [kitchen, bath] }, requires: '!in[to]', sets: 'in[to]', clears: 'in[*]' }
  open: { requires: inKitchen, sets: [doorOpen] }
  push: { arguments: { force: number }, sets: { doorOpen: force > 3 }, may: doorOpen }
  wait:
`;

  it('are read without a decision process', () => {
    const { declaredActions, abstraction } = specified(house);
    expect(declaredActions).toEqual({
      walk: { arguments: { to: ['kitchen', 'bath'] }, requires: '!in[to]', sets: 'in[to]', clears: 'in[*]' },
      open: { requires: 'inKitchen', sets: ['doorOpen'] },
      push: { arguments: { force: 'number' }, sets: { doorOpen: 'force > 3' }, may: 'doorOpen' },
      wait: {},
    });
    expect('actions' in abstraction).toBe(false);
    expect(valid(parse(written(house))), JSON.stringify(valid.errors)).toBe(true);
  });

  it('stand beside predicates that tell calls apart', () => {
    const mixed = `  open: { gently: 'force < 1', arguments: { force: number }, sets: doorOpen }`;
    const { declaredActions, abstraction } = specified(mixed, 'learning: { model: mdp }');
    expect(abstraction.actions).toEqual({ open: [{ name: 'gently', expression: 'force < 1' }] });
    expect(declaredActions.open).toEqual({ arguments: { force: 'number' }, sets: 'doorOpen' });
    expect(problems(mixed)).toMatch(
      /actions is about the actions of a decision process, and a chain knows none/,
    );
  });

  it('are none in specifications that have no actions, or only such predicates', () => {
    expect(parseSpecification(head).declaredActions).toEqual({});
    const old = specified(`  send: { abroad: 'to != "home"' }`, 'learning: { model: mdp }');
    expect(old.declaredActions).toEqual({});
    expect(old.abstraction.actions).toEqual({ send: [{ name: 'abroad', expression: 'to != "home"' }] });
  });

  it.each<[string, string, RegExp]>([
    [
      'an unknown predicate',
      '  open: { sets: doorOpn }',
      /s\.yaml:5:17: action "open": sets: unknown predicate "doorOpn"; did you mean "doorOpen"\?/,
    ],
    ['one in a list', '  open: { sets: [inBath, doorOpn] }', /s\.yaml:5:26: .*doorOpn/],
    ['one with a condition', '  open: { sets: { doorOpn: inBath } }', /s\.yaml:5:19: .*doorOpn/],
    [
      'a wrong condition',
      '  open: { sets: { doorOpen: inBaht } }',
      /s\.yaml:5:29: "inBaht" is neither a predicate nor a declared argument; did you mean "inBath"\?/,
    ],
    [
      'a wrong requirement',
      `  open: { requires: '!in[to] && inKitchn', arguments: { to: [bath] } }`,
      /s\.yaml:5:33: "inKitchn" is neither a predicate nor a declared argument; did you mean "inKitchen"\?/,
    ],
    [
      'an unknown argument',
      `  open: { arguments: { to: [bath] }, sets: 'in[ot]' }`,
      /in\[ot\] names the argument "ot", which is not declared; did you mean "to"\?/,
    ],
    [
      'a type that is none',
      '  open: { arguments: { force: nmber } }',
      /action "open": argument "force" has the type "nmber"; expected text, number/,
    ],
    ['no values', '  open: { arguments: { to: [] } }', /argument "to" has no values/],
    ['a value twice', '  open: { arguments: { to: [a, a] } }', /argument "to" has a value twice/],
    [
      'a value that is none',
      '  open: { arguments: { to: [null] } }',
      /each value is a text, a number, true or false/,
    ],
    [
      'words of call predicates',
      `  open: { wide: { when: 'x > 1', say: wide } }`,
      /s\.yaml:5:17: predicate "wide" of action "open" has fields, .* no rule reads it, so that it has no words/,
    ],
    ['what is no mapping', '  open: doorOpen', /action "open" must be a mapping, found "doorOpen"/],
    [
      'a number',
      '  open: { sets: 3 }',
      /action "open": sets, a predicate, a list of them or each with its condition, must be text, found 3/,
    ],
  ])('are refused with %s', (_, actions, message) => {
    expect(problems(actions)).toMatch(message);
  });

  it('name tools and arguments that are listed', () => {
    const tools = 'tools: { open: { arguments: { force: number } } }';
    expect(problems('  oepn: { sets: doorOpen }', tools)).toMatch(
      /s\.yaml:5:3: action "oepn" is declared, and tools does not list it; did you mean "open"\?/,
    );
    expect(problems('  open: { arguments: { farce: number } }', tools)).toMatch(
      /found "farce", which is no argument of "open" under tools; did you mean "force"\?/,
    );
  });
});
