import { endorsedBy } from '../endorsed.js';
import { truthOf } from '../events.js';
import { END } from '../graph.js';
import { join, type Label, trusted } from '../label.js';
import { everywhere, type Labels, mapped, whole } from '../labels.js';
import { isResolvable, resolveReaders } from '../readers.js';
import { negation } from '../terms.js';
import { list, quoted } from '../words.js';
import type { StepOf, WalkState } from './state.js';

/** A condition without which the run ends. */
export function walkRequire(walk: WalkState, step: StepOf<'require'>): void {
  const { prover } = walk.options;
  const condition = walk.condition(step, step.condition);
  const truth = truthOf(condition.term, walk.facts.terms, prover);
  if (truth !== true)
    walk.graph.edge(walk.at, END, {
      facts: truth === undefined ? [negation(condition.term)] : [],
      step: { step: step.id },
    });
  // Whoever sees that the plan goes on learns of the condition. An attacker can make it stop, which is not made worse by saying when.
  const told = trusted(whole(condition.labels));
  walk.stopped = join(walk.stopped, join(walk.pc, told));
  walk.ends.push({ step: step.id, label: told });
  walk.requires.add(step.id);
  if (truth === false) {
    walk.at = -1;
    return;
  }
  walk.learn([condition.term], { step: step.id });
  for (const { path, values } of endorsedBy(step.condition))
    if (walk.names.isTrusted(values)) endorse(walk, path);
}

/** A value that is one of the plan's own literals is trusted, if these are. */
function endorse(walk: WalkState, [name, ...path]: readonly string[]): void {
  const value = walk.names.get(name);
  const change = (labels: Labels, rest: readonly string[]): Labels => {
    if (rest.length === 0) return mapped(labels, trusted);
    const [field, ...below] = rest;
    const part = labels.fields?.get(field) ?? everywhere(labels.here);
    return { ...labels, fields: new Map([...(labels.fields ?? []), [field, change(part, below)]]) };
  };
  walk.names.set(name, { ...value, labels: change(value.labels, path) });
}

/** The end of a run. */
export function walkReturn(walk: WalkState, step: StepOf<'return'>): void {
  show(walk, step, join(whole(walk.read(step, step.value).labels), walk.decided));
  walk.graph.edge(walk.at, END, { step: { step: step.id } });
  walk.effects.mayEnd();
  walk.stopped = join(walk.stopped, walk.pc);
  walk.ends.push({ step: step.id, label: walk.pc });
  walk.at = -1;
}

/** Whether those who are shown what the plan returns may read it. The user may read everything. */
function show(walk: WalkState, step: StepOf<'return'>, label: Label): void {
  const { returnsTo = null, prover } = walk.options;
  if (returnsTo === null) return;
  const nothing = { argument: () => undefined, result: null, element: null };
  // Readers whom a value names are nobody that is known: a plan that is over has no arguments.
  const audience = isResolvable(returnsTo, nothing) ? resolveReaders(returnsTo, nothing, prover) : null;
  for (const set of label.readers) {
    const { kind } =
      audience === null
        ? { kind: 'unknown' as const }
        : walk.readers.mayRead(audience, set, walk.facts.terms);
    if (kind === 'yes') continue;
    const text = `Step ${step.id}: what the plan returns depends on ${list([...label.sources.keys()].map(quoted))}, which not all who are shown it may read.`;
    walk.add({
      kind: 'readers',
      step: step.id,
      rule: 'return',
      isCertain: kind === 'no',
      values: [],
      text,
    });
    return;
  }
}
