import type { Step } from '../../observations/trace/index.js';
import { type Guard, severity } from '../../runtime/guard/index.js';
import type { GuardAnswer } from './answers.js';
import type { AskedCall } from './moves.js';

/** What a guard would say of calls. It looks at copies that read the run again, so that the guard itself is never asked. */
export class GuardView {
  readonly #guard: Guard;

  constructor(guard: Guard) {
    this.#guard = guard;
  }

  /** @param steps those of the run, the last of them the one at hand, without its call */
  judge(steps: readonly Step[], call: AskedCall): GuardAnswer | null {
    const now = steps.at(-1);
    if (now === undefined) return null;
    const copy = this.#guard.fork();
    for (const step of steps.slice(0, -1)) copy.observe(step.state, step);
    const action = { name: call.name, arguments: call.arguments ?? {} };
    const found = copy.propose(now.state, action, {
      isStep: true,
      ...(now.time !== undefined && { time: now.time }),
    });
    return {
      decision: found.decision,
      rule: found.rule,
      risk: Number.isNaN(found.risk) ? null : found.risk,
      lets: severity[found.decision] <= severity.report,
      text: copy.explain(found),
    };
  }
}
