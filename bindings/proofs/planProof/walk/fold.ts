import type { ValueType } from '../../contract/index.js';
import { BOTTOM, isBelow, join } from '../label.js';
import { elementOf, everywhere, raised, whole } from '../labels.js';
import { namesRead, symbolsGiven } from '../namesRead.js';
import { NOWHERE, symbol } from '../terms.js';
import { joinTypes, typeOfTerm } from '../termTypes.js';
import type { Abstract } from '../values.js';
import { elementsOf, exactRounds, unboundedRounds } from './rounds.js';
import type { StepOf, WalkState } from './state.js';

/** A loop with a value that each round replaces. */
export function walkFold(walk: WalkState, step: StepOf<'fold'>): void {
  const list = walk.read(step, step.in);
  const from = walk.read(step, step.from);
  walk.trails.set(step.accumulator, {
    step: step.id,
    reads: namesRead(step.from, step.next),
    source: null,
  });
  const elements = elementsOf(list.term);
  const last =
    elements !== undefined && walk.mayCopy(elements.length)
      ? foldExactly(walk, step, list, from)
      : foldUnbounded(walk, step, list, from);
  walk.leaves(step.id);
  if (walk.at < 0) return;
  walk.trails.set(step.as, {
    step: step.id,
    reads: namesRead(step.in, step.from, step.next),
    source: null,
  });
  walk.names.set(step.as, {
    term: last.term,
    labels: raised(last.labels, join(list.labels.here, walk.decided)),
  });
}

function foldExactly(walk: WalkState, step: StepOf<'fold'>, list: Abstract, from: Abstract): Abstract {
  const local = new Set([`@${step.item}`, ...symbolsGiven(step.do)]);
  let accumulator = from;
  walk.names.within(() => {
    for (const [i, element] of (elementsOf(list.term) ?? []).entries()) {
      if (walk.at < 0) return;
      walk.names.set(step.accumulator, accumulator);
      // One round of a list of one element.
      const only: Abstract = {
        term: { kind: 'list', elements: [element], place: NOWHERE },
        labels: { ...list.labels, items: [list.labels.items?.[i] ?? elementOf(list.labels, element)] },
      };
      walk.copied((elementsOf(list.term) ?? []).length, () =>
        exactRounds(walk, step, only, [element], step.do, () => {
          const { term, labels } = walk.kept(walk.read(step, step.next), local, i);
          accumulator = { term: walk.short(`@${step.accumulator}#${i}`, term), labels };
        }),
      );
    }
  });
  return accumulator;
}

/** Until label and type of the accumulator are those of a round before. */
function foldUnbounded(walk: WalkState, step: StepOf<'fold'>, list: Abstract, from: Abstract): Abstract {
  const { types } = walk.options;
  const term = symbol(step.accumulator);
  let label = join(whole(from.labels), list.labels.here);
  let type = typeOfTerm(from.term, types);
  const size = walk.graph.size;
  const local = new Set([`@${step.item}`, `@${step.accumulator}`, ...symbolsGiven(step.do)]);
  const before = { at: walk.at, stores: walk.stores };
  for (;;) {
    let next: Abstract = { term, labels: everywhere(BOTTOM) };
    walk.typed(`@${step.accumulator}`, type);
    const isDone = walk.issues.tentatively(() => {
      walk.at = before.at;
      walk.stores = before.stores.copy();
      foldRounds(walk, step, list, { term, labels: everywhere(label) }, (value) => {
        next = value;
      });
      const nextType = joinTypes(type, typeOfTerm(next.term, types));
      const nextLabel = join(label, walk.outside(whole(next.labels), local));
      const same = isBelow(nextLabel, label) && JSON.stringify(nextType) === JSON.stringify(type);
      label = nextLabel;
      // Types of few values would grow round by round.
      type = same ? type : widened(nextType);
      return same;
    });
    if (isDone) break;
    walk.graph.cut(size);
  }
  walk.typed(`@${step.as}`, type);
  return { term: symbol(step.as), labels: everywhere(label) };
}

function foldRounds(
  walk: WalkState,
  step: StepOf<'fold'>,
  list: Abstract,
  accumulator: Abstract,
  after: (next: Abstract) => void,
): void {
  walk.names.within(() => {
    walk.names.set(step.accumulator, accumulator);
    unboundedRounds(walk, step, list, step.do, () => after(walk.read(step, step.next)));
  });
}

function widened(type: ValueType): ValueType {
  switch (type.kind) {
    case 'text':
      return { kind: 'text' };
    case 'integer':
    case 'number':
      return { kind: 'number' };
    case 'list':
      return { kind: 'list', of: { kind: 'any' } };
    case 'boolean':
    case 'null':
      return type;
    default:
      return { kind: 'any' };
  }
}
