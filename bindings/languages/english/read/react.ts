import type { Formula } from '../../logic/index.js';
import { not, predicate, steps, unary } from '../core/index.js';
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
  const isPoint = word === 'when' || word === 'after';
  const holds = isPoint ? conditionSoFar(condition, choices) : conditionAt(condition);
  const way = isPoint ? choices.pick('when', ['level', 'edge']) : 'level';
  return reaction(holds, way, effectOf(effect as readonly Tree[], word === 'while', choices));
}

function effectOf([kind, what, timing]: readonly Tree[], isWhile: boolean, choices: Choices): Formula {
  const content = conditionAt(what);
  if (kind === 'ban') return banOf(content, isWhile, choices);
  if (timing === null || timing === undefined) {
    const isEvent =
      kind === 'do' || choices.has('occurs', 'occur', 'happens', 'happen', 'occurred', 'happened');
    if (isWhile || !isEvent) return content;
    const way = choices.pick('soon', ['later', 'now', 'next']);
    return way === 'later' ? unary('F', content) : way === 'now' ? content : unary('X', content);
  }
  return timed(content, timing, choices);
}

function timed(content: Formula, timing: Tree, choices: Choices): Formula {
  if (typeof timing !== 'string') {
    const [kind, n] = timing as [string, number];
    if (kind === 'within') return unary('F', content, steps(0, n));
    let formula = content;
    for (let i = 0; i < n; i++) formula = unary('X', formula);
    return formula;
  }
  switch (timing) {
    case 'later':
      return unary('F', content);
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

function banOf(content: Formula, isWhile: boolean, choices: Choices): Formula {
  const none = not(content);
  if (isWhile) return none;
  const lasts = choices.has('again', 'ever', 'afterwards', 'anymore', 'forever');
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
