import type { Formula } from '../../logic/index.js';
import { and, binary, implies, not, unary } from '../core/index.js';
import type { Tree } from '../grammar/chart.js';
import type { Choices } from './choices.js';
import { conditionAt, conjuncts } from './conditions.js';
import {
  every,
  finallyHolds,
  globally,
  listKind,
  members,
  missionFormula,
  missionOf,
  type Stage,
  some,
} from './visits.js';

/** `precede LIST CONDITION WORD DEMAND`: none of the list before the condition. */
export function precedence([, list, condition]: readonly Tree[], choices: Choices): Formula {
  const options = ['weak', 'strong', 'demand'] as ('weak' | 'strong' | 'demand' | 'now')[];
  if (choices.has('if', 'when', 'unless') || (choices.has('without') && choices.has('being')))
    options.push('now');
  const way = choices.pick('until', options);
  const places = members(list);
  if (way === 'now') return globally(implies(some(places), conditionAt(condition)));
  const parts = conjuncts(condition);
  const waited =
    parts.length > 1 && choices.pick('both', ['each', 'together']) === 'each' ? parts : [condition];
  const kept = (place: Formula): Formula =>
    every(waited.map((one) => binary(way === 'weak' ? 'W' : 'U', not(place), conditionAt(one))));
  // For "a or b" and for lists alike, none of them may come before.
  const all = every(places.map(kept));
  if (way !== 'demand') return all;
  const due = listKind(list) === 'or' ? finallyHolds(some(places)) : every(places.map(finallyHolds));
  return and(all, due);
}

const AFTER = ['mission', 'level', 'edge', 'gate'] as const;

/** `after LIST CONDITION` as stages of a mission; null if it is not meant so. */
export function stagesAfter([, list, condition]: readonly Tree[], choices: Choices): readonly Stage[] | null {
  if (choices.pick('after', AFTER) !== 'mission') return null;
  return [
    { all: conjuncts(condition).map(conditionAt), avoid: null },
    ...missionOf(['visit', list, null, null]).stages,
  ];
}

/** `after LIST CONDITION`: "go to b after a". */
export function afterwards([, list, condition]: readonly Tree[], choices: Choices): Formula {
  const mission = missionFormula(missionOf(['visit', list, null, null]), choices);
  const way = choices.pick('after', AFTER);
  const parts = conjuncts(condition);
  if (way === 'mission') return every(parts.map((part) => finallyHolds(and(conditionAt(part), mission))));
  if (way === 'gate')
    return precedence(['precede', list, condition, 'after', 'perhaps'], forced(choices, 'demand'));
  const holds =
    parts.length > 1 && choices.pick('both', ['each', 'together']) === 'each'
      ? parts.map((part) => unary('O', conditionAt(part))).reduce((one, other) => and(one, other))
      : conditionAt(condition);
  return reaction(holds, way, mission);
}

/** `path? A B`: "go to a before b". */
export function beforehand([, one, other]: readonly Tree[], choices: Choices): Formula {
  const [a, b] = [one, other].map(conditionAt);
  switch (choices.pick('before', ['mission', 'gate', 'strong', 'weak'])) {
    case 'mission':
      return finallyHolds(and(a, finallyHolds(b)));
    case 'gate':
      return and(binary('U', not(b), a), finallyHolds(b));
    case 'strong':
      return binary('U', not(b), a);
    default:
      return binary('W', not(b), a);
  }
}

/** An answer to each step at which the condition holds, or begins to. */
export function reaction(condition: Formula, way: string, answer: Formula): Formula {
  const trigger = way === 'edge' ? and(condition, unary('WY', not(condition))) : condition;
  return globally(implies(trigger, answer));
}

function forced(choices: Choices, until: string): Choices {
  const pick: Choices['pick'] = (name, options) =>
    name === 'until'
      ? (options as readonly string[]).includes(until)
        ? (until as never)
        : options[0]
      : choices.pick(name, options);
  return { pick, has: choices.has.bind(choices) } as Choices;
}
