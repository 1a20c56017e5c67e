import { printExpression } from '../../languages/expression/index.js';
import type { Condition, Contracts } from '../contract/index.js';
import type { Plan, Step } from '../workflow/index.js';
import type { Assumption } from './verdict.js';

/** What a proof of the plan rests on: each run monitors the contracts. */
export function assumptionsOf(plan: Plan, contracts: Contracts): Assumption[] {
  const steps = allSteps(plan.steps);
  const used = new Set(steps.flatMap((step) => (step.kind === 'call' ? [step.tool] : [])));
  const found: Assumption[] = [];
  for (const name of used) {
    const tool = contracts.tools.get(name);
    if (tool === undefined) continue;
    found.push({
      kind: 'result',
      of: name,
      text: 'its results have the declared type, integrity and readers',
    });
    found.push({ kind: 'effects', of: name, text: 'it does nothing beyond its declared effects' });
    if (tool.ensures.length > 0)
      found.push({
        kind: 'ensures',
        of: name,
        text: tool.ensures.map((one) => ensured(one, name)).join(', '),
      });
  }
  if (steps.some((step) => step.kind === 'forEach' || step.kind === 'fold' || picks(step)))
    found.push({
      kind: 'ends',
      of: 'plan',
      text: 'nobody concludes anything from its ending early for want of a value or of rounds: what ends it by `require` is looked at',
    });
  if (contracts.implicit === 'data')
    found.push({
      kind: 'implicit',
      of: 'contracts',
      text: 'only arguments are looked at: that a call is made may tell of data, and data may decide that it is',
    });
  for (const step of steps)
    if (step.kind === 'ask')
      found.push({
        kind: 'asked',
        of: step.id,
        text: 'the model that is asked has no tools, and its answer has the type',
      });
  return found;
}

/** Whether a part of a list or a map is picked, which need not be there: `mails[0]`. */
function picks(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  return (part as { kind?: unknown }).kind === 'index' || Object.values(part).some(picks);
}

/** A condition by its name, which for one without a name is the word of the file: it is printed, with its tool. */
function ensured({ name, expression }: Condition, tool: string): string {
  return name === 'ensures' ? `${printExpression(expression)} (of ${tool})` : name;
}

function allSteps(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => {
    if (step.kind === 'if') return [step, ...allSteps(step.then), ...allSteps(step.else)];
    return step.kind === 'forEach' || step.kind === 'fold' ? [step, ...allSteps(step.do)] : [step];
  });
}
