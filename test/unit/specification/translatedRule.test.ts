import { describe, expect, it } from 'vitest';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';

const rule = (more: string, formula = '!inBathroom W inLivingRoom') => `version: 1
predicates:
  inBathroom: { when: room == "Bathroom", say: the robot is in the bathroom }
  inLivingRoom: room == "LivingRoom"
rules:
  taboo:
    formula: '${formula}'
    translated: >-
      treat the bathroom as taboo until
      a visit to the living room took place
    ${more}
`;
const CONFIRMED =
  'confirmed: { by: Ada, allowed: [[[]], [[inLivingRoom], [inBathroom]]], forbidden: [[[inBathroom]]] }';

describe('a translated rule', () => {
  it('is enforced if a person has confirmed it, and says their own sentence', () => {
    const specification = parseSpecification(rule(`${CONFIRMED}\n    strategy: block`));
    const [taboo] = specification.rules;
    expect(taboo).toMatchObject({
      provenance: 'translated',
      english: 'treat the bathroom as taboo until a visit to the living room took place',
    });
    const { rules } = compileRules(specification);
    expect(rules[0].english).toBe('treat the bathroom as taboo until a visit to the living room took place.');
  });

  it('may only report if nobody has', () => {
    expect(() => parseSpecification(rule('strategy: block'))).toThrow(
      /:8:5: rule "taboo" was translated by a language model/,
    );
    expect(() => parseSpecification(rule('{}').replace('{}', ''))).toThrow(/nobody has confirmed it/);
    for (const more of ['strategy: report', 'shadow: true'])
      expect(parseSpecification(rule(more)).rules[0].provenance).toBe('translated');
  });

  it.each([
    [
      'a run that the formula forbids',
      rule(CONFIRMED, 'G !inBathroom'),
      /the formula forbids this run, which was confirmed as allowed/,
    ],
    [
      'a run that the formula allows',
      rule(CONFIRMED, '(F inBathroom) | (G !inBathroom)'),
      /the formula allows this run, which was confirmed as forbidden/,
    ],
    ['no run', rule('confirmed: { by: Ada }'), /has no run, so that nothing was confirmed/],
    ['a run without steps', rule('confirmed: { by: Ada, allowed: [[]] }'), /run without steps/],
    [
      'an unknown predicate',
      rule('confirmed: { by: Ada, allowed: [[[inBathrom]]] }'),
      /names "inBathrom", which is no predicate/,
    ],
    ['nobody', rule('confirmed: { allowed: [[[]]] }'), /confirmed: by/],
    [
      'english beside it',
      rule(`${CONFIRMED}\n    english: Never go to the bathroom.`),
      /has english and translated|reader of English|different things/,
    ],
    [
      'no sentence',
      rule(CONFIRMED).replace('translated: >-', 'message: >-'),
      /confirmed goes with translated/,
    ],
  ])('is refused with %s', (_, text, why) => {
    expect(() => parseSpecification(text)).toThrow(why);
  });
});
