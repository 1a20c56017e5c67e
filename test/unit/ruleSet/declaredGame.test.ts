import { describe, expect, it } from 'vitest';
import { checkRules } from '../../../bindings/rules/ruleSet/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';

const check = (rules: string, actions: string, rest = '') =>
  checkRules(
    parseSpecification(`version: 1
predicates:
  inKitchen: room == "kitchen"
  inBath: room == "bath"
  stoveOn: { when: stove.on, say: the stove is on, not: the stove is off }
  childHome: child.home
  power: mains.on
  phones: action.name == "phone"
${actions === '' ? '' : `actions: {\n${actions} }`}
rules: { rule: { formula: '${rules}' } }
${rest}`),
  );
const HOUSE = `  walk: { arguments: { to: [kitchen, bath] }, requires: '!in[to]', sets: 'in[to]', clears: 'in[*]' },
  light: { requires: power, sets: stoveOn },
  snuff: { clears: stoveOn },
  knock: { may: stoveOn },
  phone: {}`;
const found = (...args: Parameters<typeof check>) =>
  check(...args).findings.filter(({ kind }) => kind === 'unenforceable');

describe('the game about rules of a specification that declares actions', () => {
  it('finds nothing where sessions refuse what leads to a breach', () => {
    for (const rule of ['!inBath W inKitchen', 'G !(stoveOn & inBath)', 'G (inBath -> O phones)']) {
      expect(found(rule, HOUSE), rule).toEqual([]);
      expect(check(rule, HOUSE).notes, rule).toEqual([]);
    }
    // Without declared effects no call is known to decide these.
    expect(check('!inBath W inKitchen', '').notes[0]).toMatch(/no call is read/);
  });

  it('lets the environment have what nobody declares, and says what would have kept the rule', () => {
    const [game] = found('G (childHome -> !stoveOn)', HOUSE);
    expect(game.text).toBe(
      'rule "rule" is not enforced by refusing the calls that break it, since none does before the last step: step 0: call knock; ' +
        'step 1 with childHome and where the stove is on: every choice of the agent breaks it; at step 0, call walk to=kitchen in place of call knock would have kept it',
    );
    expect(game.trace?.[1]).toMatchObject({ childHome: true, stoveOn: true });
  });

  it('finds what no call can do in time', () => {
    const [game] = found('G (childHome -> WX stoveOn)', HOUSE);
    expect(game.text).toMatch(
      /^rule "rule" cannot be enforced, whatever the agent does: step 0: childHome; step 1/,
    );
    expect(game.text).toMatch(/where the stove is off: every choice of the agent breaks it$/);
    expect(found('G ((childHome & power) -> WX stoveOn)', HOUSE)[0].otherwise).toMatchObject({
      step: 0,
      agent: ['call light'],
    });
  });

  it('has uncertain effects turn out as badly as they can', () => {
    const knocks = `  knock: { may: stoveOn, requires: true }`;
    const [game] = found('G (childHome -> WX stoveOn)', knocks.replace(', requires: true', ''));
    expect(game.otherwise).toBeNull();
  });

  it('reads predicates over the call as the chosen call has them', () => {
    // A session refuses to phone while the stove is off, and while it is on it stays on.
    expect(found('G (phones -> WX stoveOn)', '  phone: {}, light: { sets: stoveOn }')).toEqual([]);
    expect(found('G (phones -> WX stoveOn)', '  phone: { sets: stoveOn }')).toEqual([]);
  });

  it('says what is too large', () => {
    const values = Array.from({ length: 41 }, (_, i) => `v${i}`);
    const report = check('G !stoveOn', `  light: { arguments: { how: [${values}] }, sets: stoveOn }`);
    expect(report.undecided[0].text).toMatch(
      /not decided whether declared calls can keep them: the declared actions are about 1 predicates in 41 calls, of 10 and 40/,
    );
  });
});
