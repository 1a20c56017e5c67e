import type { Rule, Tree } from './chart.js';
import { ruleList, same } from './rule.js';

/** How often something is visited or holds: `count NAME KIND N`; KIND is `most`, `least`, `exact`, or `said` where only the number is. */
export function countRules(): readonly Rule[] {
  const { rules, rule } = ruleList();
  rule('Times', 'once\none time\na single time', () => 1);
  rule('Times', 'twice', () => 2);
  rule('Times', 'thrice', () => 3);
  rule(
    'Times',
    '# separate|distinct|different|individual? time|times|occasion|occasions|visit|visits|trip|trips|stop|stops',
    same,
  );
  rule('Ordinal', 'first', () => 1);
  rule('Ordinal', 'second', () => 2);
  rule('Ordinal', 'third', () => 3);
  rule('Ordinal', 'fourth', () => 4);
  rule('Ordinal', 'fifth', () => 5);
  rule('Ordinal', 'sixth', () => 6);
  rule('Number', '#', same);
  rule('Number', 'Times', same);

  rule(
    'Count',
    '%atmost Times ,? %nomore?\nTimes %atmost\nTimes or fewer|less times?\n# or fewer|less times|visits',
    (n) => ['most', n],
  );
  rule('Count', 'fewer|less than or equal to Times\nequal to? or less|fewer than Times', (n) => ['most', n]);
  rule('Count', 'fewer|less than Times', (n) => ['most', (n as number) - 1]);
  rule(
    'Count',
    '%atleast Times\nTimes %atleast\nTimes or more times|often?\n# or more separate|distinct|different? times|occasions|visits\n# separate|distinct|different? times|occasions or more\nTimes , or more\nTimes , if not more',
    (n) => ['least', n],
  );
  rule('Count', 'more than Times', (n) => ['least', (n as number) + 1]);
  rule(
    'Count',
    '%exactly Times\n%exactly Times ,? %nomore\nonly|but Times\nTimes only\nTimes exactly\nTimes ,? %nomore',
    (n) => ['exact', n],
  );
  rule('Count', 'Times and|but only|exactly|just Times', (n, other) =>
    n === other ? ['exact', n] : ['nope'],
  );
  rule('Count', 'Times', (n) => ['said', n]);

  const count = (name: Tree, how: Tree): Tree => ['count', name, ...(how as readonly Tree[])];
  rule(
    'Unit',
    '%may? %goto Name ,? but|on|for? Count\nName %mustbe only? be? %been ,? on|for? Count\n%going Name on|for? Count is|are allowed|permitted|required',
    count,
  );
  rule('Unit', 'Name are|is allowed to? be? %been on|for? Count', count);
  rule(
    'Unit',
    'Count ,? %please? %goto Name\non|for Count ,? %please? %goto Name\nmake|pay Count to Name\nyou have|get|are? allowed|permitted? Count to Name\nCount to Name are|is? allowed|permitted|required?\nthere must|should|can|may be Count to Name',
    (how, name) => count(name, how),
  );
  // Under "never": the other way round.
  rule('NoCount', 'any? more than Times', (n) => ['most', n]);
  rule(
    'NoCount',
    'Times or more times|often?\n# or more separate|distinct|different? times|occasions|visits\n# separate|distinct|different? times|occasions or more\n%atleast Times',
    (n) => ['most', (n as number) - 1],
  );
  rule('NoCount', 'a|the Ordinal time', (n) => ['most', (n as number) - 1]);
  rule('NoCount', 'fewer|less than Times', (n) => ['least', n]);
  rule(
    'Unit',
    '%never %goto Name on|for? NoCount\nName %mustnot be? %been on|for? NoCount\n%going Name NoCount is prohibited|forbidden\n%going Name NoCount is not allowed|permitted',
    count,
  );
  rule('Unit', '%never make|pay NoCount to Name\nyou are not allowed NoCount to Name', (how, name) =>
    count(name, how),
  );
  rule(
    'Unit',
    'the maximum number|allowable of? separate|distinct|allowable? visits|times|passes to|through|you? can? visit? Name is|are Number\nlimit|restrict|keep your|the? number? of? visits|trips to Name to Number\nlimit|restrict|keep your|the? number? of? visits|trips to Name to %atmost Number',
    (name, n) => ['count', name, 'most', n],
  );
  // "… it again".
  rule(
    'Again',
    '%never %goto it|there again\n%never go|return there|back again?\n%never return\n%never come|go|get back to it|there\n%never reenter it\n%avoid it\nit is locked|forbidden|prohibited|closed',
    () => null,
  );
  rule(
    'Unit',
    '%never %goto Name again after %going it|there? already? Times?\n%never %goto Name again after|once you have been there already? Times?\n%never %goto Name again after|once you have %been it|there already? Times?',
    (name, n) => ['count', name, 'most', n ?? 1],
  );
  rule('Unit', '%never %goto Name again after %going Name already? Times?', (name, other, n) =>
    name === other ? ['count', name, 'most', n ?? 1] : ['nope'],
  );
  rule(
    'Unit',
    'after|once %going Name for the Ordinal time ,? Again\nafter|once you leave|enter Name for the Ordinal time ,? Again',
    (name, n) => ['count', name, 'most', n],
  );
  rule('Unit', 'after|once %going Name Times ,? Again', (name, n) => ['count', name, 'most', n]);
  rule('Unit', 'after|once %going Name Times ,? %never %goto Name again', (name, n, other) =>
    name === other ? ['count', name, 'most', n] : ['nope'],
  );
  // What holds: its stretches or its steps are meant.
  rule(
    'Unit',
    'Name holds|happens|occurs Count\nName must|should|will|may|can hold|happen|occur Count',
    (name, how) => ['counted', name, ...(how as readonly Tree[])],
  );
  rule(
    'Unit',
    'Name never|not holds|happens|occurs NoCount\nName %mustnot hold|happen|occur NoCount',
    (name, how) => ['counted', name, ...(how as readonly Tree[])],
  );
  return rules;
}
