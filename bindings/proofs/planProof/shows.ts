import { violatedAtEnd } from '../../languages/automaton/index.js';
import { compileExpression, type Expression } from '../../languages/expression/index.js';
import { type Contracts, fits } from '../contract/index.js';
import type { Json } from '../workflow/index.js';
import type { MadeCall, Run } from './concrete.js';
import type { Events, OrderAutomaton } from './events.js';
import type { Issue } from './issues.js';
import { runAutomaton } from './order.js';
import { instantiate, termOf } from './terms.js';

/** The value of an expression over the arguments of a call, and further names; undefined if it has none. Arguments that are left out are null. */
export function valueOver(
  expression: Expression,
  { given, tool }: Pick<MadeCall, 'given' | 'tool'>,
  contracts: Contracts,
  more: Readonly<Record<string, Json>> = {},
): unknown {
  const root = instantiate(expression.root, (name) => {
    if (Object.hasOwn(more, name)) return termOf(more[name]);
    if (Object.hasOwn(given, name)) return termOf(given[name]);
    return contracts.tools.get(tool)?.arguments.has(name) ? termOf(null) : undefined;
  });
  try {
    return compileExpression({ name: expression.name, root })({}, {});
  } catch {
    return undefined;
  }
}

/** Whether a run is one that contracts allow: results have their types, and what tools ensure holds; and it was not stopped by checks at run time. */
export function isPossible(run: Run, contracts: Contracts): boolean {
  return run.calls.every((call) => {
    const tool = contracts.tools.get(call.tool);
    if (tool === undefined || !call.ok) return true;
    if (fits(call.result, tool.result.type) !== null) return false;
    const isTrue = ({ expression }: { expression: Expression }) =>
      valueOver(expression, call, contracts, { result: call.result }) === true;
    return tool.ensures.every(isTrue) && tool.requires.every((one) => !one.atRunTime || isTrue(one));
  });
}

/** Whether a run gets to the step of an issue. */
export function reaches({ step }: Issue, run: Run): boolean {
  return step === null || run.steps.includes(step);
}

/** Whether a call of a run breaks a condition that its tool requires. */
export function breaksRequirement({ step, rule }: Issue, run: Run, contracts: Contracts): boolean {
  return run.calls.some((call) => {
    if (call.step !== step) return false;
    const condition = contracts.tools.get(call.tool)?.requires.find(({ name }) => name === rule);
    return condition !== undefined && valueOver(condition.expression, call, contracts) !== true;
  });
}

/** Whether the calls of a run break a rule of order. A call that failed does not count. */
export function breaksOrder(rule: OrderAutomaton, run: Run, events: Events, contracts: Contracts): boolean {
  const letters = run.calls
    .filter(({ ok }) => ok)
    .map((call) => {
      const happens = events.of(call.tool, (when) => valueOver(when, call, contracts) === true);
      return (predicate: number) => happens[rule.events[predicate]];
    });
  const q = runAutomaton(rule.automaton, letters);
  return violatedAtEnd(rule.automaton, q, run.end.kind === 'failed' ? 'weak' : 'strong');
}

/** Whether a run removes, or writes, the key that an issue names; of what is to be removed, whether it is still there. */
export function touchesKey({ step, rule, kind, witness }: Issue, run: Run, contracts: Contracts): boolean {
  if (witness === undefined) return false;
  const { store, key } = witness;
  const touches = (call: MadeCall, kinds: readonly string[]): boolean =>
    call.ok &&
    (contracts.tools.get(call.tool)?.effects ?? []).some(
      (effect) =>
        effect.store === store &&
        kinds.includes(effect.kind) &&
        valueOver(effect.keys, call, contracts, { key }) === true,
    );
  if (kind === 'goal' && rule === 'removed') {
    if (run.end.kind !== 'returned') return false;
    let isRemoved = false;
    for (const call of run.calls)
      isRemoved = touches(call, ['removes']) || (isRemoved && !touches(call, ['writes', 'creates']));
    return !isRemoved;
  }
  return run.calls.some((call) => call.step === step && touches(call, ['removes', 'writes', 'creates']));
}
