import { ParseError } from '../../../base/errors.js';
import type { Step } from '../../workflow/index.js';
import { END } from '../graph.js';
import { everywhere } from '../labels.js';
import { symbol, termOf } from '../terms.js';
import { UnknownName } from '../values.js';
import { walkBranch } from './branch.js';
import { walkCall } from './call.js';
import { walkEach } from './each.js';
import { walkRequire, walkReturn } from './ends.js';
import { walkFold } from './fold.js';
import { walkAsk, walkLet } from './given.js';
import { TooLarge, WalkState } from './state.js';

/** Most steps that are walked; loops of known lists multiply them. */
const MOST_STEPS = 200_000;
/** Most steps of a path that findings show. */
const MOST_PATH = 24;

/**
 * Goes through a plan in order, once: each name is given once, so what is known of it where it is given is known wherever it is read. Loops whose rounds are not
 * told apart, and what is written to stores in them, are gone through until nothing new is found.
 */
export class Walk extends WalkState {
  walked = 0;

  run(): this {
    const { graph, effects, names, options } = this;
    const { plan, inputs, types, label } = options;
    for (const [name, type] of Object.entries(plan.inputs)) {
      const isKnown = Object.hasOwn(inputs, name);
      types.set(`@${name}`, type);
      names.set(name, {
        term: isKnown ? termOf(inputs[name]) : symbol(name),
        labels: everywhere(label),
      });
    }
    this.steps(plan.steps);
    if (this.at >= 0) {
      graph.edge(this.at, END);
      effects.mayEnd();
    }
    return this;
  }

  steps(steps: readonly Step[]): void {
    const before = this.path;
    for (const step of steps) {
      if (this.at < 0) break;
      if (++this.walked > MOST_STEPS)
        throw new TooLarge(`the plan has more than ${MOST_STEPS} steps, with those of its loops`);
      this.path = [...this.path.slice(-MOST_PATH), { step: step.id }];
      try {
        this.#step(step);
      } catch (error) {
        if (!(error instanceof UnknownName) && !(error instanceof ParseError)) throw error;
        this.add({
          kind: 'shape',
          step: step.id,
          rule: null,
          isCertain: true,
          values: [],
          text: `Step ${step.id}: ${error.message}.`,
        });
      }
    }
    this.path = before;
  }

  #step(step: Step): void {
    if (step.kind === 'call') walkCall(this, step);
    else if (step.kind === 'ask') walkAsk(this, step);
    else if (step.kind === 'let') walkLet(this, step);
    else if (step.kind === 'if') walkBranch(this, step);
    else if (step.kind === 'forEach') walkEach(this, step);
    else if (step.kind === 'fold') walkFold(this, step);
    else if (step.kind === 'require') walkRequire(this, step);
    else walkReturn(this, step);
  }
}
