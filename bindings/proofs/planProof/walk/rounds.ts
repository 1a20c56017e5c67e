import type { Json, Step } from '../../workflow/index.js';
import { isBelow, join } from '../label.js';
import { elementOf, type Labels, raised } from '../labels.js';
import { namesRead, symbolsGiven } from '../namesRead.js';
import { constantOf, NOWHERE, symbol, type Term, termOf } from '../terms.js';
import { typeOfTerm } from '../termTypes.js';
import type { Abstract } from '../values.js';
import type { StepOf, WalkState } from './state.js';

/** Longest list of a type whose rounds are looked at apart. */
const FEW_ROUNDS = 4;

type Loop = StepOf<'forEach' | 'fold'>;

/**
 * Goes through the rounds of a loop.
 *
 * @param after what is done at the end of each round, with its names
 * @returns whether there is exactly one round for each element
 */
export function walkRounds(
  walk: WalkState,
  step: Loop,
  list: Abstract,
  body: readonly Step[],
  after: () => void,
): boolean {
  const elements = elementsOf(list.term);
  const type = typeOfTerm(list.term, walk.options.types);
  const atMost = step.kind === 'forEach' ? step.atMost : undefined;
  const least = elements?.length ?? (type.kind === 'list' ? (type.least ?? 0) : 0);
  if (atMost !== undefined && least > atMost) {
    // Such a run ends before the first round: whoever sees that another goes on learns what led here.
    walk.mayEnd(step.id, list.labels.here);
    walk.at = -1;
    return true;
  }
  const mayBeTooLong =
    atMost !== undefined &&
    elements === undefined &&
    (type.kind !== 'list' || (type.most ?? Infinity) > atMost);
  if (mayBeTooLong || (elements === undefined && type.kind !== 'list'))
    walk.mayEnd(step.id, list.labels.here);
  if (atMost !== undefined && elements === undefined) walk.learn([sizeAtMost(list.term, atMost)]);
  if (elements !== undefined && walk.mayCopy(elements.length)) {
    walk.copied(elements.length, () => exactRounds(walk, step, list, elements, body, after));
    return true;
  }
  const most = atMost ?? (type.kind === 'list' && (type.most ?? 99) <= FEW_ROUNDS ? type.most : undefined);
  if (most !== undefined && walk.mayCopy(most))
    walk.copied(most, () => boundedRounds(walk, step, list, body, after, most));
  else unboundedRounds(walk, step, list, body, after);
  return false;
}

/** One round for each element that is known. */
export function exactRounds(
  walk: WalkState,
  step: Loop,
  list: Abstract,
  elements: readonly Term[],
  body: readonly Step[],
  after: () => void,
): void {
  const loop = walk.graph.loops.push(new Set(symbolsGiven(body))) - 1;
  for (const [i, element] of elements.entries()) {
    if (walk.at < 0) return;
    const next = walk.graph.point();
    walk.graph.edge(walk.at, next, { round: loop, step: { step: step.id, round: i } });
    walk.at = next;
    const labels = list.labels.items?.[i] ?? elementOf(list.labels, element);
    walkRound(walk, step, { term: element, labels }, body, after, i, list.labels);
    walk.leave(walk.graph.loops[loop]);
  }
}

/** Up to so many rounds, each looked at apart. */
function boundedRounds(
  walk: WalkState,
  step: Loop,
  list: Abstract,
  body: readonly Step[],
  after: () => void,
  most: number,
): void {
  const out = walk.graph.point();
  walk.effects.repeatedly(() => {
    for (let i = 0; i < most && walk.at >= 0; i++) {
      walk.graph.edge(walk.at, out);
      symbolicRound(walk, step, list, body, after, i, walk.graph.loops.push(new Set()) - 1);
    }
  });
  if (walk.at >= 0) walk.graph.edge(walk.at, out);
  walk.at = out;
}

/** Any number of rounds: until a further one finds nothing new. */
export function unboundedRounds(
  walk: WalkState,
  step: Loop,
  list: Abstract,
  body: readonly Step[],
  after: () => void,
): void {
  const head = walk.graph.point();
  walk.graph.edge(walk.at, head);
  const loop = walk.graph.loops.push(new Set()) - 1;
  walk.effects.repeatedly(() => {
    for (;;) {
      const size = walk.graph.size;
      const before = { stores: walk.stores, stopped: walk.stopped, cut: walk.cut };
      const isDone = walk.issues.tentatively(() => {
        walk.at = head;
        walk.stores = before.stores.copy();
        symbolicRound(walk, step, list, body, after, undefined, loop);
        const stores = walk.stores.joined(before.stores);
        const same =
          stores.isBelow(before.stores) &&
          isBelow(walk.stopped, before.stopped) &&
          isBelow(walk.cut, before.cut);
        walk.stores = stores;
        return same;
      });
      if (isDone) break;
      walk.graph.cut(size);
    }
  });
  if (walk.at >= 0) walk.graph.edge(walk.at, head);
  walk.at = walk.graph.point();
  walk.graph.edge(head, walk.at);
}

/** A round of an element of which only type and labels are known. */
function symbolicRound(
  walk: WalkState,
  step: Loop,
  list: Abstract,
  body: readonly Step[],
  after: () => void,
  round: number | undefined,
  loop: number,
): void {
  const { types } = walk.options;
  const term = symbol(step.item);
  const type = typeOfTerm(list.term, types);
  walk.typed(`@${step.item}`, type.kind === 'list' ? type.of : { kind: 'any' });
  const local = walk.graph.loops[loop];
  for (const name of symbolsGiven(body)) local.add(name);
  local.add(`@${step.item}`);
  if (step.kind === 'fold') local.add(`@${step.accumulator}`);
  const next = walk.graph.point();
  walk.graph.edge(walk.at, next, {
    round: loop,
    step: { step: step.id, ...(round !== undefined && { round }) },
  });
  walk.at = next;
  walkRound(walk, step, { term, labels: elementOf(list.labels, term) }, body, after, round, list.labels);
  walk.leave(local);
}

/** One round: its element is known, and what decides it. */
function walkRound(
  walk: WalkState,
  step: Loop,
  item: Abstract,
  body: readonly Step[],
  after: () => void,
  round: number | undefined,
  list: Labels,
): void {
  const pc = walk.pc;
  // Whoever may read an element may know that it is there.
  const told = list.isApart === true ? item.labels.here : list.here;
  walk.pc = join(pc, told);
  walk.around.push({ step: step.id, label: told, reads: namesRead(step.in) });
  walk.path = [...walk.path.slice(0, -1), { step: step.id, ...(round !== undefined && { round }) }];
  walk.names.within(() =>
    walk.facts.within(() => {
      walk.trails.set(step.item, { step: step.id, reads: namesRead(step.in), source: null });
      walk.names.set(step.item, { term: item.term, labels: raised(item.labels, walk.decided) });
      walk.steps(body);
      if (walk.at >= 0) after();
    }),
  );
  walk.around.pop();
  walk.pc = pc;
}

/** The elements of a list that is written out or known. */
export function elementsOf(term: Term): readonly Term[] | undefined {
  if (term.kind === 'list') return term.elements;
  const constant = constantOf(term)?.value;
  return Array.isArray(constant) ? constant.map((one) => termOf(one as Json)) : undefined;
}

function sizeAtMost(list: Term, most: number): Term {
  const size: Term = { kind: 'call', function: 'size', arguments: [list], place: NOWHERE };
  return { kind: 'binary', operator: '<=', left: size, right: termOf(most), place: NOWHERE };
}
