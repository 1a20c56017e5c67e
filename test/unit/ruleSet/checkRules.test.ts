import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import { parseFormula } from '../../../bindings/languages/logic/index.js';
import {
  type CheckRulesOptions,
  checkRules,
  type RuleSetReport,
} from '../../../bindings/rules/ruleSet/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';

function check(rules: Readonly<Record<string, string>>, options: CheckRulesOptions = {}): RuleSetReport {
  return checkRules(
    Object.entries(rules).map(([name, text]) => ({ name, formula: parseFormula(text) })),
    options,
  );
}

const texts = (report: RuleSetReport): string[] => report.findings.map(({ text }) => text);

describe('checkRules', () => {
  it('finds rules that no run keeps or none breaks, and says what they rest on', () => {
    const constraints = [parseFormula('G !(on & open)')];
    const rules = {
      both: 'F (on & open)',
      never: 'G !(on & open)',
      self: 'a & (G !a)',
      fine: 'G (on -> open)',
    };
    expect(texts(check(rules, { constraints }))).toEqual([
      'rule "both" can never be kept: no run that the constraints allow keeps it',
      'rule "never" can never be broken: every run that the constraints allow keeps it',
      'rule "self" can never be kept: no run keeps it',
      'rule "fine" is never triggered: no run that the constraints allow that keeps it has a step with `on`',
    ]);
  });

  it('finds a smallest conflict among rules that have nothing to do with it', () => {
    const rules = { a: 'F a', x: 'G (x -> F y)', ab: 'G (a -> b)', y: 'F y', b: 'G !b' };
    const { findings } = check(rules);
    expect(findings).toMatchObject([{ kind: 'conflict', rules: ['a', 'ab', 'b'], because: [] }]);
    expect(findings[0].needs).toEqual([
      { rule: 'a', trace: [{ a: false, b: false }] },
      { rule: 'ab', trace: [{ a: true, b: false }] },
      { rule: 'b', trace: [{ a: true, b: true }] },
    ]);
  });

  it('finds that rules without a common predicate agree on no length of a run', () => {
    expect(check({ short: 'a & (WX false)', long: 'F (b & (X (X true)))' }).findings).toMatchObject([
      { kind: 'conflict', rules: ['short', 'long'] },
    ]);
    expect(check({ two: 'a & (X (WX false))', some: 'F<=1 b' }).findings).toEqual([]);
  });

  it('says which rules imply another one, and of two that say the same that they do', () => {
    expect(
      texts(
        check({ soon: 'G (a -> F<=2 b)', late: 'G (a -> F<=9 b)', same: 'G (a -> ((F<=2 b) | (b & b)))' }),
      ),
    ).toEqual([
      'rule "soon" says the same as "same": every run keeps both or neither; one of them forbids nothing of its own',
      'rule "late" is redundant: every run that keeps "same" keeps it',
      'rule "same" says the same as "soon": every run keeps both or neither; one of them forbids nothing of its own',
      'rule "same": its part `b & b` plays no role: with `false` in its place, every run keeps the rule or breaks it as before',
    ]);
  });

  it('finds parts that other rules make idle, and none in rules that are fine', () => {
    expect(texts(check({ known: 'G (pays -> known)', checked: 'G ((pays & known) -> asked)' }))).toEqual([
      'rule "checked": its part `known` plays no role: with `true` in its place, every run that keeps "known" keeps the rule or breaks it as before; without "known" a run shows otherwise: step 0: pays',
    ]);
    for (const rule of [
      'G (a -> O b)',
      '!a W b',
      'G count(a) <= 3',
      'G (a -> F<=3 b)',
      'F (a & (F b))',
      'G (a <-> b)',
    ])
      expect(texts(check({ rule })), rule).toEqual([]);
  });

  it('takes what stands before the window of W for neither helpful nor harmful', () => {
    // Where a does not hold at step 0, the rule holds: a may not be replaced by false.
    expect(texts(check({ rule: 'a W>=1 b' }))).toEqual([]);
  });

  it('judges each rule at its own end', () => {
    const formula = parseFormula('G (a -> F<=3 b)');
    const never = { name: 'never', formula: parseFormula('G !b') };
    const both = (atEnd: 'weak' | 'strong') =>
      checkRules([{ name: 'answers', formula, atEnd }, never]).findings;
    // A run may end while b is still due, if that is forgiven.
    expect(both('weak')).toEqual([]);
    expect(both('strong')).toMatchObject([
      { kind: 'neverTriggered', rules: ['answers'], because: ['never'] },
    ]);
  });

  it('knows what numbers, calls and constraints of a specification exclude, and leaves probabilities out', () => {
    const report = checkRules(
      parseSpecification(`
version: 1
predicates:
  reads: 'has(action.name) && action.name == "read"'
  sends: 'action.name == "send"'
  on: 'lamp == "on"'
  broken: 'lamp == "broken"'
constraints: { state: '!(on && broken)' }
samplingPeriod: 1s
rules:
  calls: { formula: 'G !(reads & sends)' }
  fast: { formula: 'G !(speed > 5)', threshold: 0.1 }
  slow: { formula: 'G !(speed > 3)', threshold: 0.1 }
  lamp: { formula: 'G (on -> !broken)', threshold: 0.1 }
  soon: { formula: 'G (reads -> F[0s,2s] sends)' }
  risk: { formula: 'P<0.1 [ F on ]' }
`),
    );
    expect(texts(report)).toEqual([
      'rule "calls" can never be broken: every run that the comparisons of its predicates allow keeps it',
      'rule "lamp" can never be broken: every run that the constraints allow keeps it',
      'rule "fast" is redundant: every run that the comparisons of its predicates allow that keeps "slow" keeps it',
    ]);
    expect(report.notes).toEqual([
      'rule "risk" bounds a probability, which a model keeps or breaks, not a run: it is not checked',
      'rules "fast" and "slow": no call is read, so refusing calls does not keep them; a guard without a model only notices that a rule is broken',
    ]);
  });

  it('finds rules that refusing calls does not keep, by the shortest play', () => {
    const rules = { after: 'G (pays -> X approved)', first: 'G (pays -> O approved)' };
    const report = check(rules, { agent: ['pays'] });
    expect(texts(report)).toEqual([
      'rule "after" is not enforced by refusing the calls that break it, since none does before the last step: step 0: approved and pays; step 1 without approved: every choice of the agent breaks it; at step 0, nothing in place of pays would have kept it',
    ]);
    expect(report.findings[0]).toMatchObject({
      kind: 'unenforceable',
      trace: [
        { pays: true, approved: true },
        { pays: false, approved: false },
      ],
      otherwise: { step: 0, agent: [] },
    });
    // Without a word of who decides what, nothing is said.
    expect(check(rules).findings).toEqual([]);
  });

  it('finds that the environment leaves the agent no choice, alone and between two rules', () => {
    const agent = ['calls', 'waits'];
    expect(texts(check({ alarm: 'G (fire -> (calls & open))' }, { agent }))).toEqual([
      'rule "alarm" cannot be enforced, whatever the agent does: step 0 with fire and without open: every choice of the agent breaks it',
    ]);
    const between = check({ must: 'G (fire -> calls)', mustNot: 'G (calls -> waited)' }, { agent });
    expect(texts(between)).toEqual([
      'rules "must" and "mustNot" cannot be enforced, whatever the agent does: step 0 with fire and without waited: every choice of the agent breaks one of them',
    ]);
    // The constraints may see to it that there is a choice.
    const constraints = [parseFormula('G (fire -> waited)')];
    expect(
      check({ must: 'G (fire -> calls)', mustNot: 'G (calls -> waited)' }, { agent, constraints }).findings,
    ).toEqual([]);
  });

  it('plays with the predicates of a specification that read no call, and notes rules that are of those alone', () => {
    const report = checkRules(
      parseSpecification(`
version: 1
predicates:
  sends: 'action.name == "send"'
  sent: 'calls.send > 0'
  busy: 'load > 5'
  full: 'load > 9'
rules:
  next: { formula: 'G (sends -> WX full)' }
  once: { formula: 'G (sends -> !sent)' }
  calm: { formula: 'G !(busy & (Y busy))' }
`),
    );
    // No play breaks rule "calm", which is nothing that a choice of a call decides.
    expect(texts(report)).toEqual([
      'rule "next" is not enforced by refusing the calls that break it, since none does before the last step: step 0: sends; step 1 without full: every choice of the agent breaks it; at step 0, nothing in place of sends would have kept it',
    ]);
    expect(report.notes).toEqual([
      'rule "calm": no call is read, so refusing calls does not keep it; a guard without a model only notices that a rule is broken',
    ]);
  });

  it('answers for many rules that have nothing in common, and says what it does not decide', () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`r${i}`, `G (a${i} -> F b${i})`]));
    expect(check(many)).toMatchObject({ findings: [], undecided: [] });
    const tangled = Object.fromEntries(
      Array.from({ length: 8 }, (_, i) => [`r${i}`, `G (a${i} -> F[2,6] (b & a${(i + 1) % 8}))`]),
    );
    const { undecided, rules } = check(tangled, { maxTuples: 500, maxStates: 2000 });
    expect(rules).toHaveLength(8);
    expect(undecided.length).toBeGreaterThan(0);
    expect(undecided[0].text).toMatch(/not decided .* 500/);
    const game = check(
      Object.fromEntries(
        Array.from({ length: 9 }, (_, i) => [`r${i}`, `G ((g & a${i}) -> F<=6 (h & b${i}))`]),
      ),
      { agent: ['g', 'h'], maxTuples: 200 },
    );
    expect(game.undecided.map(({ text }) => text).join()).toMatch(
      /not decided whether the agent can keep them: the game/,
    );
    const large = check({ large: 'G (a -> F[20,40] b)', small: 'G !c' }, { maxStates: 1000 });
    expect(large).toMatchObject({ rules: ['small'], findings: [], undecided: [{ rules: ['large'] }] });
    expect(large.undecided[0].text).toMatch(/^rule "large" is not checked: the rule's automaton/);
  });

  it('refuses bad input, and says where', () => {
    const formula = parseFormula('a');
    const twice = [
      { name: 'one', formula },
      { name: 'one', formula },
    ];
    expect(() => checkRules(twice)).toThrow(/two rules are named "one"/);
    expect(() => check({ p: 'P<0.1 [ F a ]' })).toThrow(/rule "p": a bound on a probability/);
    expect(() => check({ c: 'G x > 3' })).toThrow(/rule "c": the comparison x > 3 has no predicate/);
    expect(() => check({ w: 'F[0s,2s] a' })).toThrow(/rule "w": .*sampling period/);
    const constraints = [parseFormula('a & !a')];
    expect(() => check({ a: 'a' }, { constraints })).toThrow(InvalidArgumentError);
    expect(() => check({ a: 'a' }, { constraints })).toThrow(/no run satisfies the constraints/);
    expect(checkRules([])).toEqual({ rules: [], findings: [], undecided: [], notes: [] });
  });
});
