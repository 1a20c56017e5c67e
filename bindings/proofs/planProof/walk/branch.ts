import type { Value } from '../../workflow/index.js';
import { truthOf } from '../events.js';
import { join, type Label } from '../label.js';
import { joinLabels, raised, whole } from '../labels.js';
import { namesRead } from '../namesRead.js';
import { equality, NOWHERE, negation, symbol, type Term } from '../terms.js';
import { joinTypes, typeOfTerm } from '../termTypes.js';
import type { Abstract } from '../values.js';
import type { StepOf, WalkState } from './state.js';

/** Goes through both branches, unless only one can be taken, and joins what is known after them. */
export function walkBranch(walk: WalkState, step: StepOf<'if'>): void {
  const { prover } = walk.options;
  const condition = walk.condition(step, step.condition);
  const truth = truthOf(condition.term, walk.facts.terms, prover);
  const label = whole(condition.labels);
  if (truth === undefined) walk.conditions.push(condition.term);
  const start = walk.at;
  const before = { pc: walk.pc, stores: walk.stores };
  const yields = Object.entries(step.yields ?? {});
  const branch = (side: 'then' | 'else') => {
    walk.stores = before.stores.copy();
    walk.pc = join(before.pc, label);
    walk.around.push({
      step: step.id,
      label,
      reads: namesRead({ kind: 'expression', expression: step.condition }),
    });
    const fact = side === 'then' ? condition.term : negation(condition.term);
    const found = walk.names.within(() =>
      walk.facts.within(() => {
        walk.at = walk.graph.point();
        walk.graph.edge(start, walk.at, {
          facts: truth === undefined ? [fact] : [],
          step: { step: step.id, branch: side },
        });
        walk.facts.add(fact);
        walk.path = [...walk.path.slice(0, -1), { step: step.id, branch: side }];
        walk.steps(side === 'then' ? step.then : step.else);
        if (walk.at < 0) return null;
        const facts = walk.facts.terms.slice();
        return {
          values: yields.map(([, pair]) => walk.read(step, pair[side === 'then' ? 0 : 1])),
          facts,
        };
      }),
    );
    walk.around.pop();
    return { side, end: walk.at, stores: walk.stores, found };
  };
  const log = walk.effects;
  const sides = log.either(
    truth === false ? null : () => branch('then'),
    truth === true ? null : () => branch('else'),
  );
  walk.pc = before.pc;
  const open = sides.filter(({ end }) => end >= 0);
  if (open.length === 0) {
    walk.at = -1;
    return;
  }
  // What follows is reached by either branch, or by the one that leads on.
  walk.leaves(step.id, open.length === 1 ? { branch: open[0].side } : {});
  walk.stores = open.map(({ stores }) => stores).reduce((a, b) => a.joined(b));
  if (open.length === 1) {
    walk.at = open[0].end;
    // Only one branch leads on, so what is known there is known after it.
    walk.facts.terms.length = 0;
    walk.facts.terms.push(...(open[0].found?.facts ?? []));
    for (const [i, [name, pair]] of yields.entries())
      yieldOne(walk, step, name, [(open[0].found as { values: Abstract[] }).values[i]], label, pair, null);
    return;
  }
  walk.at = walk.graph.point();
  for (const { end } of open) walk.graph.edge(end, walk.at);
  for (const [i, [name, pair]] of yields.entries()) {
    const values = open.map(({ found }) => (found as { values: Abstract[] }).values[i]);
    yieldOne(walk, step, name, values, label, pair, condition.term);
  }
}

/** A name for one of two values. */
function yieldOne(
  walk: WalkState,
  step: StepOf<'if'>,
  name: string,
  values: readonly Abstract[],
  label: Label,
  from: readonly Value[],
  condition: Term | null,
): void {
  const { types } = walk.options;
  const source = namesRead({ kind: 'expression', expression: step.condition });
  walk.trails.set(name, { step: step.id, reads: [...source, ...namesRead(...from)], source: null });
  const labels = raised(values.map((one) => one.labels).reduce(joinLabels), join(label, walk.decided));
  if (values.length === 1) {
    walk.names.set(name, { term: values[0].term, labels });
    return;
  }
  const term = symbol(name);
  const [then, otherwise] = values;
  walk.typed(`@${name}`, values.map((one) => typeOfTerm(one.term, types)).reduce(joinTypes));
  walk.learn([
    {
      kind: 'conditional',
      condition: condition as Term,
      whenTrue: equality(term, then.term),
      whenFalse: equality(term, otherwise.term),
      place: NOWHERE,
    },
  ]);
  walk.names.set(name, { term, labels });
}
