import type { Formula } from '../../bindings/languages/logic/index.js';
import type { Readers, SmallContracts } from '../laws/smallPlans.js';
import { holds } from './ltlf.js';
import { joined, type Origin, type Plain, type SmallCall, type SmallRun, wholeOrigin } from './planRuns.js';

/** What the oracle judges by. */
export interface Judged {
  readonly contracts: SmallContracts;
  readonly conditions: Readonly<Record<string, (to: Plain, body: Plain) => boolean>>;
  /** Null: there is no rule of order. */
  readonly formula: Formula | null;
  readonly goal: {
    readonly removed?: Readonly<Record<string, unknown>>;
    readonly written?: Readonly<Record<string, unknown>>;
    readonly unchanged?: 'rest';
  } | null;
}

/** What a run does against the contracts; empty if nothing. */
export function violations(run: SmallRun, judged: Judged): string[] {
  return [
    ...run.calls.flatMap((call) => ofCall(call, judged)),
    ...(breaksOrder(run, judged) ? ['order'] : []),
    ...ofEffects(run, judged),
  ];
}

function ofCall(call: SmallCall, { contracts, conditions }: Judged): string[] {
  const found: string[] = [];
  const pc: Origin = contracts.implicit === 'full' ? call.pc : joined();
  const { to, body } = call.given;
  const all = joined(pc, ...Object.values(call.given).map(wholeOrigin));
  if (call.tool === 'send') {
    if (contracts.requires !== null && !conditions[contracts.requires](to.value, body.value))
      found.push('requires');
    if (contracts.trustedTo && joined(wholeOrigin(to), pc).untrusted.size > 0) found.push('integrity of to');
    if (contracts.consequential && pc.untrusted.size > 0) found.push('integrity');
    const shown = joined(wholeOrigin(body), pc);
    if (contracts.bodyReaders !== 'none' && !mayRead(contracts.bodyReaders, shown, contracts))
      found.push('readers of body');
    if (contracts.observable !== 'none' && !mayRead(contracts.observable, pc, contracts))
      found.push('observable');
    const isExcepted = contracts.unless !== null && conditions[contracts.unless](to.value, body.value);
    const forbidden = [...shown.ties].some(
      (tie) =>
        contracts.from.includes(tie) || (contracts.from.includes('*') && Object.hasOwn(contracts.tools, tie)),
    );
    if (forbidden && !isExcepted) found.push('flow');
  }
  if (call.tool === 'act' && pc.untrusted.size > 0) found.push('integrity of act');
  if (call.tool === 'note' && contracts.isPublic && !mayRead('everyone', all, contracts))
    found.push('public');
  return found;
}

function mayRead(audience: Readers, { ties }: Origin, contracts: SmallContracts): boolean {
  return [...ties].every((tie) => {
    const readers = contracts.readers[tie.replace('!', '')] ?? 'everyone';
    return readers === 'everyone' || readers === audience || audience === 'nobody';
  });
}

/** A call that failed may count, or not: both are looked at. */
function breaksOrder({ calls, end }: SmallRun, { formula }: Judged): boolean {
  if (formula === null) return false;
  return [calls, calls.filter(({ ok }) => ok)].some((counted) => {
    const trace = counted.map(({ tool, given }) => ({
      send: tool === 'send',
      approve: tool === 'approve',
      act: tool === 'act',
      read: tool === 'read',
      sendA: tool === 'send' && given.to.value === 'a',
    }));
    if (end !== 'failed') return !holds(formula, trace);
    // A run that a failure ends is judged by whether some continuation is good; of these rules, by two.
    const none = { send: false, approve: false, act: false, read: false, sendA: false };
    const later = [
      [],
      [{ ...none, send: true }],
      [{ ...none, approve: true }],
      [
        { ...none, approve: true },
        { ...none, send: true },
      ],
      [none],
    ];
    return !later.some((more) => holds(formula, [...trace, ...more]));
  });
}

const KEYS = ['a', 'b', 'c', 'd'];

function ofEffects({ calls, end }: SmallRun, { goal }: Judged): string[] {
  const found: string[] = [];
  const removed = new Set<string>();
  const asked = (keys: unknown): readonly string[] => (keys as readonly string[] | undefined) ?? [];
  for (const { tool, given, ok } of calls) {
    const key = given.x?.value as string | undefined;
    const pattern = given.pattern?.value as string | undefined;
    const touched =
      tool === 'remove' || tool === 'save'
        ? [key as string]
        : tool === 'clear'
          ? KEYS.filter((one) => pattern === '*' || pattern === one || (pattern === 'b*' && one === 'b'))
          : [];
    if (tool === 'clear' && pattern === '*') found.push('removes everything');
    for (const one of touched) {
      const may = asked(tool === 'save' ? goal?.written?.files : goal?.removed?.files);
      if (goal?.unchanged === 'rest' && !may.includes(one)) found.push('unchanged');
      if (tool === 'save') removed.delete(one);
      else if (ok) removed.add(one);
    }
    if (goal?.unchanged === 'rest' && tool === 'clear' && pattern === 'b*') found.push('unchanged');
    if (goal?.unchanged === 'rest' && tool === 'note') found.push('unchanged');
  }
  if (end === 'returned')
    for (const one of asked(goal?.removed?.files)) if (!removed.has(one)) found.push('removed');
  return found;
}
