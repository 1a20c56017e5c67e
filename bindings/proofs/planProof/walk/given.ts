import { elementsThere } from '../indexes.js';
import { join, ofSource } from '../label.js';
import { everywhere, whole } from '../labels.js';
import { symbol, termOf } from '../terms.js';
import type { StepOf, WalkState } from './state.js';

/** A name for a value. */
export function walkLet(walk: WalkState, step: StepOf<'let'>): void {
  const value = walk.read(step, step.be);
  walk.learn(elementsThere(value.term));
  walk.define(step.name, value, step.id, [step.be], null);
}

/** The answer of a model: data that are not trusted. */
export function walkAsk(walk: WalkState, step: StepOf<'ask'>): void {
  const about = step.about.map((value) => walk.read(step, value));
  const label = about.reduce((all, { labels }) => join(all, whole(labels)), walk.decided);
  const own = ofSource(`ask ${step.id}`, false, []);
  walk.typed(`@${step.as}`, step.type);
  const answer = walk.options.answer?.(step.id);
  const term = answer === undefined ? symbol(step.as) : termOf(answer);
  const value = { term, labels: everywhere(join(label, own)) };
  walk.define(step.as, value, step.id, step.about, `ask ${step.id}`);
}
