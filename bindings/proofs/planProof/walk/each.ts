import type { ValueType } from '../../contract/index.js';
import type { Value } from '../../workflow/index.js';
import { BOTTOM, join, type Label } from '../label.js';
import { everywhere, type Labels, raised, whole } from '../labels.js';
import { namesRead, symbolsGiven } from '../namesRead.js';
import { NOWHERE, symbol, type Term } from '../terms.js';
import { joinTypes, typeOfTerm } from '../termTypes.js';
import type { Abstract } from '../values.js';
import { elementsOf, walkRounds } from './rounds.js';
import type { StepOf, WalkState } from './state.js';

/** A loop, and the lists that it collects. */
export function walkEach(walk: WalkState, step: StepOf<'forEach'>): void {
  const list = walk.read(step, step.in);
  const collected = Object.entries(step.collect ?? {});
  const rounds: Abstract[][] = [];
  const local = new Set([`@${step.item}`, ...symbolsGiven(step.do)]);
  const round = () => {
    const values = collected.map(([, value]) => walk.read(step, value));
    rounds.push(values.map((value) => walk.kept(value, local, rounds.length)));
  };
  const pc = walk.pc;
  const exact = walkRounds(walk, step, list, step.do, round);
  walk.pc = pc;
  walk.leaves(step.id);
  if (walk.at < 0) return;
  const elements = elementsOf(list.term);
  const spine = list.labels.here;
  for (const [i, [name, value]] of collected.entries()) {
    const values = rounds.map((one) => one[i]);
    collect(walk, step, name, values, exact ? elements?.length : undefined, spine, value);
  }
}

/** The list of a value of each round. @param count how many there are; undefined: that is not known */
function collect(
  walk: WalkState,
  step: StepOf<'forEach'>,
  name: string,
  values: readonly Abstract[],
  count: number | undefined,
  spine: Label,
  value: Value,
): void {
  const { types } = walk.options;
  walk.trails.set(name, { step: step.id, reads: namesRead(step.in, value), source: null });
  const label = join(spine, walk.decided);
  if (count !== undefined && count === values.length) {
    const labels: Labels = { here: label, items: values.map((one) => raised(one.labels, label)) };
    const term: Term = { kind: 'list', elements: values.map((one) => one.term), place: NOWHERE };
    walk.names.set(name, { term: walk.short(`@${name}`, term), labels });
    return;
  }
  const of = values
    .map((one) => typeOfTerm(one.term, types))
    .reduce<ValueType | undefined>(joinTypes, undefined);
  walk.typed(`@${name}`, {
    kind: 'list',
    of: of ?? { kind: 'any' },
    ...(step.atMost !== undefined && { most: step.atMost }),
  });
  const known = values.map((one) => whole(one.labels)).reduce(join, BOTTOM);
  walk.names.set(name, {
    term: symbol(name),
    labels: { here: label, element: () => everywhere(join(label, known)) },
  });
}
