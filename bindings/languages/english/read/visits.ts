import type { Formula } from '../../logic/index.js';
import { and, binary, implies, not, or, unary } from '../core/index.js';
import type { Tree } from '../grammar/chart.js';
import type { Choices } from './choices.js';
import { conditionAt } from './conditions.js';

/** Something to be done at one point of a mission: all of these, in any order, and on the way none of those. */
export interface Stage {
  readonly all: readonly Formula[];
  readonly avoid: Formula | null;
}

/** A mission: stages that follow each other. */
export interface Mission {
  readonly stages: readonly Stage[];
  /** The order was said to be free, or to be that of the list; `strict`: and none may come before its turn. */
  readonly order: 'any' | 'order' | 'strict' | null;
}

export const every = (formulas: readonly Formula[]): Formula =>
  formulas.reduce((one, other) => and(one, other));
export const some = (formulas: readonly Formula[]): Formula =>
  formulas.reduce((one, other) => or(one, other));
export const finallyHolds = (formula: Formula): Formula => unary('F', formula);
export const globally = (formula: Formula): Formula => unary('G', formula);

/** The members of a list of places. */
export function members(list: Tree): Formula[] {
  const [, ...names] = list as readonly Tree[];
  return names.map(conditionAt);
}

export const listKind = (list: Tree): string => (list as readonly Tree[])[0] as string;

/** `visit LIST ORDER AVOID` as a mission. */
export function missionOf([, list, order, avoid]: readonly Tree[]): Mission {
  const places = members(list);
  const shun = avoid === null || avoid === undefined ? null : some(members(avoid));
  if (listKind(list) === 'or') return { stages: [{ all: [some(places)], avoid: shun }], order: 'any' };
  if (order === 'order')
    return { stages: places.map((place) => ({ all: [place], avoid: shun })), order: 'order' };
  return { stages: [{ all: places, avoid: shun }], order: order === 'any' ? 'any' : null };
}

/** What a mission demands. */
export function missionFormula({ stages, order }: Mission, choices: Choices): Formula {
  if (order === 'strict') return strictly(stages);
  if (order === 'order') {
    const ways = ['sequence', 'strict', 'once'] as const;
    const way = choices.pick('order', choices.has('strict', 'strictly') ? ways : ways.slice(0, 2));
    if (way === 'strict') return strictly(stages);
    if (way === 'once') return and(strictly(stages), onceEach(stages, choices));
  }
  const avoids = stages.some(({ avoid }) => avoid !== null);
  if (avoids && choices.pick('avoid', ['way', 'throughout']) === 'throughout')
    return and(
      every(stages.flatMap(({ avoid }) => (avoid === null ? [] : [globally(not(avoid))]))),
      nested(stages.map(({ all }) => ({ all, avoid: null }))),
    );
  const staged = stages.slice(1).some(({ avoid }) => avoid !== null);
  if (staged && choices.pick('since', ['start', 'stage']) === 'start')
    return every([
      nested(stages),
      ...stages.flatMap(({ all, avoid }) =>
        avoid === null ? [] : all.map((place) => binary('U', not(avoid), place)),
      ),
    ]);
  return nested(stages);
}

function nested(stages: readonly Stage[]): Formula {
  return stages.reduceRight<Formula | null>((rest, { all, avoid }) => {
    const each = all.map((place) => {
      const goal = rest === null ? place : and(place, rest);
      return avoid === null ? finallyHolds(goal) : binary('U', not(avoid), goal);
    });
    return every(each);
  }, null) as Formula;
}

/** None before the one that precedes it, and all in the end. */
function strictly(stages: readonly Stage[]): Formula {
  const places = stages.map(({ all }) => every(all));
  return every([
    ...places.slice(1).map((place, i) => binary('U', not(place), places[i])),
    finallyHolds(places[places.length - 1]),
  ]);
}

/** Each but the last once before the one that follows: one step, or one stretch of steps. */
function onceEach(stages: readonly Stage[], choices: Choices): Formula {
  const places = stages.map(({ all }) => every(all));
  return every(places.slice(1).map((next, i) => onceBefore(places[i], next, 'U', choices)));
}

/** The first holds once up to the other: at one step, or during one stretch of steps; `W` where neither need come. */
export function onceBefore(one: Formula, other: Formula, until: 'U' | 'W', choices: Choices): Formula {
  const rest = binary(until, not(one), other);
  const last =
    choices.pick('times', ['stretches', 'steps']) === 'stretches'
      ? and(one, binary(until, one, rest))
      : and(one, unary(until === 'U' ? 'X' : 'WX', rest));
  return binary(until, not(one), last);
}

/** Each is visited, and after each the next one of the list before it again. */
export function fairly(list: Tree, choices: Choices): Formula {
  const places = members(list);
  const way = choices.pick('fair', ['weak', 'strong', 'stretches']);
  return every(
    places.map((place, i) => {
      const passed = binary('W', not(place), places[(i + 1) % places.length]);
      const then =
        way === 'stretches' ? binary('W', place, passed) : unary(way === 'weak' ? 'WX' : 'X', passed);
      return and(finallyHolds(place), globally(implies(place, then)));
    }),
  );
}
