import type { Rule } from './chart.js';
import { ruleList, same } from './rule.js';

/** The patterns of Dwyer, Avrunin and Corbett (1999) in their scopes: `scope SCOPE CLAIM`. */
export function scopeRules(): readonly Rule[] {
  const { rules, rule } = ruleList();
  rule('Unit', 'Scope ,? Claim\nBounded ,? Claim', (scope, claim) => ['scope', scope, claim]);
  rule('Unit', 'Bounded ,? %please? %goto Name', (scope, name) => ['scope', scope, ['existence', name]]);
  rule('Bounded', 'globally\nin every run', () => ['globally']);
  rule('Bounded', 'before Cond', (r) => ['before', r]);
  rule('Scope', 'after Cond', (q) => ['after', q]);
  rule(
    'Bounded',
    'between Name and Name\nbetween Name %holds and Name %holds\nbetween State and State\nbetween %going Name and %going Name',
    (q, r) => ['between', q, r],
  );
  rule(
    'Bounded',
    'after Name until Name\nafter Name %holds? until Name %holds?\nafter State ,? until State\nafter %going Name ,? until %going Name',
    (q, r) => ['afteruntil', q, r],
  );
  rule(
    'Claim',
    '%itisnever Cond\n%never %goto Name\nName never|not %holds\nName must|should|can never hold|happen|occur\nName %fails',
    (c) => ['absence', c],
  );
  rule('Claim', '%itis Cond\nName always %holds\nName must|should|will always hold', (c) => [
    'universality',
    c,
  ]);
  rule(
    'Claim',
    'Name eventually %holds\nName must|should|has to? eventually hold|happen|occur\nName must|should|will hold|happen|occur eventually|sometime',
    (c) => ['existence', c],
  );
  rule(
    'Claim',
    'Name holds|happens|occurs during? %atmost # separate? stretches\nName holds|happens|occurs %atmost Times',
    (p, n) => ['bounded', p, n],
  );
  rule('Claim', '%whenever Name %holds ,? then? Name Later\nif Name %holds ,? then? Name Later', (p, s) => [
    'response',
    p,
    s,
  ]);
  rule(
    'Later',
    'eventually holds|hold|happens|occurs afterwards?\nmust|will|should eventually hold|happen|occur afterwards?\nmust|will|should hold|happen|occur eventually|afterwards',
    () => null,
  );
  rule(
    'Claim',
    'if Name %holds ,? then? Name held|happened|occurred before or %holds at the same time\nName must|can only hold|happen|occur after Name\nName is always preceded by Name\nName holds only after Name',
    (p, s) => ['precedence', p, s],
  );
  rule('Without', 'without Name in between|between?\nand no Name in between', same);
  // Chains: one thing and after it another.
  rule(
    'Chain',
    'Name and after it|that Name\nName and then Name\nName and afterwards Name\nName followed by Name',
    (s, t) => [s, t],
  );
  const cause = (p: string): string => `whenever ${p}\nif ${p}`;
  rule('Claim', cause('Name %holds ,? then? Chain eventually %holds ,? Without?'), (p, chain, z) => [
    'response12',
    p,
    chain,
    z,
  ]);
  rule('Claim', cause('Chain %holds ,? then? Name eventually holds|hold afterwards?'), (chain, p) => [
    'response21',
    p,
    chain,
  ]);
  rule('Claim', 'if Name %holds ,? then? Chain held|happened|occurred before', (p, chain) => [
    'precedence21',
    p,
    chain,
  ]);
  rule('Claim', 'if Chain %holds ,? then? Name held|happened|occurred before', (chain, p) => [
    'precedence12',
    p,
    chain,
  ]);
  return rules;
}
