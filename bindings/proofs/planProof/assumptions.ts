import { printExpression } from '../../languages/expression/index.js';
import type { Condition, Contracts } from '../contract/index.js';
import type { Plan, Step } from '../workflow/index.js';
import type { Assumption } from './verdict.js';
import { list, quoted } from './words.js';

/**
 * What a proof of the plan rests on: each run monitors the contracts.
 *
 * @param telling the calls that tell of data by not having been cut off for want of a value or of rounds
 */
export function assumptionsOf(plan: Plan, contracts: Contracts, telling: readonly string[]): Assumption[] {
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
  if (telling.length > 0)
    found.push({
      kind: 'ends',
      of: 'plan',
      text: `nobody concludes anything from ${telling.length === 1 ? 'the call' : 'calls'} of ${list(telling.map(quoted))}, to which a run does not come for want of a value or of rounds before`,
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
