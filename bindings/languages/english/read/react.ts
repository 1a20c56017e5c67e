import type { Formula } from '../../logic/index.js';
import { and, binary, iff, not, predicate, steps, unary } from '../core/index.js';
import type { Tree } from '../grammar/chart.js';
import type { Choices } from './choices.js';
import { conditionAt, conditionSoFar } from './conditions.js';
import { stretches } from './count.js';
import { NoMeaning } from './noMeaning.js';
import { afterwards, reaction } from './order.js';

/** `react TRIGGER EFFECT`: what must follow, or must not, where a condition holds. */
export function reactionOf([, trigger, effect]: readonly Tree[], choices: Choices): Formula {
  const [word, condition] = trigger as readonly Tree[];
  const [kind, what] = effect as readonly Tree[];
  // "… never visit it again": after the first stretch of visits there is no other one.
  if (kind === 'ban' && what === null) {
    if (typeof condition !== 'string') throw new NoMeaning();
    return not(stretches(predicate(condition), 2));
  }
  const [, , timing] = effect as readonly Tree[];
  if (word === 'after' && kind === 'do' && (timing ?? null) === null)
    return afterwards(['after', ['one', what], condition], choices);
  return answered(trigger, effectOf(effect as readonly Tree[], trigger as readonly Tree[], choices), choices);
}

/** An answer where a condition holds, or begins to. */
export function answered(trigger: Tree, answer: Formula, choices: Choices): Formula {
  const [word, condition] = trigger as readonly Tree[];
  const isPoint = word === 'when' || word === 'after';
  const holds = isPoint ? conditionSoFar(condition, choices) : conditionAt(condition);
  const way = isPoint ? choices.pick('when', ['level', 'edge']) : 'level';
  return reaction(holds, way, answer);
}

/** `iffThen CONDITION EFFECT`: the effect where the condition holds, and nowhere else. */
export function bothWays([, condition, effect]: readonly Tree[], choices: Choices): Formula {
  const [kind, what, timing] = effect as readonly Tree[];
  if (kind === 'ban' || kind === 'doAll' || what === null) throw new NoMeaning();
  const content = conditionAt(what);
  const given = timing ?? (kind === 'do' ? choices.pick('soon', ['now', 'next']) : null);
  const answer = given === null || given === 'now' ? content : timed(content, given, condition, choices);
  return unary('G', iff(conditionAt(condition), answer));
}

function effectOf(
  [kind, what, timing]: readonly Tree[],
  [word, condition]: readonly Tree[],
  choices: Choices,
): Formula {
  const isWhile = word === 'while';
  if (kind === 'doAll') {
    const each = (what as readonly Tree[]).map((one) =>
      effectOf(['do', one, timing], [word, condition], choices),
    );
    return each.reduce(and);
  }
  // What "must not" be after something is meant from then on.
  if (
    word === 'after' &&
    kind === 'be' &&
    (timing ?? null) === null &&
    Array.isArray(what) &&
    what[0] === 'not'
  )
    return banOf(conditionAt(what[1]), false, choices);
  const content = conditionAt(what ?? condition);
  if (kind === 'ban') return banOf(content, isWhile, choices);
  if (timing === null || timing === undefined) {
    const isEvent =
      kind === 'do' || choices.has('occurs', 'occur', 'happens', 'happen', 'occurred', 'happened');
    if (isWhile || !isEvent) return content;
    const way = choices.pick('soon', ['later', 'now', 'next']);
    return way === 'later' ? unary('F', content) : way === 'now' ? content : unary('X', content);
  }
  return timed(content, timing, condition, choices);
}

function timed(content: Formula, timing: Tree, condition: Tree, choices: Choices): Formula {
  if (typeof timing !== 'string') {
    const [kind, one, name] = timing as readonly Tree[];
    switch (kind) {
      case 'within':
        return unary('F', content, steps(0, one as number));
      case 'until':
        return binary(
          choices.pick('until', ['weak', 'strong']) === 'weak' ? 'W' : 'U',
          content,
          conditionAt(one),
        );
      case 'before': {
        const until = choices.pick('until', ['weak', 'strong']) === 'weak' ? 'W' : 'U';
        return binary(until, not(conditionAt(one)), content);
      }
      case 'then':
        return unary(one === 'always' ? 'WX' : 'X', timed(content, one, condition, choices));
      case 'from':
        return later(content, (one as number) + offsetOf(condition, name));
      default:
        return later(content, one as number);
    }
  }
  switch (timing) {
    case 'later':
      return unary('F', content);
    case 'always':
      return unary('G', content);
    case 'throughout':
      return choices.pick('throughout', ['now', 'always']) === 'now' ? content : unary('G', content);
    case 'after':
      return choices.pick('then', ['same', 'strictly']) === 'same'
        ? unary('F', content)
        : unary('X', unary('F', content));
    case 'now':
      return choices.has('immediately', 'right', 'promptly', 'instantly', 'straight', 'delay', 'once') &&
        choices.pick('immediately', ['now', 'next']) === 'next'
        ? unary('X', content)
        : content;
    case 'follow':
      return choices.pick('followed', ['later', 'next']) === 'next'
        ? unary('X', content)
        : unary('F', content);
    default:
      return unary('X', content);
  }
}

function later(content: Formula, n: number): Formula {
  return n === 0 ? content : unary('X', later(content, n - 1));
}

/** How many steps after the condition a name in it is due. */
function offsetOf(condition: Tree, name: Tree): number {
  if (condition === name) return 0;
  if (!Array.isArray(condition)) throw new NoMeaning();
  const [kind, ...parts] = condition as readonly Tree[];
  const inside = parts.find((part) => JSON.stringify(part).includes(JSON.stringify(name)));
  if (inside === undefined) throw new NoMeaning();
  return offsetOf(inside, name) + (kind === 'X' ? 1 : 0);
}

function banOf(content: Formula, isWhile: boolean, choices: Choices): Formula {
  const none = not(content);
  if (isWhile) return none;
  const lasts = choices.has(
    'again',
    'ever',
    'afterwards',
    'anymore',
    'forever',
    'rest',
    'longer',
    'thereafter',
    'from',
  );
  const way = choices.pick('ban', lasts ? ['later', 'same', 'goesOn'] : ['later', 'same', 'now', 'goesOn']);
  const forever = unary('G', none);
  if (way === 'now') return none;
  return way === 'same' ? forever : unary(way === 'later' ? 'WX' : 'X', forever);
}

/** `react` with another thing that must be done. */
export function alsoDo([, trigger, effect]: readonly Tree[], name: Tree, choices: Choices): Formula {
  const timing = (effect as readonly Tree[])[2] ?? null;
  return reactionOf(['react', trigger, ['do', name, timing]], choices);
}
