import { type Formula, predicatesOf } from '../../logic/index.js';
import { and, binary, iff, implies, not, or, steps, unary } from '../core/index.js';
import type { Tree } from '../grammar/chart.js';
import { THEM } from '../grammar/rule.js';
import type { Choices } from './choices.js';
import { conditionAt, conjuncts, settled } from './conditions.js';
import { stepsWith, stretches } from './count.js';
import { NoMeaning } from './noMeaning.js';
import { afterwards, beforehand, precedence, stagesAfter } from './order.js';
import { alsoDo, answered, bothWays, reactionOf } from './react.js';
import { scoped } from './scopes.js';
import {
  every,
  fairly,
  finallyHolds,
  globally,
  listKind,
  type Mission,
  members,
  missionFormula,
  missionOf,
  onceBefore,
  type Stage,
  some,
} from './visits.js';

type Part = { readonly mission: Mission } | { readonly formula: Formula };
/** Kinds of clauses whose end is open: what follows may belong to them. */
const OPEN_ENDED: ReadonlySet<string> = new Set('react precede after until scope'.split(' '));
/** Kinds of clauses that say what holds, and so may belong to a reaction before them. */
const STATES: ReadonlySet<string> = new Set('formula soon always sometime until counted'.split(' '));

/**
 * The formula of a text, its words taken as chosen. Two missions one after the other are one in their order or two; what follows a word such as "then" follows the
 * mission before it.
 */
export function meaningOf(text: Tree, choices: Choices): Formula {
  const items = text as readonly (readonly [string, readonly Tree[]])[];
  const parts: Part[] = [];
  items.forEach(([join, given], i) => {
    const previous = i === 0 ? null : items[i - 1][1];
    const unit = settled(
      withNames(given, () => namesOf(parts, choices)),
      choices,
    ) as readonly Tree[];
    if (previous !== null && join !== 'and' && OPEN_ENDED.has(previous[0] as string)) {
      const belongs = belonging(join, unit, previous, choices);
      if (belongs !== null) {
        parts.push(belongs);
        return;
      }
    }
    if (unit[0] === 'free') {
      parts.splice(0, parts.length, ...parts.map(anyOrder));
      return;
    }
    const last = parts.at(-1);
    if (unit[0] === 'meanwhile') {
      if (last === undefined || !('mission' in last) || last.mission.stages.length < 2) throw new NoMeaning();
      const avoid = some(members(unit[1]));
      const stages = last.mission.stages.map((stage, at) => (at === 0 ? stage : { ...stage, avoid }));
      parts.splice(-1, 1, { mission: { ...last.mission, stages } });
      return;
    }
    if (last !== undefined && 'mission' in last) {
      const strict: Part = { mission: { ...last.mission, order: 'strict' } };
      if (unit[0] === 'strictly') {
        parts.splice(-1, 1, strict);
        return;
      }
      if (unit[0] === 'loosely') {
        parts.splice(-1, 1, { mission: { ...last.mission, order: null } });
        return;
      }
      if (unit[0] === 'againBefore' && choices.pick('order', ['strict', 'sequence']) === 'strict')
        parts.splice(-1, 1, strict);
    }
    const part = partOf(unit, choices);
    if ('formula' in part || last === undefined) {
      if (
        join === 'join' &&
        isBan(previous) &&
        'mission' in part &&
        choices.pick('reach', ['outside', 'inside']) === 'inside'
      )
        parts.push({
          formula: every(part.mission.stages.flatMap(({ all }) => all.map((one) => globally(not(one))))),
        });
      else parts.push(part);
      return;
    }
    if ('formula' in last) {
      if (join === 'then' || join === 'onlyThen') throw new NoMeaning();
      if (join === 'join' && isBan(previous) && choices.pick('reach', ['outside', 'inside']) === 'inside')
        parts.push({
          formula: every(part.mission.stages.flatMap(({ all }) => all.map((one) => globally(not(one))))),
        });
      else parts.push(part);
      return;
    }
    const chained = 'mission' in part ? chain(last.mission, part.mission) : null;
    if (chained !== null && (join === 'then' || choices.pick('turn', ['inTurn', 'free']) === 'inTurn')) {
      parts.splice(-1, 1, { mission: chained });
      return;
    }
    const free = last.mission.order === 'any' || part.mission.order === 'any';
    if (
      join !== 'then' &&
      join !== 'onlyThen' &&
      (free || choices.pick('turn', ['free', 'inTurn']) === 'free')
    )
      parts.push(part);
    else {
      const mission = joined(last.mission, part.mission, choices);
      parts.splice(-1, 1, { mission: join === 'onlyThen' ? { ...mission, order: 'order' } : mission });
    }
  });
  return every(
    parts.map((part) => ('formula' in part ? part.formula : missionFormula(part.mission, choices))),
  );
}

const isBan = (unit: readonly Tree[] | null): boolean =>
  unit !== null && unit[0] === 'never' && unit[2] === 'never';

/** What a clause means that follows one with an open end; null if it must stand by itself. */
function belonging(
  join: string,
  unit: readonly Tree[],
  previous: readonly Tree[],
  choices: Choices,
): Part | null {
  if (previous[0] === 'react' && STATES.has(unit[0] as string)) {
    if (choices.pick('reach', ['outside', 'inside']) === 'outside') return null;
    return { formula: answered(previous[1], clauseOf(unit, choices), choices) };
  }
  if (unit[0] !== 'visit') return null;
  if (join !== 'join') return refuse();
  if (previous[0] !== 'react') return refuse();
  if (choices.pick('reach', ['outside', 'inside']) === 'outside') return null;
  const names = (unit[1] as readonly Tree[]).slice(1);
  if (listKind(unit[1]) === 'or') refuse();
  return { formula: every(names.map((name) => alsoDo(previous, name, choices))) };
}

function refuse(): never {
  throw new NoMeaning();
}

function anyOrder(part: Part): Part {
  if (!('mission' in part) || part.mission.stages.length > 1) throw new NoMeaning();
  return { mission: { ...part.mission, order: 'any' } };
}

/** One mission from two that share a stage: "b after a" and "c after b" in either order; null if they do not. */
function chain(one: Mission, other: Mission): Mission | null {
  const names = ({ all }: Stage): string[] => all.flatMap((place) => [...predicatesOf(place)]);
  const continues = (first: Mission, next: Mission): boolean => {
    const [before, start] = [first.stages.flatMap(names), names(next.stages[0])];
    return (
      next.stages.length > 1 &&
      names(first.stages[first.stages.length - 1]).every((name) => start.includes(name)) &&
      start.every((name) => before.includes(name))
    );
  };
  if (one.order !== null || other.order !== null) return null;
  if (continues(one, other)) return { stages: [...one.stages, ...other.stages.slice(1)], order: null };
  if (continues(other, one)) return { stages: [...other.stages, ...one.stages.slice(1)], order: null };
  return null;
}

/** One mission after the other. */
function joined(one: Mission, other: Mission, choices: Choices): Mission {
  const spread = ({ stages, order }: Mission): Mission['stages'] =>
    order === null &&
    stages.length === 1 &&
    stages[0].all.length > 1 &&
    choices.pick('order', ['sequence', 'group']) === 'sequence'
      ? stages[0].all.map((place) => ({ all: [place], avoid: stages[0].avoid }))
      : stages;
  return { stages: [...spread(one), ...other.stages], order: null };
}

function partOf(unit: readonly Tree[], choices: Choices): Part {
  const [kind, ...rest] = unit;
  const stages = kind === 'after' ? stagesAfter(unit, choices) : null;
  if (stages !== null) return { mission: { stages, order: null } };
  if (kind === 'visit') return { mission: missionOf(unit) };
  if (kind === 'path' || kind === 'fromto')
    return {
      mission: {
        stages: rest.map((name) => ({ all: [conditionAt(name)], avoid: null })),
        order: null,
      },
    };
  return { formula: clauseOf(unit, choices) };
}

function clauseOf(unit: readonly Tree[], choices: Choices): Formula {
  const [kind, one, other, third] = unit;
  switch (kind) {
    case 'endless':
      throw new NoMeaning(true);
    case 'never': {
      const places = members(one);
      const isJoint = /^(and|both)$/.test(listKind(one)) && places.length > 1 && other !== 'avoid';
      if (isJoint && choices.pick('both', ['each', 'together']) === 'together')
        return globally(not(every(places)));
      return every(places.map((place) => globally(not(place))));
    }
    case 'nowhere': {
      const parts = conjuncts(one);
      const together = choices.has('together', 'simultaneously', 'time', 'once', 'both', 'step');
      if (parts.length > 1 && !together && choices.pick('both', ['together', 'each']) === 'each')
        return every(parts.map((part) => globally(not(conditionAt(part)))));
      return globally(not(conditionAt(one)));
    }
    case 'uncaused': {
      const done = conditionAt(one);
      return choices.pick('caused', ['state', 'begin']) === 'state'
        ? globally(not(done))
        : globally(implies(not(done), unary('WX', not(done))));
    }
    case 'precede':
      return precedence(unit, choices);
    case 'atoms':
      return binary('W', not(conditionAt(one)), conditionAt(other));
    case 'after':
      return afterwards(unit, choices);
    case 'path?':
      return beforehand(unit, choices);
    case 'count':
      return counted(conditionAt(one), other as string, third as number, choices);
    case 'counted': {
      const often = choices.pick('times', ['stretches', 'steps']) === 'steps' ? stepsWith : stretches;
      return counted(conditionAt(one), other as string, third as number, choices, often);
    }
    case 'formula':
      return conditionAt(one);
    case 'all':
      return every(unit.slice(1).map((part) => clauseOf(part as readonly Tree[], choices)));
    case 'soon':
      return unary('F', conditionAt(one), steps(0, other as number));
    case 'fair':
      return fairly(one, choices);
    case 'onceBefore': {
      const [first, then] = [one, other].map(conditionAt);
      return and(
        and(binary('U', not(then), first), finallyHolds(then)),
        onceBefore(first, then, 'U', choices),
      );
    }
    case 'againBefore': {
      const until = choices.pick('until', ['weak', 'strong']) === 'weak' ? 'W' : 'U';
      return onceBefore(conditionAt(one), conditionAt(other), until, choices);
    }
    case 'preceded': {
      const [later, first] = [one, other].map(conditionAt);
      const isStrict = choices.pick('strictly', ['same', 'strictly']) === 'strictly';
      return binary('W', not(later), isStrict ? and(first, not(later)) : first);
    }
    case 'iffThen':
      return bothWays(unit, choices);
    case 'react':
      return reactionOf(unit, choices);
    case 'always':
      return globally(conditionAt(one));
    case 'sometime': {
      const parts = conjuncts(one);
      if (parts.length > 1 && choices.pick('both', ['each', 'together']) === 'each')
        return every(parts.map((part) => finallyHolds(conditionAt(part))));
      return finallyHolds(conditionAt(one));
    }
    case 'until': {
      const ways = choices.has('unless')
        ? (['weak', 'strong', 'now'] as const)
        : (['weak', 'strong'] as const);
      const way = choices.pick('until', ways);
      if (way === 'now') return globally(or(conditionAt(one), conditionAt(other)));
      return binary(way === 'weak' ? 'W' : 'U', conditionAt(one), conditionAt(other));
    }
    case 'iff':
      return globally(iff(conditionAt(one), conditionAt(other)));
    case 'release':
      return choices.pick('release', ['with', 'until']) === 'with'
        ? binary('R', conditionAt(one), conditionAt(other))
        : binary('W', conditionAt(other), conditionAt(one));
    case 'scope':
      return scoped(unit, choices);
    default:
      throw new NoMeaning();
  }
}

function counted(
  content: Formula,
  kind: string,
  n: number,
  choices: Choices,
  often: typeof stretches = stretches,
): Formula {
  if (n < 0 || n > MOST) throw new NoMeaning();
  if (n === 0 && kind !== 'most' && kind !== 'exact') throw new NoMeaning();
  const least = often(content, n);
  const most = not(often(content, n + 1));
  switch (kind === 'said' ? choices.pick('exactly', ['exact', 'least']) : kind) {
    case 'most':
      return most;
    case 'less':
      return not(least);
    case 'least':
      return least;
    default:
      return n === 0 ? most : and(least, most);
  }
}

/** Counts above it have formulas that are too long. */
const MOST = 20;

/** A clause with all names in place of "them". */
function withNames(tree: readonly Tree[], names: () => readonly string[]): readonly Tree[] {
  return tree.flatMap((part): readonly Tree[] => {
    if (part !== THEM) return [Array.isArray(part) ? withNames(part, names) : part];
    const found = names();
    return found.length < 2 ? refuse() : found;
  });
}

/** The predicates of the clauses so far. */
function namesOf(parts: readonly Part[], choices: Choices): string[] {
  const formulas = parts.map((part) =>
    'formula' in part ? part.formula : missionFormula(part.mission, choices),
  );
  return [...new Set(formulas.flatMap((formula) => [...predicatesOf(formula)]))];
}
