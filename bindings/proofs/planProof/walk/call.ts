import { isSubtype, type ToolContract } from '../../contract/index.js';
import { CallChecks } from '../callChecks.js';
import { endorsable } from '../endorsed.js';
import { elementsThere } from '../indexes.js';
import { BOTTOM, isBelow, join, type Label } from '../label.js';
import { whole } from '../labels.js';
import { membership } from '../membership.js';
import { namesRead } from '../namesRead.js';
import { resultLabels } from '../results.js';
import { folded, instantiate, symbol, type Term, termOf } from '../terms.js';
import { typeOfTerm } from '../termTypes.js';
import type { Origin } from '../trails.js';
import type { Abstract } from '../values.js';
import { quoted } from '../words.js';
import { ASKED, type StepOf, type WalkState } from './state.js';

/** A call: what stands against it, its letter, what it does to stores, and what it gives. */
export function walkCall(walk: WalkState, step: StepOf<'call'>): void {
  const { contracts, prover, flows, events } = walk.options;
  const tool = contracts.tools.get(step.tool);
  const given = new Map(Object.entries(step.with).map(([name, value]) => [name, walk.read(step, value)]));
  walk.learn([...given.values()].flatMap(({ term }) => elementsThere(term)));
  // Types are checked before the call.
  const typed = [...given].flatMap(([name, { term, labels }]) => {
    const argument = tool?.arguments.get(name);
    if (argument === undefined || isSubtype(typeOfTerm(term, walk.options.types), argument.type)) return [];
    walk.mayEnd(step.id, whole(labels));
    return membership(argument.type, term);
  });
  if (step.onError !== 'skip') walk.learn(typed);
  if (tool === undefined) {
    walk.add({
      kind: 'contract',
      step: step.id,
      rule: null,
      isCertain: true,
      values: [],
      text: `Step ${step.id} calls ${quoted(step.tool)}, which has no contract.`,
    });
    return;
  }
  const checksOf = (pc: Label) =>
    new CallChecks(
      {
        step: step.id,
        tool,
        given,
        pc,
        read: walk.stores.read(tool.reads),
        facts: step.onError === 'skip' ? [...walk.facts.terms, ...typed] : walk.facts.terms,
        trail: (argument, source) => walk.trail(step, argument, source),
        endorsable: (argument) => endorsable(step.with[argument]),
        decider: (readers) => walk.decider(readers),
      },
      { contracts, flows, prover, readers: walk.readers },
    );
  const required = checksOf(BOTTOM);
  required.requirements();
  if (required.atRunTime.length > 0)
    walk.mayEnd(step.id, [...given.values()].map(({ labels }) => whole(labels)).reduce(join, BOTTOM));
  const checks = checksOf(walk.decided);
  checks.labels();
  if (contracts.implicit === 'full' && !isBelow(walk.cut, walk.decided)) {
    const told = checksOf(join(walk.decided, walk.cut));
    told.labels();
    if (told.issues.length > checks.issues.length) walk.telling.add(step.id);
  }
  walk.sources.add(step.id, walk.decided, given);
  for (const issue of [...checks.issues, ...required.issues])
    walk.add(
      {
        ...issue,
        step: step.id,
        text: `Step ${step.id}: ${issue.text}`,
        ...(tool.asks && ASKED.has(issue.kind) && { isAsked: true }),
      },
      { names: namesRead(...valuesOf(step, issue.rule)), stores: tool.reads },
    );
  const checked = required.atRunTime.map(({ expression }) =>
    folded(instantiate(expression.root, checks.argument)),
  );
  for (const { name } of required.atRunTime) walk.atRunTime.push({ step: step.id, condition: name });
  const next = walk.graph.point();
  const letter = events.letter(
    step.id,
    tool.name,
    checks.argument,
    [...walk.facts.terms, ...checked],
    prover,
  );
  // Of a call that may be skipped it is not known afterwards whether it passed the checks.
  if (step.onError !== 'skip') for (const fact of checked) walk.facts.add(fact);
  walk.graph.edge(walk.at, next, { letter, step: { step: step.id } });
  // A call that fails may have been made, or not.
  if (step.onError === 'skip') walk.graph.edge(walk.at, next, { step: { step: step.id } });
  walk.at = next;
  walk.effects.call(step.id, tool, checks.argument, walk.facts.terms, step.onError === 'skip');
  give(walk, step, tool, given, checks.argument);
}

/** The argument that a finding is about, or all of them. */
function valuesOf({ with: given }: StepOf<'call'>, rule: string | null) {
  return rule !== null && Object.hasOwn(given, rule) ? [given[rule]] : Object.values(given);
}

/** What a call gives, and what it writes. */
function give(
  walk: WalkState,
  step: StepOf<'call'>,
  tool: ToolContract,
  given: ReadonlyMap<string, Abstract>,
  argument: (name: string) => Term | undefined,
): void {
  const { prover, flows } = walk.options;
  const all = [...given.values()].reduce((label, { labels }) => join(label, whole(labels)), walk.decided);
  const read = walk.stores.read(tool.reads);
  const answer = walk.options.answer?.(step.id);
  const own = symbol(step.as ?? `result of ${step.id}`);
  const result = answer === undefined ? own : termOf(answer);
  const labels = resultLabels({
    tool,
    result,
    argument,
    given: join(all, read),
    endorses: flows.endorsedBy(tool.name),
    prover,
  });
  const written = new Set([...tool.writes, ...tool.effects.map(({ store }) => store)]);
  // A tool may write what it read.
  walk.stores.write(written, join(all, tool.reads.length > 0 ? read : BOTTOM));
  const origin: Origin = {
    step: step.id,
    reads: namesRead(...Object.values(step.with)),
    stores: tool.reads,
    source: tool.name,
  };
  walk.trails.write(written, origin);
  if (step.onError === 'skip') return;
  walk.typed((own as { name: string }).name, tool.result.type);
  walk.learn(
    tool.ensures.map(({ expression }) =>
      folded(instantiate(expression.root, (name) => (name === 'result' ? result : argument(name)))),
    ),
  );
  if (step.as === undefined) return;
  walk.trails.set(step.as, origin);
  walk.names.set(step.as, { term: result, labels });
}
