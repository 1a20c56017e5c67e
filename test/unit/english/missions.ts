/**
 * Own wordings of the mission patterns of Menghi et al. (2019, doi 10.1109/TSE.2019.2945329), as different people would write them, with the formula that is meant. They were
 * written before the grammar was tried on them. `null`: no meaning on runs that end.
 */
const stretches = (p: string, n: number): string =>
  n === 1 ? `(F ${p})` : `(F (${p} & (F (!${p} & ${stretches(p, n - 1)}))))`;
const exactly = (p: string, n: number): string => `${stretches(p, n)} & (!${stretches(p, n + 1)})`;
const strict = (...names: readonly string[]): string =>
  [
    ...names.slice(1).map((name, i) => `(!${name} U ${names[i]})`),
    ...names.slice(1).map((name, i) => `(!${names[i]} U (${names[i]} & (X (!${names[i]} U ${name}))))`),
    `(F ${names.at(-1)})`,
  ].join(' & ');
const ordered = (...names: readonly string[]): string =>
  [...names.slice(1).map((name, i) => `(!${name} U ${names[i]})`), `(F ${names.at(-1)})`].join(' & ');
const fair = (...names: readonly string[]): string =>
  names
    .map((name, i) => `(F ${name}) & (G (${name} -> WX (!${name} W ${names[(i + 1) % names.length]})))`)
    .join(' & ');

export const MISSIONS: readonly {
  readonly pattern: string;
  readonly formula: string | null;
  readonly sentences: string;
}[] = [
  {
    pattern: 'visit',
    formula: '(F a) & (F b)',
    sentences: `
      Visit a and b.
      You should visit both a and b at some point
      The robot must eventually reach a and b, in any order
      Make sure that you go to a and that you go to b
      At some point go to a; at some point go to b.
      a and b must both be visited
      Do not finish before you have visited a and b
      Reach a as well as b
      I want you to visit a and b
      The places to visit are a and b.
      Drop by a and b in whichever order you prefer`,
  },
  {
    pattern: 'sequenced visit',
    formula: 'F (a & (F (b & (F c))))',
    sentences: `
      Visit a, then b, then c.
      Go to a. After that, go to b. Then go to c.
      First visit a, next visit b and finally visit c
      Visit a, b and c one after another
      a should be visited, then b and then c
      Start with a, then go to b, and end at c
      After visiting a, go to b, and after visiting b, go to c`,
  },
  {
    pattern: 'ordered visit',
    formula: ordered('a', 'b', 'c'),
    sentences: `
      Visit a, b and c in that order, but never visit b before a, nor c before b
      Go to a, then to b, then to c, and do not visit a later place before an earlier one
      Visit a before b and b before c, and visit all of them
      Visit a, b and c strictly in this order
      Visit c, but only after b, and b only after a`,
  },
  {
    pattern: 'strict ordered visit',
    formula: strict('a', 'b'),
    sentences: `
      Visit a exactly once before visiting b
      Go to a and then to b, and do not go to a again before b
      Visit a then b, but a only once before b
      Visit a, and without returning to a, visit b
      Visit a and b in strict order, without going back to a before b is reached`,
  },
  {
    pattern: 'fair visit',
    formula: fair('a', 'b', 'c'),
    sentences: `
      Visit a, b and c fairly
      Visit a, b and c equally often
      Visit a, b and c in a fair manner
      Visit a, b and c the same number of times`,
  },
  {
    pattern: 'patrolling',
    formula: null,
    sentences: `
      Patrol a, b and c
      Keep visiting a, b and c
      Visit a, b and c infinitely often
      Surveil a and b
      You must visit a and b again and again
      Monitor a and b continuously
      a has to be visited over and over
      Always come back to a`,
  },
  {
    pattern: 'sequenced, ordered, strict and fair patrolling',
    formula: null,
    sentences: `
      Patrol a, b and c in that order
      Keep visiting a, then b, then c
      Visit a, then b, then c, over and over
      Patrol a and b, always a before b
      Patrol a, b and c fairly
      Repeatedly go to a and then to b`,
  },
  {
    pattern: 'past avoidance',
    formula: '!a U b',
    sentences: `
      Do not visit a until b has been visited
      Avoid a until b
      You may not enter a before you have entered b
      Stay out of a until you have been to b
      Never go to a before b has been reached
      a is forbidden until b is visited
      Keep away from a until b happens
      Before you visit b, do not visit a
      You can only go to a once you have visited b
      Until you have visited b, a is off limits
      As long as you have not visited b, do not visit a
      a must not be visited until b is
      Unless b has been visited, do not go to a
      Don't enter a till b`,
  },
  {
    pattern: 'global avoidance',
    formula: '(G !a) & (G !b)',
    sentences: `
      Never visit a or b
      Avoid both a and b at all times
      Stay clear of a and b
      Neither a nor b may ever be visited
      Neither visit a nor b
      a and b are off limits
      Do not go to either a or b
      You must never enter a and never enter b
      At no point visit a or b
      Under no circumstances go to a or b
      Visiting a or b is not allowed
      It is forbidden to visit a or b
      a and b should always be avoided`,
  },
  {
    pattern: 'future avoidance',
    formula: 'G (a -> X (G !b))',
    sentences: `
      Once you have visited a, never visit b
      After visiting a, do not go to b
      After a, avoid b
      If you visit a, you must not visit b afterwards
      After you go to a, b is forbidden
      Do not visit b after visiting a
      Never go to b once you have been to a
      Avoid b after a
      As soon as a has been visited, b must not be visited anymore
      When you have reached a, stay away from b for the rest of the run
      Having visited a, never visit b again
      From the moment you visit a, avoid b
      b must never be visited after a`,
  },
  {
    pattern: 'upper restricted avoidance',
    formula: `!${stretches('a', 3)}`,
    sentences: `
      Visit a at most twice
      Do not visit a more than two times
      You may visit a no more than twice
      a can be visited at most 2 times
      Never visit a three or more times
      The robot is allowed to enter a a maximum of two times
      Limit visits to a to two
      a may be entered not more than twice
      Visit a up to two times, not more
      Go to a two times at most
      You cannot go to a more than twice
      Do not enter a a third time
      You have at most two visits to a
      After visiting a twice, do not visit it again`,
  },
  {
    pattern: 'lower restricted avoidance',
    formula: stretches('a', 3),
    sentences: `
      Visit a at least three times
      You must visit a three or more times
      Go to a no fewer than 3 times
      a has to be visited at least thrice
      Make at least three visits to a
      Visit a a minimum of three times
      Enter a on at least three occasions
      The robot must go to a at least three separate times
      Do not visit a less than three times
      Visit a more than twice
      You should visit a not less than 3 times
      You have to be in a at least three times
      a should be visited three times or more
      Go to a at least three different times`,
  },
  {
    pattern: 'exact restricted avoidance',
    formula: exactly('a', 2),
    sentences: `
      Visit a exactly twice
      Go to a exactly two times
      Visit a twice, no more and no less
      You must visit a two times, not more and not less
      a must be visited exactly 2 times
      Visit a only twice
      Visit a twice and only twice
      Make exactly two visits to a
      Visit a precisely two times
      Enter a just twice
      Visit a twice
      Visit a two times and then never again
      Visit a exactly two separate times`,
  },
  {
    pattern: 'exact restricted avoidance, once',
    formula: exactly('a', 1),
    sentences: `
      Visit a exactly once
      Visit a once
      Go to a once and only once
      Visit a only one time
      a must be visited exactly one time
      Visit a once and never again
      You should enter a just once`,
  },
  {
    pattern: 'instantaneous reaction',
    formula: 'G (a -> b)',
    sentences: `
      Whenever a holds, b must hold at the same time
      Every time you are in a, b must hold
      If a happens, b must happen immediately
      Whenever a, then b at the same time
      If a holds then b holds
      Each time a is true, b is true too
      a implies b at every step
      In every step in which a holds, b holds as well
      b must hold while a holds
      Whenever you enter a, immediately do b`,
  },
  {
    pattern: 'delayed reaction',
    formula: 'G (a -> (F b))',
    sentences: `
      Whenever you visit a, you must eventually visit b
      If a happens, b must happen at some point later
      Every time a occurs, b eventually occurs
      After each visit to a, visit b at some point
      Once a has been visited, b has to be visited eventually
      a must always be followed by b at some point
      Every visit to a must eventually be followed by a visit to b
      Each a is eventually followed by b
      If you go to a, go to b sooner or later
      When a is visited, b has to be visited later on
      Any time you visit a, you also have to visit b some time after
      Visiting a requires visiting b afterwards
      Whenever a occurs, b will occur in the future
      b must eventually follow every a`,
  },
  {
    pattern: 'prompt reaction',
    formula: 'G (a -> (X b))',
    sentences: `
      Whenever you visit a, visit b in the next step
      Whenever a holds, b holds at the next time step
      If a is visited, b must be visited immediately afterwards
      Every time a occurs, b must occur next
      Right after every visit to a, visit b
      Every time you visit a, go to b next
      After each a, b must follow at the next step
      Go to b immediately after you visit a
      If you go to a, you must go to b right after
      Each time you enter a, the very next thing must be b`,
  },
  {
    pattern: 'bound reaction',
    formula: 'G ((a -> b) & (b -> a))',
    sentences: `
      b holds if and only if a holds
      Visit b if and only if you are in a
      b must hold exactly when a holds
      b happens whenever a happens and only then
      a and b always hold together
      Always when a holds, b holds, and only then
      Be in b if and only if you are in a
      a holds just when b holds
      Whenever a holds b holds, and whenever b holds a holds`,
  },
  {
    pattern: 'bound delay',
    formula: 'G ((a -> (X b)) & ((X b) -> a))',
    sentences: `
      b holds in the next step if and only if a holds
      Visit b in the next step if and only if you visit a now
      Visit b at the next step if and only if a is visited
      If and only if a holds, b holds at the next time step
      If and only if you visit a, visit b in the next step`,
  },
  {
    pattern: 'wait',
    formula: 'a U b',
    sentences: `
      Stay in a until b
      Wait in a until b happens
      Remain at a until b holds
      Do not leave a until b
      a must hold until b holds
      Wait at a till b occurs
      Stay in a as long as b has not happened
      Until b, stay in a
      Keep a true until b becomes true
      You must remain in a until you see b
      Stay at a and do not leave before b
      Do not move from a until b happens`,
  },
];
